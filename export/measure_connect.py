"""Make the tables of the Connect-4 study: python export/measure_connect.py [TABLE ...]

Whatever is found is kept in export/results/games/ as it is found, so a run that was stopped
goes on where it was. The tables go to export/results/. `--list` names the tables; without a
name all are made. The seed is 1.
"""

import measure
import measure_perfect
import measure_policies
import measure_report
import measure_slice
import measure_strength

TABLES = {
    **measure_perfect.TABLES,
    **measure_report.TABLES,
    **measure_policies.TABLES,
    **measure_slice.TABLES,
    **measure_strength.TABLES,
}
UNITS = dict.fromkeys(("connect-speed", "strength-speed"), "rounds")
UNITS |= dict.fromkeys(("connect-optimal", "policy-optimal"), "a ply")
UNITS |= {"bandits": "repetitions", "slice-fit": "positions"}

if __name__ == "__main__":
    raise SystemExit(measure.main(tables=TABLES, about=__doc__, units=UNITS))
