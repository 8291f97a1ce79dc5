"""What the cards of the papers' and schedulers' pages offer as files: charts as PNG and SVG, numbers as CSV,
in full and not as they are rounded to be read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from engine.dashboard import Case, CaseMeasurement, Picture, Result, outcome
from webapp.messages import msg
from webapp.panels.papers.claims import paper_texts

INTERVAL = ("95 % from", "95 % to")

Entry = tuple[str, dict[str, str]]


def chart(name: str) -> list[Entry]:
    """Both kinds of picture of a card's chart; name: of the files, after "gantry-"."""
    return [
        (msg("panels.downloads.chart_as", upper=kind.upper()), {"data-picture": kind, "data-name": name})
        for kind in ("png", "svg")
    ]


def table(name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Entry:
    """Rows as a CSV file that the page holds itself; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    return msg("panels.downloads.numbers_as_csv"), {
        "href": f"data:text/csv;charset=utf-8,{quote(text.getvalue())}",
        "download": f"gantry-{name}.csv",
    }


def picture(name: str, picture_: Picture) -> Entry:
    """Every point of a paper's picture with its interval."""
    rows = []
    for series in picture_.series:
        source = "paper" if series.paper else "Gantry"
        for index, (x, y) in enumerate(zip(series.x, series.y)):
            interval = [ends[index] if ends else None for ends in (series.low, series.high)]
            rows.append([series.name, source, x, y, *interval])
    return table(name, ["Series", "Source", picture_.x, picture_.y, *INTERVAL], rows)


def claims(name: str, result: Result) -> Entry:
    """A row for each of our numbers under each reading, beside what the paper claims of it."""
    rows = []
    for reading, judged in zip(result.experiment.readings, result.readings):
        for number, finding in enumerate(judged.findings, start=1):
            claim = finding.claim
            what = [number, claim.what, claim.where, claim.basis, *paper_texts(claim), reading.title]
            for key, estimate in finding.numbers.items():
                rows.append([*what, key, *estimate, finding.error, outcome(finding)])
    what_heads = ["Claim", "What", "Where", msg("shared.rests_on"), "Paper", "Band", "Reading"]
    number_heads = ["Name", "Gantry", *INTERVAL, "Seeds", msg("panels.downloads.error_fraction"), "Verdict"]
    return table(name, what_heads + number_heads, rows)


def case(name: str, case_: Case, measured: CaseMeasurement) -> Entry:
    """A case's metric under both of its schedulers."""
    metric = f"{case_.metric.title} ({case_.metric.unit})"
    head = ["Scheduler", metric, "Seeds", msg("panels.downloads.half_differences_interval")]
    values = zip(case_.schedulers, (measured.mean, measured.against))
    return table(name, head, [[scheduler, value, case_.seeds, measured.half] for scheduler, value in values])
