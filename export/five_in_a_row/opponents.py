"""The opponents of a session, and games against them.

Each opponent is loaded when it thinks first, so a board opens before.
"""

from . import check_imports


def engine_opponent(game, **settings):
    """Return what the engine finds; see five_in_a_row.engine.think."""
    from five_in_a_row.compiling import compile_all
    from five_in_a_row.engine import think

    compile_all(game.rules)  # which takes no time once it is done
    return think(game, **settings)


def classic_opponent(game, **settings):
    """Return what the course notebook's algorithm finds, compiled; as engine_opponent."""
    from five_in_a_row.search import think_classic

    return think_classic(game, **settings)


def mine_opponent(game, **settings):
    """Return what the notebook's own search finds, as it was when the package was made."""
    from five_in_a_row.heuristics import mine

    return mine(game, **settings)


def plain_opponent(game, *, level=None, **settings):
    """Return what plain search in Python finds; it knows no levels."""
    from five_in_a_row.mcts import plain_search

    return plain_search(game, **settings)


OPPONENTS = {"engine": engine_opponent, "classic": classic_opponent}
# in the notebook, its own searches take these names
OWN = {"mine": mine_opponent, "plain": plain_opponent}


def play_now(size=8, seconds=5, human="black", level=None, opponent=None, opponents=None):
    """Play at once, against the engine: in a window, or in the notebook without a display.

    The arguments are those of five.window.play; opponents=None: those of the package. Return
    the game, or a board in the notebook; where neither can be shown, a sentence says why.
    """
    check_imports()  # this may be the second try, after the first one was interrupted
    import five_in_a_row as five

    from . import extras, inline

    return five.window.play(
        opponents or OPPONENTS,
        size,
        seconds,
        human,
        level,
        opponent=opponent,
        ways=(five.window.in_window, inline.in_notebook),
        more=extras.add_with_figures,
    )


def play_inline(
    size=8, seconds=5, human="black", path=None, opponents=None, opponent=None, **settings
):
    """Show a new game in the notebook; give it a name, as in board = play_inline().

    The arguments are those of five.window.play. Raises NoInline outside a notebook.
    """
    import five_in_a_row as five

    from . import extras, inline

    opponents = opponents or OPPONENTS
    settings |= {"opponent": five.window.check_opponent(opponents, opponent)}
    record = five.window.new_record(size, seconds, human, **settings)
    controller = five.window.Controller(five.window.Session(record, opponents))
    if why := inline.why_not_inline():
        raise inline.NoInline(why)
    extras.add_extras(controller, path)
    return inline.in_notebook(controller)
