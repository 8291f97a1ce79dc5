"""What the cards of the papers' and schedulers' pages offer as files: charts as PNG and SVG, numbers as CSV,
in full and not as they are rounded to be read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from engine.dashboard import (
    Case,
    CaseMeasurement,
    Claim,
    Picture,
    Printed,
    Result,
    band_text,
    order_text,
    outcome,
    printed_text,
)
from webapp.messages import msg

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
    rows = [
        [
            series.name,
            "paper" if series.paper else "Gantry",
            x,
            y,
            *(ends[index] if ends else None for ends in (series.low, series.high)),
        ]
        for series in picture_.series
        for index, (x, y) in enumerate(zip(series.x, series.y))
    ]
    return table(name, ["Series", "Source", picture_.x, picture_.y, "95 % from", "95 % to"], rows)


def claims(name: str, result: Result) -> Entry:
    """A row for each of our numbers under each reading, beside what the paper claims of it."""
    rows = [
        [
            number,
            finding.claim.what,
            finding.claim.where,
            finding.claim.basis,
            *_paper(finding.claim),
            reading.title,
        ]
        + [key, estimate.mean, estimate.low, estimate.high, estimate.count, finding.error, outcome(finding)]
        for reading, judged in zip(result.experiment.readings, result.readings)
        for number, finding in enumerate(judged.findings, start=1)
        for key, estimate in finding.numbers.items()
    ]
    claim = ["Claim", "What", "Where", msg("shared.rests_on"), "Paper", "Band", "Reading"]
    return table(
        name,
        [
            *claim,
            "Name",
            "Gantry",
            "95 % from",
            "95 % to",
            "Seeds",
            msg("panels.downloads.error_fraction"),
            "Verdict",
        ],
        rows,
    )


def _paper(claim: Claim) -> tuple[str, str]:
    """What the paper says, and how far ours may be from it."""
    return (printed_text(claim), band_text(claim)) if isinstance(claim, Printed) else (order_text(claim), "")


def case(name: str, case_: Case, measured: CaseMeasurement) -> Entry:
    """A case's metric under both of its schedulers."""
    values = zip(case_.schedulers, (measured.mean, measured.against))
    head = [
        "Scheduler",
        f"{case_.metric.title} ({case_.metric.unit})",
        "Seeds",
        msg("panels.downloads.half_differences_interval"),
    ]
    return table(name, head, [[scheduler, value, case_.seeds, measured.half] for scheduler, value in values])
