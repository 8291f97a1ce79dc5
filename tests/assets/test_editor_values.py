"""What is typed or pasted into the editor's fields, as values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scripts import Scripts


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts("editor_values.js")


WRITTEN = {
    ("1,024", "MB"): 1024,
    ("1 048 576", "MB"): 1048576,
    ("1.048.576", "MB"): 1048576,
    ("1.024,5", "s"): 1024.5,
    ("0,5", "s"): 0.5,
    ("8 GB", "MB"): 8192,
    ("2 min", "s"): 120,
    ("20 s", "s"): 20,
    ("250ms", "s"): 0.25,
    ("80 %", ""): 0.8,
    ("40%", "%"): 40,
    ("1e3", "s"): 1000,
    ("4h", "s"): 14400,
    ("90 s", "s"): 90,
    ("1h 30m", "s"): 5400,
    ("1 h 30 min 5 s", "s"): 5405,
    ("250 ms", "ms"): 250,
    ("2 s", "ms"): 2000,
    ("1 GB/s", "MB/s"): 1024,
    ("1h 30", "s"): "1h 30",
    ("1h 2 apples", "s"): "1h 2 apples",
    ("12 apples", "MB"): "12 apples",
    ("1,2,3", "s"): "1,2,3",
    ("99999999999999999999", ""): "99999999999999999999",
    ("", "s"): None,
}


def test_numbers_are_read_as_people_write_them(scripts: Scripts) -> None:
    read = "(list) => list.map(([text, unit]) => gantry.editor.parse(text, { kind: 'number', unit }) ?? null)"
    assert scripts.evaluate(read, [list(key) for key in WRITTEN]) == list(WRITTEN.values())


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("normal(30, 4)", {"dist": "normal", "mean": 30, "sd": 4}, "normal(30, 4)"),
        ("LogNormal( 30 ; 4 )", {"dist": "lognormal", "mean": 30, "sd": 4}, "lognormal(30, 4)"),
        ("uniform(10,30)", {"dist": "uniform", "low": 10, "high": 30}, "uniform(10, 30)"),
        ("exponential(2 min)", {"dist": "exponential", "mean": 120}, "exponential(120)"),
        ("values(1, 2, 3, 4.5)", {"values": [1, 2, 3, 4.5]}, "values(1, 2, 3, 4.5)"),
        ("0,5", 0.5, 0.5),
        ("normal(20", "normal(20", "normal(20"),
    ],
)
def test_durations_are_numbers_or_distributions(scripts: Scripts, text: str, value: Any, shown: Any) -> None:
    assert scripts.evaluate("(text) => gantry.editor.parse(text, { kind: 'duration' })", text) == value
    assert scripts.evaluate("(value) => gantry.editor.show(value, {})", value) == shown


def test_what_is_empty_or_the_default_is_left_out_and_no_limit_is_none(scripts: Scripts) -> None:
    field = {"kind": "whole", "unit": "", "default": 1, "empty": "one", "none": "no limit"}
    read = (
        "(texts, field) => texts.map((text) => gantry.editor.parse(text, field)).map((value) => (value "
        "=== undefined ? 'left out' : value))"
    )
    assert scripts.evaluate(read, ["", "1", "One", "No limit", "2"], field) == [
        "left out",
        "left out",
        "left out",
        None,
        2,
    ]


def test_cells_are_read_as_a_spreadsheet_copies_them(scripts: Scripts) -> None:
    cells = scripts.evaluate("(text) => gantry.editor.cells(text)", 'a\t\t1,5\r\n"b\tc"\t"d ""e""\nf"\n\n')
    assert cells == [["a", "", "1,5"], ["b\tc", 'd "e"\nf']]


def test_a_long_list_of_values_is_shown_in_brief(scripts: Scripts) -> None:
    assert scripts.evaluate("(shown) => gantry.editor.brief(shown)", "values(1, 2)") == "values(1, 2)"
    long = f"values({', '.join(map(str, range(1200)))})"
    assert (
        scripts.evaluate("(shown) => gantry.editor.brief(shown)", long)
        == "1,200 values: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"
    )
