"""A class's answers as CSV, a row a student and exercise; what students wrote is no formula in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from engine import csv_text
from webapp.classroom.classes import Class, Overview

COLUMNS = (
    "number",
    "name",
    "exercise",
    "title",
    "answers",
    "hints",
    "answer_shown",
    "solved_at_answer",
    "first_answer",
    "last_answer",
    "changed",
)
MARK = "\ufeff"  # so that a spreadsheet reads names of all letters


def class_csv(seen: Overview, titles: Mapping[str, str]) -> str:
    """All students with all exercises of the class, in their order. titles: of the exercises, by name."""
    rows = (COLUMNS, *_rows(seen, titles))
    return MARK + "".join(",".join(csv_text(cell) for cell in row) + "\r\n" for row in rows)


def _rows(seen: Overview, titles: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    for student in seen.students:
        for name in seen.of.exercises:
            head = str(student.number), student.name, name, titles.get(name, "")
            state = seen.states.get(student.number, {}).get(name)
            if state is None:
                yield (*head, "0", "0", "no", "", "", "", "")
                continue
            yield (
                *head,
                str(state.tries),
                str(state.hints),
                "yes" if state.shown else "no",
                str(state.solved_at_try or ""),
                state.first_label,
                state.last_label,
                f"{state.changed:%Y-%m-%dT%H:%M:%SZ}",
            )


def csv_file_name(of: Class) -> str:
    """What a browser saves it as: the class's title in plain letters."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", of.title).strip("-").lower()[:60]
    return f"{stem or 'class'}-answers.csv"
