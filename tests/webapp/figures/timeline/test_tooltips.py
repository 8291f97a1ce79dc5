"""What a container did, in words with units."""

from __future__ import annotations

from engine.codes import FAILED, KILLED, LOST, NONE, RUNNING
from engine.schedulers.view import MAP, MASTER, REDUCE
from tests.phrases import phrase
from tests.webapp.handmade_runs import run
from webapp.figures.timeline.tooltips import container_lines

JOB = [
    {"kind": MASTER, "start": 0, "end": 90_000},
    {"kind": MAP, "start": 1_000, "end": 41_000},
    {"kind": REDUCE, "index": 2, "requested": 2_000, "start": 5_000, "shuffle_end": 41_100, "end": 80_500},
]


def lines(containers: list[dict], number: int, **more) -> list[str]:
    return container_lines(run(containers, **more), number)


def test_a_container_tells_what_it_is_with_units() -> None:
    # 1 map x 0.3 MB / 3 reduces at 1 MB/s: 0.1 s of the 36.1 s go into fetching.
    assert lines(JOB, 2) == [
        "j0 reduce 2",
        "n: 1 GB, 1 vcore",
        phrase("timeline.asked_for_at_waited_s", "0:02", 3),
        "shuffle 36.1 s, 0:05 to 0:41.1",
        phrase("timeline.ms_fetching_s_waiting_for", 100, 36),
        "reduce 39.4 s, 0:41.1 to 1:20.5",
    ]
    assert lines(JOB, 0)[0] == "j0 master"
    assert lines(JOB, 1, racks=["r"])[1] == "n in r: 1 GB, 1 vcore"


def test_what_was_killed_and_what_never_ends_say_so() -> None:
    killed = lines([*JOB, {"kind": REDUCE, "start": 6_000, "end": 9_000, "outcome": KILLED, "attempt": 2}], 3)
    assert "attempt 2" in killed[0]
    assert killed[-1] == phrase("timeline.killed_after_s_work_wasted", 3)
    stuck = [
        {"kind": REDUCE, "start": 5_000, "end": NONE, "outcome": RUNNING},
        {"kind": MAP, "start": 6_000, "end": 20_000},
    ]
    assert lines(stuck, 0, status="deadlock")[-1] == "never ends: deadlock"


def test_names_are_what_they_are_and_no_markup() -> None:
    assert lines(JOB, 1, names=["a &lt;b"], racks=["<i>"])[:2] == ["a &lt;b map 0", "n in <i>: 1 GB, 1 vcore"]


def test_what_launches_fails_is_lost_or_speculative_says_so() -> None:
    two = [
        {"kind": MAP, "start": 0, "begin": 2_000, "end": 9_000},
        {"kind": MAP, "start": 5_000, "end": 9_000, "attempt": 2, "outcome": KILLED},
    ]
    assert lines(two, 0)[3:] == ["launching 2 s, 0:00 to 0:02", "map 7 s, 0:02 to 0:09"]
    assert lines(two, 1)[-2:] == [
        phrase("timeline.speculative_started_beside_attempt", 1),
        phrase("timeline.killed_after_s_work_wasted", 4),
    ]
    assert lines([{"kind": MAP, "start": 0, "end": 4_000, "outcome": FAILED}], 0)[-1] == phrase(
        "timeline.failed_after_s_work_wasted", 4
    )
    launching = {"kind": MAP, "start": 0, "begin": 9_000, "end": 4_000, "outcome": LOST}
    assert lines([launching], 0)[3:] == [
        "launching 4 s, 0:00 to 0:04",
        phrase("timeline.lost_with_node_after_s", 4),
    ]
