"""A second process, for a second core: it compiles what the kernel calls from the end on, while the first
begins at the beginning; they meet in the cache.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from types import FunctionType

from engine.child_process import start_module


@contextlib.contextmanager
def second_compiler(function: FunctionType, arguments: tuple) -> Iterator[None]:
    """Within, a second process compiles what a function calls, which is to be compiled here for arguments of
    these types; where it can't, nothing is lost.
    """
    process = _start_process() if sys.executable and (os.cpu_count() or 1) > 1 else None
    if process is None:
        yield
        return
    assert process.stdin is not None  # it is a pipe
    # the pipe stays open: its end is the end of the second process, also where this one is killed
    with contextlib.suppress(BrokenPipeError):
        pickle.dump((function.__module__, function.__name__, arguments), process.stdin)
        process.stdin.flush()
    try:
        yield
    finally:
        process.kill()
        process.wait()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


def _start_process() -> subprocess.Popen[bytes] | None:
    try:
        return start_module(
            f"{__package__}.compile_callees",
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None
