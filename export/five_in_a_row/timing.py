"""How long a call takes, and what such a time depends on."""

import os
import platform
import time

import numba


def machine_words() -> str:
    """Return the processor, its cores, and the versions that a time depends on, in words."""
    version, cores = platform.python_version(), os.cpu_count()
    return f"{platform.machine()}, {cores} cores, Python {version}, numba {numba.__version__}"


def microseconds(ask, times: int) -> float:
    """Return the processor time of one call, in microseconds, after a first one."""
    ask()
    begun = time.process_time()
    for _ in range(times):
        ask()
    return 1e6 * (time.process_time() - begun) / times
