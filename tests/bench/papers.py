"""How long `python -m engine papers` takes: every experiment of the papers, start of the process included."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

MOST_S = 90.0


def papers() -> Iterator[dict]:
    """One row: the command's time, its code compiled before."""
    call = [sys.executable, "-m", "engine", "papers"]
    subprocess.run([*call, "dynamic-priority/table-1"], check=True, capture_output=True)
    began = time.perf_counter()
    subprocess.run(call, check=True, capture_output=True)
    took = time.perf_counter() - began
    yield {"part": "papers", "title": "every experiment of the papers", "seconds": took, "target": f"under {MOST_S:.0f} s", "met": took < MOST_S}
