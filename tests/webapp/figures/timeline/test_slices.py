"""A Run as slices."""

from __future__ import annotations

from engine import Scenario, capacity_split, simulate
from engine.codes import KILLED, NONE, RUNNING
from engine.schedulers.view import MAP, REDUCE
from tests.webapp.handmade_runs import run
from webapp import theme
from webapp.figures import Scene, rows
from webapp.figures.timeline.slices import visible_slices


def of(made, highlight=None):
    scene = Scene(made)
    return visible_slices(scene, rows([scene]), None, highlight)


def read(found) -> set[tuple]:
    return {
        (theme.PHASES[phase].key, start, end)
        for phase, start, end in zip(found.phase.tolist(), found.start.tolist(), found.end.tolist())
    }


def test_a_reduce_fetches_waits_fetches_and_computes() -> None:
    # Of 3 maps one has ended at the launch, at 2000: 100 ms to fetch it; another at 2500; after the last, at
    # 4000, 100 ms more.
    maps = [{"kind": MAP, "start": 0, "end": end} for end in (1_900, 2_500, 4_000)]
    result = of(run([*maps, {"kind": REDUCE, "start": 2_000, "shuffle_end": 4_100, "end": 5_000}]))
    assert read(result) >= {
        ("shuffle", 2_000, 2_100),
        ("waiting", 2_100, 4_000),
        ("shuffle", 4_000, 4_100),
        ("reduce", 4_100, 5_000),
    }


def test_a_reduce_that_mostly_fetches_is_drawn_as_fetching() -> None:
    # Launched at 0 with ends at 100, 210 and 320 it waits 100 + 10 + 10 of the 320 ms before the last end.
    maps = [{"kind": MAP, "start": 0, "end": end} for end in (100, 210, 320)]
    assert ("shuffle", 0, 420) in read(
        of(run([*maps, {"kind": REDUCE, "start": 0, "shuffle_end": 420, "end": 500}]))
    )


def test_a_reduce_that_comes_last_only_fetches() -> None:
    maps = [{"kind": MAP, "start": 0, "end": end} for end in (10, 20)]
    assert read(of(run([*maps, {"kind": REDUCE, "start": 50, "shuffle_end": 250, "end": 300}]))) >= {
        ("shuffle", 50, 250),
        ("reduce", 250, 300),
    }


def test_a_reduce_killed_while_it_fetches_never_computes() -> None:
    result = of(run([{"kind": REDUCE, "start": 5, "end": 30, "outcome": KILLED}]))
    assert read(result) == {("waiting", 5, 30)}
    assert result.wasted.all()


def test_all_of_a_killed_reduce_was_in_vain() -> None:
    assert of(
        run([{"kind": REDUCE, "start": 5, "shuffle_end": 10, "end": 30, "outcome": KILLED}])
    ).wasted.tolist() == [True, True]


def test_what_runs_in_a_deadlock_is_drawn_to_its_instant() -> None:
    stuck = {"kind": REDUCE, "start": 5, "end": NONE, "outcome": RUNNING}
    assert read(of(run([stuck, {"kind": MAP, "start": 10, "end": 70}], status="deadlock"))) == {
        ("waiting", 5, 70),
        ("map", 10, 70),
    }


def test_the_highlighted_job_is_lit() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 9}, {"kind": MAP, "start": 1, "end": 9, "job": 1}], jobs=2)
    assert of(made, "job:j1").highlighted.tolist() == [False, True]
    assert of(made).highlighted.all()
    assert of(made, "job:none such").highlighted.all()


def test_a_node_or_a_phase_can_be_lit_too() -> None:
    made = run(
        [
            {"kind": MAP, "start": 0, "end": 9},
            {"kind": REDUCE, "start": 1, "shuffle_end": 5, "end": 9, "node": 1},
        ],
        nodes=2,
        racks=["r", "s"],
    )
    assert (
        of(made, "node:n-2").highlighted.tolist()
        == of(made, "rack:s").highlighted.tolist()
        == (of(made).container == 1).tolist()
    )
    assert of(made, "phase:map").highlighted.tolist() == (of(made).phase == theme.MAP_PHASE).tolist()


def test_a_slice_is_seen_when_it_shares_an_instant_with_the_window() -> None:
    scene = Scene(run([{"kind": MAP, "start": 10, "end": 20}]))
    windows = [(0, 10), (0, 11), (19, 30), (20, 30), (12, 13)]
    assert [scene.within(window).tolist() for window in windows] == [[False], [True], [True], [False], [True]]


def test_the_slices_hold_as_much_as_the_capacity_split_says() -> None:
    task = {"memory_mb": 1024, "vcores": 1}
    maps, reduces = (
        task | {"count": 20, "duration_s": {"dist": "uniform", "low": 5, "high": 20}},
        task | {"count": 4, "duration_s": 9},
    )
    loads = ((0, 0), (3, 120), (20, 900))
    jobs = [
        {"am": task, "maps": maps, "reduces": reduces, "arrival_s": late, "shuffle_mb_per_map": mb}
        for late, mb in loads
    ]
    made = simulate(
        Scenario.of(
            {"version": 1, "cluster": {"nodes": [{"count": 4, "memory_mb": 4096, "vcores": 4}]}, "jobs": jobs}
        ),
        "fair",
    )
    result, split = of(made), capacity_split(made).vcores.totals
    held = {
        phase.key: int((result.end - result.start)[result.phase == number].sum())
        for number, phase in enumerate(theme.PHASES)
    }
    assert (held["master"], held["map"], held["reduce"]) == (
        split["master"],
        split["map"],
        split["computing"],
    )
    assert held["shuffle"] + held["waiting"] == split["fetching"] + split["waiting"]
    assert held["waiting"] > split["waiting"] / 2 > 0
