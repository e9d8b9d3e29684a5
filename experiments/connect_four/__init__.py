"""The tables of Connect-4: a report played again, perfect play, policies, slices, ideas."""

from experiments.connect_four import book, perfect, policies, report, slice, strength

TABLES = {
    **book.TABLES,
    **perfect.TABLES,
    **report.TABLES,
    **policies.TABLES,
    **slice.TABLES,
    **strength.TABLES,
}
UNITS = dict.fromkeys(("connect-speed", "strength-speed"), "rounds")
UNITS |= dict.fromkeys(("connect-optimal", "connect-strong", "policy-optimal"), "a ply")
UNITS |= {"connect-book": "layers", "connect-judged": "a ply", "connect-cost": "positions"}
UNITS |= {"bandits": "repetitions", "slice-fit": "positions"}
