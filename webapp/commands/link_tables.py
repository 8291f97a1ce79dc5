"""Links as text for a terminal, as JSON and as CSV, written as they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any

from engine import csv_text
from webapp.store.link_backup import plain
from webapp.store.links import Head, Kept, storable

COLUMNS = ("id", "made", "opened", "version", "title")
WIDTHS = (16, 20, 20, 8)  # of all but the last column


def written(heads: Iterable[Head], form: str) -> None:
    """A list of links on standard output; form: text, json or csv."""
    if form == "text":
        lines(heads)
        return
    known = _known(heads)
    if form == "csv":
        print(",".join(COLUMNS))
        for head in known:
            print(",".join(csv_text(storable(value)) for value in _values(head).values()))
    else:
        mark = "["
        for head in known:
            print(f"{mark}{json.dumps(_values(head))}", end="")
            mark = ",\n"
        print("]" if mark != "[" else "[]")


def lines(heads: Iterable[Head]) -> int:
    """A table on standard output; how many links. Letters that a terminal would obey are left out."""
    known, count = _known(heads), 0
    print(_aligned(COLUMNS))
    for head in known:
        print(_aligned(tuple(_values(head).values())))
        count += 1
    return count


def shown(found: Kept, whole: bool) -> None:
    """What a link keeps; whole: as JSON, with its scenario."""
    if whole:
        print(json.dumps(plain(found), indent=1))
        return
    link = found.link
    jobs = link.scenario.get("jobs")
    values = _values(Head(link.id, link.title, link.version, link.created, found.opened))
    values |= {"schedulers": ", ".join(link.schedulers), "jobs": str(len(jobs)) if isinstance(jobs, list) else "", "address": f"?r={link.id}"}
    for name, value in values.items():
        print(f"{name:<12}{_visible(value)}")


def _known(heads: Iterable[Head]) -> Iterator[Head]:
    """The same, once the first is there: nothing is written where the database is away."""
    left = iter(heads)
    return chain(list(islice(left, 1)), left)


def _values(head: Head) -> dict[str, str]:
    found: dict[str, Any] = head._asdict()
    return {"id": found["id"], "made": _time(head.created), "opened": _time(head.opened), "version": head.version, "title": head.title}


def _aligned(values: tuple[str, ...]) -> str:
    return "  ".join([*(f"{_visible(value):<{width}}" for value, width in zip(values, WIDTHS)), _visible(values[-1])])


def _visible(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
