"""What agrees with Hadoop, feature by feature, as engine/README.md shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.gallery import between
from tests.hadoop.played import identical
from tests.hadoop.referee import Decisions
from tests.hadoop.scripts import FEATURES

README = Path(__file__).parents[2] / "engine" / "README.md"
MARKS = "<!-- decisions: written by make referee -->\n", "<!-- end of decisions -->\n"
COLUMNS = {
    "fifo": "`fifo`, memory",
    "fair": "`fair`",
    "drf": "`drf`",
    "capacity": "`capacity`, memory",
    "capacity-drc": "`capacity`",
}


def table(scripts: list[dict[str, Any]], golden: dict[str, Decisions]) -> str:
    """Identical decisions before the first that differs, of all, for each feature and scheduler."""
    names = list(dict.fromkeys(feature.name for feature in FEATURES))
    counts = {(name, column): [0, 0] for name in [*names, "all"] for column in COLUMNS}
    for script in scripts:
        real = golden[script["id"]]
        same = identical(script, real)
        for name in (script["id"].split("/")[1], "all"):
            counts[name, script["scheduler"]][0] += same
            counts[name, script["scheduler"]][1] += len(real.placements)
    lines = [f"| decisions | {' | '.join(COLUMNS.values())} |", f"|---|{'---:|' * len(COLUMNS)}"]
    lines += [f"| {name} | {' | '.join(_cell(*counts[name, column]) for column in COLUMNS)} |" for name in [*names, "all"]]
    decisions = sum(counts["all", column][1] for column in COLUMNS)
    same = sum(counts["all", column][0] for column in COLUMNS)
    return f"{same:,} of {decisions:,} decisions on {len(scripts):,} scripts are identical.\n\n" + "\n".join(lines) + "\n"


def write(text: str) -> None:
    """The table into the README, between its marks."""
    README.write_text(between(README.read_text("utf-8"), *MARKS, text), "utf-8")


def _cell(same: int, of: int) -> str:
    return f"{same:,} of {of:,}" if of else ""
