"""This checkout against another revision, measured by turns in one go: a busy machine slows both alike."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.engine import PARTS, on_one_core, speed
from tests.browser.server import ROOT

TURNS = 5


def ratios(base: str, keys: list[str], orders: list[str]) -> Iterator[dict]:
    """One row a part and order: containers a second now over those at `base`, the middle of the turns with
    the least and the most; above 1 is faster.
    """
    parts = [key for key in keys if key in PARTS]
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder, "base")
        checkout(base, other)
        turns = []
        for turn in range(1, TURNS + 1):
            print(f"Turn {turn} of {TURNS}…", file=sys.stderr, flush=True)
            turns.append((_measure(other, parts, orders), _measure(ROOT, parts, orders)))
    for place, row in enumerate(turns[0][1]):
        ratios = sorted(after[place]["per_second"] / before[place]["per_second"] for before, after in turns)
        title = f"{row['title']}, containers a second against {base}"
        yield {
            "part": row["part"],
            "title": title,
            "order": row["order"],
            "ratio": ratios[TURNS // 2],
            "spread": [ratios[0], ratios[-1]],
        }


def checkout(base: str, folder: Path) -> None:
    """The engine of `base` with today's benchmark."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", base], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    for name in ("bench", "browser"):
        shutil.copytree(ROOT / "tests" / name, folder / "tests" / name, dirs_exist_ok=True)


def _measure(checkout: Path, parts: list[str], orders: list[str]) -> list[dict]:
    """The rows of one process that runs in `checkout`."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, "-m", "tests.bench.compare", ",".join(parts), "/".join(orders), out.name]
        subprocess.run(command, cwd=checkout, check=True)
        return json.loads(Path(out.name).read_text())


def _turn(parts: str, orders: str, out: str) -> None:
    on_one_core()
    rows = [speed(part, order) for part in parts.split(",") for order in orders.split("/")]
    Path(out).write_text(json.dumps(rows))


if __name__ == "__main__":
    _turn(*sys.argv[1:])
