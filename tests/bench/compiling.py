"""How long the simulator compiles: first, with nothing changed, and after an edit of one function of its
kernel; of a copy of the sources.
"""

from __future__ import annotations

import ast
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.browser.server import ROOT

FIFO = "import engine; engine.simulate(engine.presets()[0].scenario, 'fifo', plain=False)"
ALL = "import engine; engine.warm()"
EDITED = ("engine/simulation/kernel/heartbeats.py", "process_heartbeat")
MAX_EDITED_S, MAX_UNCHANGED_S = 15.0, 1.0


def compiling() -> Iterator[dict]:
    """Seconds by the clock, beside those of the processors."""
    with tempfile.TemporaryDirectory() as folder:
        folder_ = Path(folder, "copy")
        shutil.copytree(ROOT / "engine", folder_ / "engine", ignore=shutil.ignore_patterns("__pycache__"))
        yield _row("a first run under fifo, nothing kept", FIFO, folder_)
        yield _row("the same again, nothing changed", FIFO, folder_, MAX_UNCHANGED_S)
        yield _row("all the rest", ALL, folder_)
        edit(folder_ / EDITED[0], EDITED[1])
        yield _row(
            f"a run under fifo, {EDITED[1]} of {Path(EDITED[0]).name} edited", FIFO, folder_, MAX_EDITED_S
        )


def edit(path: Path, name: str) -> None:
    """A further statement at the beginning of a function."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    [function] = [
        node
        for node in ast.parse("".join(lines)).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    first = function.body[1 if ast.get_docstring(function) else 0]
    lines.insert(first.lineno - 1, f"{' ' * first.col_offset}edited = 0\n")
    path.write_text("".join(lines), "utf-8")


def _row(title: str, program: str, folder: Path, max_s: float | None = None) -> dict:
    started, before = time.perf_counter(), _spent()
    subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        check=True,
        env={**os.environ, "GANTRY_CACHE_DIR": str(folder.with_name("cache"))},
    )
    seconds = time.perf_counter() - started
    row = {
        "part": "compile",
        "title": title,
        "shown": f"{_spent() - before:.1f} s of the processors in",
        "seconds": seconds,
    }
    return row if max_s is None else {**row, "target": f"under {max_s:g} s", "met": seconds < max_s}


def _spent() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime
