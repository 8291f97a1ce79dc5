"""What the cards of the papers' and schedulers' pages offer as files: charts as PNG and SVG, numbers as CSV, in full and not as they are rounded to be read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from engine import Case, Claim, Measured, Picture, Printed, Result, band_text, outcome, printed_text, stated

Entry = tuple[str, dict[str, str]]


def chart(name: str) -> list[Entry]:
    """Both kinds of picture of a card's chart; name: of the files, after "gantry-"."""
    return [(f"Chart as {kind.upper()}", {"data-picture": kind, "data-name": name}) for kind in ("png", "svg")]


def table(name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Entry:
    """Rows as a CSV file that the page holds itself; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    return "Numbers as CSV", {"href": f"data:text/csv;charset=utf-8,{quote(text.getvalue())}", "download": f"gantry-{name}.csv"}


def picture(name: str, of: Picture) -> Entry:
    """Every point of a paper's picture with its interval."""
    rows = [
        [one.name, "paper" if one.paper else "Gantry", x, y, *(ends[at] if ends else None for ends in (one.low, one.high))]
        for one in of.series
        for at, (x, y) in enumerate(zip(one.x, one.y))
    ]
    return table(name, ["Series", "Source", of.x, of.y, "95 % from", "95 % to"], rows)


def claims(name: str, of: Result) -> Entry:
    """A row for each of our numbers under each reading, beside what the paper claims of it."""
    rows = [
        [number, one.claim.what, one.claim.where, one.claim.basis, *_paper(one.claim), reading.title]
        + [key, ours.mean, ours.low, ours.high, ours.count, one.error, outcome(one)]
        for reading, judged in zip(of.experiment.readings, of.readings)
        for number, one in enumerate(judged.findings, start=1)
        for key, ours in one.numbers.items()
    ]
    claim = ["Claim", "What", "Where", "Rests on", "Paper", "Band", "Reading"]
    return table(name, [*claim, "Name", "Gantry", "95 % from", "95 % to", "Seeds", "Error (share of 1)", "Verdict"], rows)


def _paper(claim: Claim) -> tuple[str, str]:
    """What the paper says, and how far ours may be from it."""
    return (printed_text(claim), band_text(claim)) if isinstance(claim, Printed) else (stated(claim), "")


def case(name: str, of: Case, found: Measured) -> Entry:
    """A case's metric under both of its schedulers."""
    values = zip(of.schedulers, (found.mean, found.against))
    head = ["Scheduler", f"{of.metric.title} ({of.metric.unit})", "Seeds", "Half of the difference's 95 % interval"]
    return table(name, head, [[scheduler, value, of.seeds, found.half] for scheduler, value in values])
