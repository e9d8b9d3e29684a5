"""Five in a row: the rules, a search that explains itself, and an engine.

    from five_in_a_row import Game, think

    game = Game.from_text("d4 e5 d5")
    result = think(game, simulations=20_000, seed=1)

A module whose first line says so is made from the notebook that explains it: `game`, `mcts`,
`heuristics`, `figures` and `window` from five_in_a_row.ipynb, others from the notebook of
their name in studies/. A name below is loaded when it is first used, so that a board opens
before the search is compiled.
"""

import sys
from importlib import import_module

PUBLIC = {  # module: what it offers to other programs
    "game": ("BLACK", "WHITE", "Game", "Rules"),
    "mcts": ("SearchResult",),
    "window": ("GameRecord",),
    "search": ("SearchOptions", "Classic"),
    "plain_uct": ("PlainUCT",),
    "engine": ("think", "EnginePlayer"),
    "strength": ("play_match",),
}
MODULES = tuple(
    "game mcts heuristics figures window verdicts cache timing files game_file panels "
    "extras search same_tree plain_uct threats engine compiling replay gomocup records review "
    "opponents inline strength swap2 seats notebook_process notebook_player desk play "
    "favourite essays command_line connect_grid connect_solver connect_four connect_report "
    "connect_poster tic_tac_toe bayes ludo ludo_board search_figures".split()
)
LIBRARIES = (  # what the package imports, and what those import first
    *("numpy", "llvmlite", "numba", "PIL", "matplotlib", "pandas", "pygame"),
    *("traitlets", "ipywidgets", "anywidget", "jupyter_rfb"),
)
_HOME = {name: module for module, names in PUBLIC.items() for name in names}
__all__ = sorted(_HOME)


class ImportInterrupted(Exception):
    """Half of a library is loaded; the message says so, and what to do."""

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows in place of a traceback: the sentence."""
        return [str(self)]


def check_imports() -> None:
    """Raise ImportInterrupted if half of a library is loaded.

    Python forgets a module whose import was interrupted, but not the modules inside it that
    were already loaded. A second import stumbles over them, now or at some later moment.
    """
    inside = {name.partition(".")[0] for name in list(sys.modules) if "." in name}
    for library in LIBRARIES:
        if library in inside and library not in sys.modules:
            raise ImportInterrupted(
                f"An import was interrupted, so only half of {library} is loaded: restart "
                "the kernel (Kernel › Restart Kernel) and run the cells again."
            )


def __getattr__(name: str):
    """Return a public name or a module of the package, loaded now."""
    check_imports()
    if name in MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names and the modules, loaded or not."""
    return sorted({*globals(), *__all__, *MODULES})


def version_note(notebook: str) -> str:
    """Return "" if the package was made from this version of the main notebook.

    notebook   the notebook's own VERSION
    Otherwise return a sentence that names both versions and says what to do.
    """
    package = getattr(import_module(f"{__name__}.game"), "VERSION", "1.0")  # 1.0 had none
    if package == notebook:
        return ""
    return (
        f"The package in export/ was made from version {package} of this notebook, which is "
        f"now version {notebook}: python tools/build.py --module makes it anew."
    )


check_imports()
