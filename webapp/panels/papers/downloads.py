"""What the cards of the papers' and schedulers' pages offer as files: charts as PNG and SVG, numbers as CSV,
in full and not as they are rounded to be read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from engine.dashboard import FAILS, Case, CaseMeasurement, Experiment, Finding, Picture
from webapp.messages import msg

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


def claims(name: str, experiment: Experiment, findings: Iterable[Finding]) -> Entry:
    """A row for each thing that a claim says: both numbers, the band, and what became of it."""
    heads = [
        *("Claim", "What", "Where", msg("shared.rests_on"), msg("panels.downloads.says"), "State"),
        *("Paper", "Band", "Gantry", "Unit", msg("shared.why_not_testable"), "Cause"),
    ]
    rows = [
        [
            *(number, finding.claim.what, finding.claim.where, finding.claim.basis, says, lamp.state),
            *(lamp.paper, lamp.band, lamp.ours, lamp.unit, lamp.because),
            experiment.reasons[finding.claim.reason].cause
            if finding.claim.reason and lamp.state == FAILS
            else "",
        ]
        for number, finding in enumerate(findings, start=1)
        for says, lamp in finding.lamps.items()
    ]
    return table(name, heads, rows)


def case(name: str, case_: Case, measured: CaseMeasurement) -> Entry:
    """A case's metric under both of its schedulers."""
    metric = f"{case_.metric.title} ({case_.metric.unit})"
    head = ["Scheduler", metric, "Seeds", msg("panels.downloads.half_differences_interval")]
    values = zip(case_.schedulers, (measured.mean, measured.against))
    return table(name, head, [[scheduler, value, case_.seeds, measured.half] for scheduler, value in values])
