"""How long `python -m engine papers` takes: every experiment of the papers, start of the process included."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

MAX_S = 90.0


def papers() -> Iterator[dict]:
    """One row: the command's time, its code compiled before."""
    call = [sys.executable, "-m", "engine", "papers"]
    subprocess.run([*call, "dynamic-priority/table-1"], check=True, capture_output=True)
    started = time.perf_counter()
    subprocess.run(call, check=True, capture_output=True)
    seconds = time.perf_counter() - started
    yield {
        "part": "papers",
        "title": "every experiment of the papers",
        "seconds": seconds,
        "target": f"under {MAX_S:.0f} s",
        "met": seconds < MAX_S,
    }
