"""The Gantt chart as bars: exact in place, named, and safe against names that look like markup."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.codes import FAILED, KILLED, LOST, NONE, RUNNING
from engine.schedulers.view import MAP, MASTER, REDUCE
from engine.simulation.run import Run
from tests import handmade_runs
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import boxes, inside, read, words
from webapp import theme
from webapp.figures.timeline import gantt, svg
from webapp.figures.timeline.colouring import BY_PHASE, colouring
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import visible_slices
from webapp.figures.timeline.time_scale import TimeScale

JOB = [
    {"kind": MASTER, "start": 0, "end": 90_000},
    {"kind": MAP, "start": 1_000, "end": 41_000},
    {"kind": REDUCE, "index": 2, "requested": 2_000, "start": 5_000, "shuffle_end": 41_100, "end": 80_500},
]
KILL = [*JOB, {"kind": REDUCE, "start": 6_000, "end": 9_000, "outcome": KILLED, "attempt": 2}]
ROW_PX = 20
GAP = 1.6  # between rows of this height


def bars(
    made: Run,
    window: tuple[int, int] = (0, 100_000),
    width: int = 1000,
    highlight: str | None = None,
    by: str = "phase",
    high: int = ROW_PX,
):
    """The bars over a window, so many px wide, in rows of this height."""
    scene = Scene(made)
    of = rows([scene])
    of = of._replace(px=of.row_count * high)
    shown = visible_slices(scene, of, scene.within(window), highlight)
    return read(
        gantt.draw_bars(
            made,
            shown,
            of,
            TimeScale(window, window, width),
            colouring(made, by) if by != "phase" else BY_PHASE,
            highlight is not None,
        )
    )


def alike(drawn: list, expected: list) -> bool:
    """Whether each box has one of its own among those expected, to 0.1 px, and none of these is left."""
    left = [np.array(one) for one in expected]
    for box in drawn:
        place = next((at for at, one in enumerate(left) if np.abs(one - np.array(box)).max() <= 0.1), None)
        if place is None:
            return False
        del left[place]
    return not left


def test_bars_are_exact() -> None:
    # 100 s on 1,000 px: 10 px a second; an edge of 0.4 px is left free on each side, and 1.6 px between rows
    # of 20.
    result = bars(run(JOB))
    expected = {"master": (0, 900, 0), "map": (10, 400, 1), "waiting": (50, 360, 2), "reduce": (411, 394, 2)}
    for phase, (x, wide, row) in expected.items():
        assert alike(
            boxes(result, f"p-{phase}"),
            [(x + gantt.EDGE, row * ROW_PX + GAP / 2, wide - 2 * gantt.EDGE, ROW_PX - GAP)],
        )
    (fetch,) = boxes(result, "p-shuffle")  # 100 ms, 1 px
    assert (fetch.x, fetch.wide) == (pytest.approx(410 + gantt.EDGE), gantt.MIN_PX)


times = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 900), st.integers(1, 400)), min_size=1, max_size=25
)


@settings(deadline=None)
@given(times, st.integers(0, 800), st.integers(20, 1000), st.integers(100, 1200), st.integers(2, 40))
def test_every_slice_in_the_window_is_a_bar_in_its_place_and_there_is_no_other(
    found, first: int, length: int, width: int, high: int
) -> None:
    made = run(
        [{"kind": MAP, "start": start, "end": start + long, "node": node} for node, start, long in found],
        nodes=4,
    )
    window, scene = (first, first + length), Scene(made)
    lane = rows([scene]).rows_of(scene)
    seen = [
        number
        for number in range(len(lane))
        if made.containers.start[number] < window[1] and made.containers.end[number] > window[0]
    ]
    drawn = boxes(bars(made, window, width, high=high), "p-map")
    px = width / length
    edges = [
        [
            min(max((int(time[number]) - first) * px, 0), width)
            for time in (made.containers.start, made.containers.end)
        ]
        for number in seen
    ]
    edge = gantt.EDGE if seen and np.mean([right - left for left, right in edges]) >= gantt.EDGE_PX else 0
    gap = min(GAP / high, 0.2) * high
    expected = [
        (left + edge, lane[number] * high + gap / 2, max(right - left - 2 * edge, gantt.MIN_PX), high - gap)
        for number, (left, right) in zip(seen, edges)
    ]
    assert alike(drawn, expected)


def test_colour_means_phase_or_whose_it_is() -> None:
    two = [*JOB, {"kind": MAP, "start": 3_000, "end": 8_000, "job": 1}]
    made = run(two, jobs=2)
    assert [len(boxes(bars(made), f"p-{phase.key}")) for phase in theme.PHASES[:6]] == [1, 2, 1, 1, 1, 0]
    by_job = bars(made, by="job")
    assert [len(boxes(by_job, f"g-{place}")) for place in range(3)] == [5, 1, 0]
    # over the colour, what it does; a map's is plain
    assert [len(boxes(by_job, f"tex-{phase.key}")) for phase in theme.PHASES[:6]] == [
        1,
        0,
        1,
        1,
        1,
        0,
    ]


def test_what_was_killed_is_faint_under_its_hatch() -> None:
    for by, kind in (("phase", "p-waiting wasted"), ("job", "g-0 wasted")):
        result = bars(run(KILL), by=by)
        assert boxes(result, kind) == boxes(result, "p-killed") != []
        order = [path.get("class") for path in result.iter("path")]
        assert order.index(kind) < order.index("p-killed")
    assert not boxes(bars(run(JOB)), "p-killed")


def test_names_are_no_markup() -> None:
    result = bars(run(JOB, names=["<b>&x"]))
    assert set(words(result)) == {"<b>&x"}
    assert not list(result.iter("b"))


def test_the_job_is_written_where_it_fits_once_in_a_run_of_bars() -> None:
    maps = [{"kind": MAP, "start": start, "end": start + 9_000} for start in (0, 10_000, 20_000)]
    short = {"kind": MAP, "start": 30_000, "end": 30_100, "job": 1}
    after = {"kind": MAP, "start": 31_000, "end": 99_000, "job": 1}
    made = run([*maps, short, after], jobs=2)
    assert words(bars(made)) == ["j0", "j1"]
    assert words(bars(made, width=120)) == ["j1"]
    assert words(bars(made, high=8)) == []  # no room for letters


def test_a_long_name_is_shortened_to_its_bar_and_keeps_its_number() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 10_000}], names=["wordcount-of-all-books-12"])
    # 60 px for the bar, 8 px of them its sides: 7 letters of 6.6 px.
    assert words(bars(made, width=600)) == ["wor…-12"]


def test_two_jobs_are_never_shortened_to_the_same_name() -> None:
    made = run(
        [{"kind": MAP, "start": 0, "end": 10_000, "job": job, "node": job} for job in range(2)],
        nodes=2,
        names=["job105", "job205"],
    )
    assert words(bars(made, width=450)) == ["…b105", "…b205"]  # 45 px, for 5 letters


def test_a_bar_that_begins_left_of_the_window_keeps_its_name_in_what_is_seen_of_it() -> None:
    made, whole, window = run([{"kind": MAP, "start": 0, "end": 90_000}]), (0, 100_000), (40_000, 60_000)
    scene = Scene(made)
    of = rows([scene])._replace(px=ROW_PX)
    place = TimeScale.of(window, whole, 500)
    (name,) = read(gantt.draw_bars(made, visible_slices(scene, of), of, place)).iter("text")
    assert place.window_px == (250, 750)  # half a window is drawn on either side
    assert float(name.get("x")) == 254


@pytest.mark.parametrize(("high", "kind"), [(ROW_PX, "lit"), (6, "plain")])
def test_the_highlighted_job_stands_out(high: int, kind: str) -> None:
    made = run([*JOB, {"kind": MAP, "start": 3_000, "end": 8_000, "job": 1}], jobs=2)
    result = bars(made, highlight="job:j1", high=high)
    assert len(boxes(inside(result, kind), "p-map")) == len(boxes(inside(result, "dim"), "p-map")) == 1
    assert [path.get("class") for path in inside(result, kind).iter("path")] == ["p-map"]
    assert set(words(result)) <= {"j1"}
    assert inside(bars(made), "dim") is None


def test_what_never_ends_has_an_open_end() -> None:
    stuck = {"kind": REDUCE, "start": 5_000, "end": NONE, "outcome": RUNNING}
    (arrow,) = arrows(bars(run([stuck, {"kind": MAP, "start": 0, "end": 20_000}], status="deadlock")))
    assert arrow.get("d").startswith("M200.0 ")
    assert arrow.get("d").count("M") == 1
    assert not arrows(bars(run(JOB)))


def arrows(found: ElementTree.Element) -> list[ElementTree.Element]:
    return [path for path in found.iter("path") if path.get("class") == "open-end"]


def test_letters_stay_within_their_bar() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 30_000}], names=["a-name-of-a-job-with-many-letters"])
    for width in (120, 240, 480, 960):
        (bar,) = boxes(bars(made, width=width), "p-map")
        for text in bars(made, width=width).iter("text"):
            assert float(text.get("x")) + svg.LETTER_PX * len(text.text) <= bar.x + bar.wide


def test_failed_and_lost_have_hatches_of_their_own_and_a_second_attempt_has_dashes() -> None:
    late = [
        {"kind": MAP, "start": 0, "end": 9_000},
        {"kind": MAP, "start": 4_000, "end": 9_000, "attempt": 2, "outcome": KILLED},
    ]
    wasted = [
        {"kind": MAP, "start": 0, "end": 5_000, "index": index, "outcome": outcome}
        for index, outcome in ((1, FAILED), (2, LOST))
    ]
    result = bars(run([*late, *wasted]))
    assert [
        len(boxes(result, kind))
        for kind in ("p-killed", "p-failed", "p-lost", "p-map wasted", "p-map", "p-speculative")
    ] == [1, 1, 1, 3, 1, 1]
    assert boxes(result, "p-speculative") == boxes(result, "p-killed")


def test_a_container_that_launches_is_drawn_so() -> None:
    result = bars(run([{"kind": MAP, "start": 0, "begin": 3_000, "end": 9_000}]))
    assert [len(boxes(result, f"p-{key}")) for key in ("launching", "map")] == [1, 1]


def test_tasks_lie_in_the_slots_of_their_executor() -> None:
    # 100 px a second; an executor's bar of 18.4 px has two slots of 9.2, in which tasks leave 12 % free.
    executors = {"memory_mb": 640, "vcores": 2}
    job = {"name": "s", "framework": "spark", "am": {"memory_mb": 512, "vcores": 1}, "executors": executors}
    made = handmade_runs.run(
        handmade_runs.scenario([(4096, 4)], [job | {"stages": [{"tasks": 2, "duration_s": 2}]}]),
        [handmade_runs.container(0, "executor", 0, 0, 7_000, begin=1_000)],
        tasks=[(0, 0, 1, 0, 2_000, 4_000), (0, 1, 1, 1, 2_000, 5_000)],
    )
    slot, edge = (ROW_PX - GAP) / 2, gantt.EDGE
    inset = gantt.SLOT_EDGE * slot
    tasks = [
        (200 + edge, GAP / 2 + inset, 200 - 2 * edge, slot - 2 * inset),
        (200 + edge, GAP / 2 + slot + inset, 300 - 2 * edge, slot - 2 * inset),
    ]
    for by, kind in (("phase", "p-task"), ("job", "g-0"), ("stage", "g-0")):
        result = bars(made, (0, 10_000), by=by)
        assert alike([box for box in boxes(result, kind) if box.high < slot], tasks)
        grounds = [(200, GAP / 2, 200, slot), (200, GAP / 2 + slot, 300, slot)]
        assert alike(boxes(result, "p-executor_idle-ground"), grounds)
        idle = boxes(result, "tex-executor_idle" if by == "job" else "p-executor_idle")
        assert [(box.x, box.high) for box in idle] == [
            (100 + edge, pytest.approx(ROW_PX - GAP)),
            (500 + edge, pytest.approx(ROW_PX - GAP)),
        ]
    free = [(400 + edge, GAP / 2, 100 - 2 * edge, slot)]
    assert alike(boxes(bars(made, (0, 10_000)), "p-slots_free"), free)
