# Copied from tools/package/opponents.py: change that file.
"""The opponents of a session: each is loaded when it thinks first, so a board opens before."""

from . import check_imports


def engine(game, *budget, **how):
    """Return what the engine finds; see five_in_a_row.engine.think."""
    from five_in_a_row.engine import think

    return think(game, *budget, **how)


def classic(game, *budget, **how):
    """Return what the course notebook's algorithm finds, compiled; arguments as for engine."""
    from five_in_a_row.search import think_classic

    return think_classic(game, *budget, **how)


OPPONENTS = {"engine": engine, "classic": classic}


def play_now(size=8, seconds=5, human="black", level=None):
    """Play against the engine at once: in a window, or in the notebook without a display.

    The arguments are those of core.play. Return the game, or a board in the notebook; where
    neither can be shown, a sentence says why.
    """
    check_imports()  # this may be the second try, after the first one was interrupted
    from . import core, desk, extras

    how = dict(ways=(core.in_window, desk.in_notebook), more=extras.add_with_figures)
    return core.play(OPPONENTS, size, seconds, human, level, **how)
