"""Every array index of a compiled kernel is checked.

numba leaves out bounds checks; an index out of range then reads or writes foreign memory
without a word. NUMBA_BOUNDSCHECK=1 turns them on: conftest.py sets it for all tests, but for
those of a run with --full. There the tests of the kernels run once more, with the checks.
"""

import subprocess
import sys

import numpy as np
import pytest
from five_in_a_row.cache import inline_kernel
from helpers import only_full

KERNEL_TESTS = {
    "five in a row": "plain search shapes think live_shapes fours threats solver wishes",
    "tic-tac-toe": "tic_tac_toe bayes",
    "Ludo": "ludo",
    "Connect-4": "connect_four connect_solver connect_slice connect_strength policies",
}
STILL = "from experiments import behaviour; behaviour.check({})"


def test_an_index_out_of_range_is_an_error(full):
    @inline_kernel
    def third(numbers):
        return numbers[2]

    assert third(np.arange(3)) == 2
    if not full:
        with pytest.raises(IndexError):
            third(np.arange(2))


def test_without_the_checks_the_players_play_the_same(root, unchecked, full):
    """As it is compiled for players; what the checks would find, other tests find."""
    kinds = ("engine", "plain", "classic") if full else ("Connect-4 solver",)  # compiles fast
    still = STILL.format(", ".join(map(repr, kinds)))
    run = subprocess.run(
        [sys.executable, "-c", still], cwd=root, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("names", KERNEL_TESTS.values(), ids=KERNEL_TESTS)
def test_no_kernel_reads_or_writes_outside_its_arrays(names, root, full):
    only_full(full)  # else all tests do
    found = [[*root.glob(f"tests/*/test_{name}.py")] for name in names.split()]
    files = [str(file) for (file,) in found]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
    run = subprocess.run(
        command + files, cwd=root, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
