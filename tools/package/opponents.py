"""The opponents of a session: each is loaded when it thinks first, so a board opens before."""


def engine(game, *budget, **how):
    """Return what the engine finds; see five_in_a_row.engine.think."""
    from five_in_a_row.engine import think

    return think(game, *budget, **how)


def classic(game, *budget, **how):
    """Return what the course notebook's algorithm finds, compiled; arguments as for engine."""
    from five_in_a_row.search import think_classic

    return think_classic(game, *budget, **how)


OPPONENTS = {"engine": engine, "classic": classic}
