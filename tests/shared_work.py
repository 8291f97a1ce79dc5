"""Work whose result all processes of a test session read: the first that asks does it, the others wait for it."""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any


def once(folder: Path, name: str, make: Callable[[], Any]) -> Any:
    """What make() gives, pickled in the folder under this name. An exception of make() is kept by nobody: the next that asks tries again."""
    kept = folder / name.replace("/", "--")
    with kept.with_name(f"{kept.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            scratch = kept.with_name(f"{kept.name}.part")
            scratch.write_bytes(pickle.dumps(make()))
            scratch.replace(kept)
    return pickle.loads(kept.read_bytes())
