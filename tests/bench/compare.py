"""This checkout against another revision, measured by turns in one go: a busy machine slows both alike."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.engine import PARTS
from tests.browser.server import ROOT

ROUNDS = 3


def ratios(base: str, keys: list[str], orders: list[str]) -> Iterator[dict]:
    """One row a part and order: seconds now over seconds at `base`, the best of each; below 1 is faster."""
    parts = [key for key in keys if key in PARTS]
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder, "base")
        _checkout(base, other)
        rounds = [(_measure(other, parts, orders), _measure(ROOT, parts, orders)) for _ in range(ROUNDS)]
    for place, row in enumerate(rounds[0][1]):
        before, after = (min(one[side][place]["seconds"] for one in rounds) for side in (0, 1))
        title = f"{row['title']}, against {base}"
        yield {"part": row["part"], "title": title, "order": row["order"], "before": before, "seconds": after, "ratio": after / before}


def _checkout(base: str, folder: Path) -> None:
    """The engine of `base` with today's benchmark."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", base], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    for name in ("bench", "browser"):
        shutil.copytree(ROOT / "tests" / name, folder / "tests" / name, dirs_exist_ok=True)


def _measure(checkout: Path, parts: list[str], orders: list[str]) -> list[dict]:
    """The rows of one process that runs in `checkout`."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, "-m", "tests.bench", "--only", ",".join(parts), "--orders", ",".join(orders), "--json", out.name]
        subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.DEVNULL)
        return json.loads(Path(out.name).read_text())["rows"]
