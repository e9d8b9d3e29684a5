"""The compiled kernels once more, with every array index checked.

numba leaves out bounds checks; an index out of range then reads or writes foreign memory
without a word. NUMBA_BOUNDSCHECK=1 turns them on, and the tests of the kernels run again.
"""

import os
import subprocess
import sys

import pytest

KERNEL_TESTS = {
    "five in a row": "search shapes think live_shapes fours threats solver wishes".split(),
    "tic-tac-toe": ["tic_tac_toe", "bayes"],
    "Ludo": ["ludo"],
    "Connect-4": "connect_four connect_solver connect_slice connect_strength policies".split(),
}


@pytest.mark.parametrize("names", KERNEL_TESTS.values(), ids=KERNEL_TESTS)
def test_no_kernel_reads_or_writes_outside_its_arrays(names, root, tmp_path):
    settings = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0"]
        + ["-p", "no:cacheprovider", "-k", "not 40_bytes"]
        + [str(root / "tests" / f"test_{name}.py") for name in names],
        cwd=root,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
