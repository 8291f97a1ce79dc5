"""A second process, for a second core: it compiles what the kernel calls from the end on, while the first begins at the beginning; they meet in the cache."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType


@contextlib.contextmanager
def second_compiler(function: FunctionType, arguments: tuple) -> Iterator[None]:
    """Within, a second process compiles what a function calls, which is to be compiled here for arguments of these types; where it can't, nothing is lost."""
    if (os.cpu_count() or 1) < 2:
        yield
        return
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-m", "engine.compile_callees"], stdin=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}, **quiet)
    with contextlib.suppress(BrokenPipeError), process.stdin as asked:
        pickle.dump((function.__module__, function.__name__, arguments), asked)
    try:
        yield
    finally:
        process.kill()
        process.wait()
