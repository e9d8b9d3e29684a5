"""Compiled code is kept on disk: found again by a new session, and never after an edit."""

import os
import subprocess
import sys

REPORT = """
import five_in_a_row as five
search = five.search.compiled_search(five.engine.engine_game())
print(five.engine.think(five.core.Game.from_text("d4"), simulations=50, seed=3).visits.max())
print(sum(search.stats.cache_hits.values()), sum(search.stats.cache_misses.values()))
"""


def session(folder, *, home=None):
    """Return (most visits, cache hits, cache misses) of a search in a new Python session."""
    settings = {"PYTHONPATH": str(folder)} | ({"HOME": str(home)} if home else {})
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", REPORT],
        env={key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
        | settings,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and run.stderr == "", run.stderr
    return tuple(int(word) for word in run.stdout.split())


def test_a_new_session_finds_the_compiled_search(root, tmp_path):
    module = tmp_path / "five_in_a_row.py"
    module.write_text((root / "export" / "five_in_a_row.py").read_text("utf-8"))
    visits, hits, misses = session(tmp_path)
    assert (hits, misses) == (0, 1)
    assert session(tmp_path) == (visits, 1, 0)
    kept = len(list((tmp_path / "__pycache__").glob("*.nbc")))
    session(tmp_path)
    assert len(list((tmp_path / "__pycache__").glob("*.nbc"))) == kept  # it does not pile up


def test_an_edited_module_is_compiled_anew(root, tmp_path):
    module = tmp_path / "five_in_a_row.py"
    text = (root / "export" / "five_in_a_row.py").read_text("utf-8")
    module.write_text(text)
    visits, _, _ = session(tmp_path)
    assert "+ curiosity * prior" in text  # in puct, which is a part of the engine's search
    module.write_text(text.replace("+ curiosity * prior", "- curiosity * prior"))
    changed, hits, misses = session(tmp_path)
    assert (hits, misses) == (0, 1) and changed != visits


def test_a_folder_that_cannot_be_written_is_no_error(root, tmp_path):
    """Neither beside the module nor at home: numba refuses to cache, the module goes on."""
    module = tmp_path / "five_in_a_row.py"
    module.write_text((root / "export" / "five_in_a_row.py").read_text("utf-8"))
    (tmp_path / "__pycache__").write_text("a file where the folder would be")
    nowhere = tmp_path / "nowhere"
    nowhere.write_text("a file where a home would be")
    assert session(tmp_path, home=nowhere)[0] > 0


ONE_GAME = """
import itertools, sys
import numba.core.bytecode as bytecode
import five_in_a_row as five
bytecode.FunctionIdentity._unique_ids = itertools.repeat(7)  # the worst case
for length in map(int, sys.argv[1:]):
    game = five.core.Game(five.core.Rules(6, length))
    kernels, options = five.search.plain_game(length), five.search.SearchOptions()
    tree = five.search.Tree(game, kernels, options, 9000)
    tree.run(300)
    print(length, tree.root.W, [child.N for child in tree.root.children][:9])
"""


def test_games_that_different_sessions_compiled_do_not_mix(root, tmp_path):
    """numba numbers what a session compiles, so two sessions may give the same number."""
    text = (root / "export" / "five_in_a_row.py").read_text("utf-8")
    (tmp_path / "five_in_a_row.py").write_text(text)

    def games(*names):
        run = subprocess.run(
            [sys.executable, "-c", ONE_GAME, *names],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.splitlines()

    (three,), (four,) = games("3"), games("4")
    assert games("3", "4") == [three, four] and games("4", "3") == [four, three]
