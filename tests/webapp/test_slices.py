"""A Run as slices."""

from __future__ import annotations

from engine.run import KILLED, MAP, MASTER, NONE, REDUCE, RUNNING
from tests.webapp.made import run
from webapp import theme
from webapp.figures.rows import rows, shared_rows
from webapp.figures.slices import slices, visible


def of(made, highlight=None):
    return slices(made, rows(shared_rows([made]), made.workload.node_racks).first, highlight)


def read(found) -> set[tuple]:
    return {(theme.PHASES[phase].key, start, end) for phase, start, end in zip(found.phase.tolist(), found.start.tolist(), found.end.tolist())}


def test_a_reduce_is_shuffle_and_then_reduce() -> None:
    found = of(run([{"kind": MASTER, "start": 0, "end": 90}, {"kind": MAP, "start": 1, "end": 40}, {"kind": REDUCE, "start": 5, "shuffle_end": 50, "end": 80}]))
    assert read(found) == {("master", 0, 90), ("map", 1, 40), ("shuffle", 5, 50), ("reduce", 50, 80)}


def test_a_reduce_killed_while_it_fetches_never_computes() -> None:
    found = of(run([{"kind": REDUCE, "start": 5, "end": 30, "outcome": KILLED}]))
    assert read(found) == {("shuffle", 5, 30)}
    assert found.killed.all()


def test_all_of_a_killed_reduce_was_in_vain() -> None:
    assert of(run([{"kind": REDUCE, "start": 5, "shuffle_end": 10, "end": 30, "outcome": KILLED}])).killed.tolist() == [True, True]


def test_what_runs_in_a_deadlock_is_drawn_to_its_instant() -> None:
    stuck = {"kind": REDUCE, "start": 5, "end": NONE, "outcome": RUNNING}
    assert read(of(run([stuck, {"kind": MAP, "start": 10, "end": 70}], status="deadlock"))) == {("shuffle", 5, 70), ("map", 10, 70)}


def test_the_highlighted_job_is_lit() -> None:
    made = run([{"kind": MAP, "start": 0, "end": 9}, {"kind": MAP, "start": 1, "end": 9, "job": 1}], jobs=2)
    assert of(made, "j1").lit.tolist() == [False, True]
    assert of(made).lit.all()
    assert of(made, "no such job").lit.all()


def test_a_slice_is_visible_when_it_shares_an_instant_with_the_window() -> None:
    found = of(run([{"kind": MAP, "start": 10, "end": 20}]))
    windows = [(0, 10), (0, 11), (19, 30), (20, 30), (12, 13)]
    assert [visible(found, window).tolist() for window in windows] == [[False], [True], [True], [False], [True]]
