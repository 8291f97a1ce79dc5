"""The file of a class's answers."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest

from webapp.classroom.class_table import class_csv, csv_file_name
from webapp.classroom.classes import Class, Overview, State, Student

AT = datetime(2026, 11, 28, 17, 30, tzinfo=UTC)
OF = Class("0" * 16, "Winter 2026: =1", ("one", "two"), AT, AT)
STATE = State(3, 1, 3, "=A", {}, "B", AT, shown=True)
SEEN = Overview(OF, (Student(1, "=cmd()"), Student(2, "")), {1: {"two": STATE}})


def test_it_has_each_student_with_each_exercise() -> None:
    text = class_csv(SEEN, {"one": "First, of all", "two": "+Second"})
    assert text.startswith("\ufeffnumber,name,exercise,")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert [(row["number"], row["exercise"], row["answers"]) for row in rows] == [
        ("1", "one", "0"),
        ("1", "two", "3"),
        ("2", "one", "0"),
        ("2", "two", "0"),
    ]
    assert list(rows[1].values()) == [
        *("1", "'=cmd()", "two", "'+Second", "3", "1", "yes", "3", "'=A", "B", "2026-11-28T17:30:00Z")
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_name_is_no_formula(start: str) -> None:
    seen = SEEN._replace(students=(Student(1, f"{start}1+1"),))
    rows = list(csv.reader(io.StringIO(class_csv(seen, {}).removeprefix("\ufeff"), newline="")))
    assert rows[1][1] == f"'{start}1+1"


def test_its_name_is_of_plain_letters() -> None:
    assert csv_file_name(OF) == "winter-2026-1-answers.csv"
    assert csv_file_name(OF._replace(title="课")) == "class-answers.csv"
