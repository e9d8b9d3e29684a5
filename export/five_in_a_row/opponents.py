"""The opponents of a session.

Each opponent is loaded when it thinks first, so a board opens before.
"""


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
