"""Every kind of player still plays the moves that its fingerprint was made from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "experiments"))

import behaviour  # noqa: E402
import pytest  # noqa: E402


@pytest.mark.parametrize("kind", behaviour.PLAYERS)
def test_a_player_plays_as_its_fingerprint_says(kind, full):
    rows = [row for row in behaviour.stored() if row["kind"] == kind]
    for row in rows if full else rows[::4]:
        assert behaviour.again(row) == row


def test_a_search_that_visits_one_node_more_has_another_fingerprint():
    rows = behaviour.stored()
    other = [row | {"made": row["made"] + 1} if row is rows[0] else row for row in rows]
    changed = behaviour.fingerprints(other).items() - behaviour.fingerprints(rows).items()
    assert [kind for kind, _ in changed] == [rows[0]["kind"]]
