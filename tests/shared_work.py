"""Work whose result all processes of a test session read: the first that asks does it, the others wait for
it.
"""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any


def once(folder: Path, name: str, make: Callable[[], Any]) -> Any:
    """What make() gives, pickled in the folder under this name. An exception of make() is kept by nobody: the
    next that asks tries again.
    """
    result_file = folder / name.replace("/", "--")
    with result_file.with_name(f"{result_file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result_file.exists():
            scratch = result_file.with_name(f"{result_file.name}.part")
            scratch.write_bytes(pickle.dumps(make()))
            scratch.replace(result_file)
    return pickle.loads(result_file.read_bytes())
