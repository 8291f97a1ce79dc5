"""What the parts of the suite took when all of it was last run, from its own record."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.browser.server import ROOT
from tests.suite import PARTS

MAX_S, MAX_PROCESSOR_S = 600, 960


def suite() -> Iterator[dict]:
    """A row a part, and one of all; one that says so where there is no record."""
    record_file = ROOT / ".pytest_cache" / "v" / PARTS
    if not record_file.exists():
        yield {
            "part": "suite",
            "title": "the suite's last run",
            "shown": "none is recorded here: `make test` records it",
        }
        return
    record = json.loads(record_file.read_text("utf-8"))
    for name, (tests, clock, processor) in sorted(record["parts"].items(), key=lambda part: -part[1][2]):
        yield _row(f"suite: {name}", tests, clock, processor)
    tests, clock, processor = record["total"]
    row = _row(
        "suite: in all, long tests too" if record["everything"] else "suite: in all", tests, clock, processor
    )
    met = clock <= MAX_S and processor <= MAX_PROCESSOR_S
    yield (
        row
        if record["everything"]
        else {**row, "target": f"within {MAX_S} s, {MAX_PROCESSOR_S} s of the processors", "met": met}
    )


def _row(title: str, tests: int, clock: float, processor: float) -> dict:
    count = f"{tests:,} tests, " if tests else ""
    return {
        "part": "suite",
        "title": title,
        "shown": f"{count}{processor:,.0f} s of the processors in",
        "seconds": clock,
    }
