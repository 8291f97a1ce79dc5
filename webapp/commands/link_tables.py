"""Links as text for a terminal, as JSON and as CSV, written as they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain, islice

from engine import csv_text
from webapp.store.database import without_unstorable
from webapp.url.link_backup import link_to_json
from webapp.url.links import LinkHead, StoredLink

COLUMNS = ("id", "made", "opened", "version", "title")
WIDTHS = (16, 20, 20, 8)  # of all but the last column


def print_links(heads: Iterable[LinkHead], form: str) -> None:
    """A list of links on standard output; form: text, json or csv."""
    if form == "text":
        print_table(heads)
        return
    rows = map(_row_values, _after_first_row(heads))
    if form == "csv":
        print(",".join(COLUMNS))
        for row in rows:
            print(",".join(csv_text(without_unstorable(value)) for value in row.values()))
    else:
        mark = "["
        for row in rows:
            print(f"{mark}{json.dumps(row)}", end="")
            mark = ",\n"
        print("]" if mark != "[" else "[]")


def print_table(heads: Iterable[LinkHead]) -> int:
    """A table on standard output; how many links. Letters that a terminal would obey are left out."""
    rows, count = _after_first_row(heads), 0
    print(_format_row(COLUMNS))
    for head in rows:
        print(_format_row(tuple(_row_values(head).values())))
        count += 1
    return count


def print_link(stored: StoredLink, as_json: bool) -> None:
    """What a link keeps; whole: as JSON, with its scenario."""
    if as_json:
        print(json.dumps(link_to_json(stored), indent=1))
        return
    link = stored.link
    jobs = link.scenario.get("jobs")
    values = _row_values(LinkHead(link.id, link.title, link.version, link.created, stored.opened))
    values |= {
        "sentence": link.sentence,
        "read-only": "yes" if link.read_only else "no",
        "schedulers": ", ".join(link.schedulers),
        "jobs": str(len(jobs)) if isinstance(jobs, list) else "",
        "address": f"?r={link.id}",
    }
    for name, value in values.items():
        print(f"{name:<12}{printable(value)}")


def _after_first_row(heads: Iterable[LinkHead]) -> Iterator[LinkHead]:
    """The same, once the first is there: nothing is written where the database is away."""
    remaining = iter(heads)
    return chain(list(islice(remaining, 1)), remaining)


def _row_values(head: LinkHead) -> dict[str, str]:
    return {
        "id": head.id,
        "made": _format_time(head.created),
        "opened": _format_time(head.opened),
        "version": head.version,
        "title": head.title,
    }


def _format_row(values: tuple[str, ...]) -> str:
    columns = (f"{printable(value):<{width}}" for value, width in zip(values, WIDTHS))
    return "  ".join([*columns, printable(values[-1])])


def printable(text: str) -> str:
    """A text without the letters that a terminal would obey."""
    return "".join(letter for letter in text if letter.isprintable())


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
