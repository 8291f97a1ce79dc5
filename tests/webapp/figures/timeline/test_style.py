"""The look of the drawings: nothing is drawn whose class has no rule, no rule names a pattern that is not
there.
"""

from __future__ import annotations

import re

import pytest

from engine import capacity_split
from engine.codes import KILLED, NONE, RUNNING
from engine.schedulers.view import MAP, MASTER, REDUCE
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import classes, read
from webapp import theme
from webapp.figures.timeline import colouring, standalone, style
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.run_chart import STRIPS, full_window
from webapp.figures.timeline.scene import Scene

EVERY = [
    {"kind": MASTER, "start": 0, "end": 90_000},
    {"kind": MAP, "start": 1_000, "end": 41_000},
    {"kind": MAP, "start": 1_000, "end": 41_000, "node": 1, "job": 1},
    {"kind": REDUCE, "start": 5_000, "shuffle_end": 41_100, "end": 80_500},
    {"kind": REDUCE, "start": 6_000, "end": 9_000, "outcome": KILLED},
    {"kind": REDUCE, "start": 60_000, "end": NONE, "outcome": RUNNING, "node": 1},
]
# what these hold looks as it does anywhere, or as a rule of one of them says
GROUPS = {
    "lit",
    "plain",
    "labels",
}
MARKS = r"\.([a-z][\w-]*)"


def rules() -> set[str]:
    """Every class that a rule names."""
    return set(re.findall(MARKS, " ".join(re.findall(r"([^{}]+)\{", style.css()))))


@pytest.mark.parametrize("by", colouring.COLOURINGS)
@pytest.mark.parametrize("highlight", [None, "job:j1"])
def test_every_class_of_a_drawing_has_a_rule(by: str, highlight: str | None) -> None:
    made = run(EVERY, nodes=2, jobs=2, status="deadlock", racks=["r", "s"])
    scene = Scene(made)
    strips = dict.fromkeys(STRIPS, 40)
    colours = colouring.colouring(made, by)
    of = standalone.with_full_height(rows([scene]))
    text = standalone.draw_run(
        scene,
        capacity_split(made),
        of,
        full_window([made]),
        title="t",
        about="a",
        strips=strips,
        highlight=highlight,
        colouring=colours,
    )
    used = classes(text)
    assert used - GROUPS <= rules()
    assert {"capacity-line", "use-line", "open-end", "name", "time", "parent"} <= used
    assert ({"p-map", "p-reduce"} if by in ("phase", "stage") else {"g-0", "tex-reduce"}) <= used


def test_every_pattern_that_a_rule_names_is_there_once() -> None:
    patterns = [one.get("id") for one in read(style.hatches()).iter("pattern")]
    used = set(re.findall(r"url\(#([\w-]+)\)", style.css()))
    assert used == set(patterns)
    assert len(patterns) == len(set(patterns)) > 5


def test_every_class_of_a_pattern_has_a_rule() -> None:
    assert classes(style.hatches()) - {""} <= rules()


def test_every_colour_that_a_rule_names_is_defined() -> None:
    assert set(re.findall(r"var\((--[\w-]+)\)", style.css())) <= set(re.findall(r"(--[\w-]+):", theme.css()))


def test_every_phase_and_every_group_has_its_colour() -> None:
    assert {f"p-{phase.key}" for phase in theme.LEGEND} <= rules()
    assert {f"g-{place}" for place in range(len(theme.GROUPS) + len(theme.OTHER_GROUPS))} <= rules()


def test_letters_on_a_bar_read_in_both_schemes() -> None:
    for phase in theme.PHASES:
        match = re.search(rf"\.on-{phase.key}\{{fill:light-dark\((#\w+),(#\w+)\)\}}", style.css())
        assert theme.contrast(match[1], phase.light) >= 4.5 and theme.contrast(match[2], phase.dark) >= 4.5, (
            phase.key
        )
    for place, pair in enumerate(theme.GROUPS):
        match = re.search(rf"\.on-g-{place}\{{fill:light-dark\((#\w+),(#\w+)\)\}}", style.css())
        assert theme.contrast(match[1], pair.light) >= 4.5 and theme.contrast(match[2], pair.dark) >= 4.5, (
            place
        )
