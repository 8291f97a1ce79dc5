"""Why a container waited: hand-worked spans of each rule, and laws over random runs (WAIT-1, WAIT-2)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from engine.codes import INFINITE, KINDS, MASTER, NO_DELAYS, NONE, job_of, kind_of, request_of
from engine.errors import GantryError
from engine.explanation.container_names import NoSuchContainer, name_of
from engine.explanation.wait_spans import wait_spans
from engine.run_records import AMOUNT, ROW, SomeTable
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.cancellation import CancelToken
from engine.simulation.run import Run
from engine.simulation.simulate import PreparedRun, larger_sizes, moment_of, prepare, simulate
from engine.simulation.waiting.rule import Moment, WaitSpan
from engine.simulation.waiting.waiting_rule import waiting_rule
from tests.conftest import ROOT
from tests.engine.explanation.waits import PLAIN, spans
from tests.examples import examples
from tests.small_scenarios import job, master, node, scenario, tasks
from tests.strategies import BUSY, among, scenarios

FAIR = f"fair(update_ms=0){PLAIN}"
CAPACITY = f"capacity(user_limits=no, reservations=no){PLAIN}"
SCHEDULERS = (
    "fair", "drf", "capacity", "fifo", "haste", "saf+reserve(memory_mb=2)", "fifo+autoadmin",
    "capacity+am-share", "fair(reservations=no)", "fair(preemption=yes)", "capacity(preemption=yes)", "omo",
)  # fmt: skip


def queue(name: str, **more: Any) -> dict:
    return {"name": f"root.{name}", **more}


def share(memory: int, vcores: int = 100) -> dict:
    return {"memory_mb": memory, "vcores": vcores}


def test_masters_of_a_queue_hold_no_more_than_half_of_its_fair_share() -> None:
    """4 MB, two queues of 2 each: half of it, 1, is less than b's master of 2, which therefore never starts.
    FairScheduler's update at 0.5 s sees b, which came at 0.2 s.
    """
    case = scenario(
        [node(4)],
        [
            job("a", tasks(1, 9.0), queue="root.a"),
            job("b", tasks(1), queue="root.b", am=master(memory=2), arrival_s=0.2),
        ],
        [queue("a"), queue("b")],
        heartbeat_ms=100,
    )
    found = spans(case, "fair+slowstart", "b/1/am/0")
    assert found[0] == (0.2, 0.5, "update", "", None, None)
    assert found[1] == (0.5, 9.5, "am-share", "root.b", 1.0, 2.0)
    assert len(found) == 2


def test_as_many_jobs_run_as_may() -> None:
    """One of root.a at a time: b's map waits from 0 until a's, of 2 s, has left."""
    jobs = [job(name, tasks(1, 2.0), queue="root.a") for name in "ab"]
    case = scenario([node(4)], jobs, [queue("a", max_running_apps=1)])
    assert spans(case, FAIR, "b/1/map/0") == [(0.0, 2.0, "running-jobs", "root.a", 1, 2)]
    case = scenario([node(4)], [one | {"user": "ann"} for one in jobs], [queue("a")], user_max_running_apps=1)
    assert spans(case, FAIR, "b/1/map/0") == [(0.0, 2.0, "running-jobs", "ann", 1, 2)]


@pytest.mark.parametrize(
    ("scheduler", "limit"),
    [(FAIR, {"max_share": share(2)}), (CAPACITY, {"capacity_pct": 50, "max_capacity_pct": 50})],
)
def test_a_queue_uses_no_more_than_its_maximum(scheduler: str, limit: dict) -> None:
    """4 MB, of which root.a may use 2, and its first map of 2 does until 3 s."""
    case = scenario([node(4)], [job("a", tasks(2, [3.0, 1.0], 2), queue="root.a")], [queue("a", **limit)])
    found = spans(case, scheduler, "a/1/map/1")
    assert found == [(0.0, 3.0, "queue-maximum", "root.a", 2.0, 4.0)]


def test_a_user_holds_no_more_than_the_limit() -> None:
    """10 MB, half of them root.a's: with Hadoop's factor of 1 its user holds 5 and, as one container may pass
    it, 6; the fourth map of 2 waits until the first ends at 3 s.
    """
    case = scenario(
        [node(10)],
        [job("a", tasks(4, 3.0, 2), queue="root.a", user="ann")],
        [queue("a", capacity_pct=50), queue("b", capacity_pct=50)],
    )
    found = spans(case, f"capacity(reservations=no){PLAIN}", "a/1/map/3")
    assert found == [(0.0, 3.0, "user-limit", "ann", 5.0, 6.0)]


def test_nodes_have_no_room_or_it_is_scattered() -> None:
    """Two nodes of 2 MB. A map of 1 each holds them until 2 s, and b's of 2 finds 1 on each: scattered. With
    nodes of 1 there is nothing left.
    """
    jobs = [job("a", tasks(2, [2.0, 3.0])), job("b", tasks(1, 1.0, 2), arrival_s=1)]
    case = scenario([node(2, count=2)], jobs, heartbeat_ms=100, each=1)
    found = spans(case, f"fifo{PLAIN}", "b/1/map/0")
    assert found == [(1.0, 2.0, "scattered", "", 1.0, 2.0)]
    jobs = [job("a", tasks(1, 2.0, 2)), job("b", tasks(1, 1.0, 2), arrival_s=1)]
    assert spans(scenario([node(3)], jobs), f"fifo{PLAIN}", "b/1/map/0") == [(1.0, 2.0, "room", "", 1.0, 2.0)]


def test_the_order_gave_the_room_to_another() -> None:
    """One MB: a's map until 2 s; then b's, which is before c's in the batch, until 4 s: c's then only waits
    until b's has ended.
    """
    jobs = [job(name, tasks(1, 2.0)) for name in "abc"]
    found = spans(scenario([node(1)], jobs), f"fifo{PLAIN}", "c/1/map/0")
    assert found == [(0.0, 2.0, "order", "a", 1.0, 3.0), (2.0, 4.0, "room", "", 0.0, 1.0)]


def test_an_order_that_passed_it_over_once_is_told_with_what_it_left() -> None:
    jobs = [job("a", tasks(1, 2.0)), job("b", tasks(1), arrival_s=0.5)]
    queues = [job("a", tasks(1, 2.0), queue="root.a"), job("b", tasks(1), queue="root.b")]
    for case, scheduler, words in (
        (scenario([node(1)], [jobs[0], job("b", tasks(1))]), f"fifo{PLAIN}", "a"),
        (scenario([node(1)], queues, [queue("a", weight=2), queue("b")]), FAIR, "root.a"),
    ):
        (span,) = wait_spans(simulate(case, scheduler), parse(scheduler), "b/1/map/0").spans
        assert (span.start, span.end, span.rule.rule) == (0, 2000, "room")
        assert f"{words} " in span.rule.because.rpartition("; ")[2]


def test_between_which_numbers_a_limit_moved_is_told() -> None:
    """Half of root.b's fair share of 2, and of 4 when a node has joined at 2 s, which the update at 2.5 s
    sees: too little for a master of 3.
    """
    case = scenario(
        [node(4), node(4, joins_s=2)],
        [
            job("a", tasks(1, 9.0), queue="root.a"),
            job("b", tasks(1), queue="root.b", am=master(memory=3)),
        ],
        [queue("a"), queue("b")],
        heartbeat_ms=100,
    )
    run = simulate(case, "fair+slowstart")
    rule = wait_spans(run, parse("fair+slowstart"), "b/1/am/0").spans[-1].rule
    assert (rule.rule, rule.limit, rule.asked) == ("am-share", 1.0, 3.0)
    assert "1 MB" in rule.because and "2 MB" in rule.because.rpartition("; ")[2]


def test_an_order_names_the_number_that_decided() -> None:
    """At 1 s, and again at 2 s, b holds nothing and a 1 MB: b's maps are first."""
    jobs = [job("a", tasks(3, [9.0, 1.0, 1.0])), job("b", tasks(2), arrival_s=0.5)]
    wait = wait_spans(simulate(scenario([node(2)], jobs), FAIR), parse(FAIR), "a/1/map/2")
    rule = wait.spans[-2].rule
    assert (wait.spans[-2].start, wait.spans[-2].end, wait.spans[-1].end) == (1000, 2000, 3000)
    assert (rule.rule, rule.subject, rule.limit, rule.asked, rule.unit) == ("order", "b", 0.0, 1.0, "MB")


def test_an_order_of_queues_names_them_and_what_they_hold() -> None:
    """root.a, of weight 2, holds 1 of 3 MB and root.b 1 at 0 s: 0.5 against 1, so the third is a's; at 1 s,
    when a's two have ended, its others go first too.
    """
    jobs = [job("a", tasks(4, 1.0), queue="root.a"), job("b", tasks(2, [9.0, 1.0]), queue="root.b")]
    case = scenario([node(3)], jobs, [queue("a", weight=2), queue("b")])
    found = spans(case, FAIR, "b/1/map/1")
    assert found == [(0.0, 1.0, "order", "a", 0.5, 1.0), (1.0, 2.0, "room", "", 0.0, 1.0)]


def test_a_node_sends_its_heartbeat_first() -> None:
    case = scenario([node(2)], [job("a", tasks(1), arrival_s=0.25)], heartbeat_ms=1000)
    assert spans(case, f"fifo{PLAIN}", "a/1/map/0") == [(0.25, 1.0, "heartbeat", "", 1000.0, None)]


def test_a_reserved_node_is_kept_for_another() -> None:
    """Nodes of 4,096 MB: a has 2,560 of it until 10 s; b's 3,072 reserve it, and c's 1,024, which would fit,
    wait until b's have fitted and ended.
    """
    jobs = [
        job("a", tasks(1, 10.0, 2560)),
        job("b", tasks(1, 1.0, 3072)),
        job("c", tasks(1, 1.0, 1024), arrival_s=1),
    ]
    case = scenario([node(4096)], jobs)
    assert spans(case, f"fair(update_ms=0){PLAIN}", "c/1/map/0")[0][:4] == (1.0, 10.0, "reservation", "b")


def test_own_reduces_come_before_maps() -> None:
    """2 MB: maps 0 and 1 until 1 s and 5 s. From 1 s on 1 MB is left, but the reduce, of 2, has been asked
    for and stands before map 2.
    """
    one = job("a", tasks(3, [1.0, 5.0, 1.0]), tasks(1, 1.0, 2), slowstart=0.3)
    found = spans(scenario([node(2)], [one]), f"fair(update_ms=0, reservations=no){PLAIN}", "a/1/map/2")
    assert found == [(0.0, 1.0, "room", "", 0.0, 1.0), (1.0, 5.0, "own-priority", "a", None, None)]


def test_slots_of_a_kind_are_taken() -> None:
    case = scenario([node(4, map_slots=1)], [job("a", tasks(1, 2.0)), job("b", tasks(1), arrival_s=1)])
    assert spans(case, f"fifo{PLAIN}", "b/1/map/0") == [(1.0, 2.0, "task-slots", "maps", None, None)]


def test_a_reserve_keeps_masters_out() -> None:
    """3 vcores, 2 kept: one master of 1 at a time."""
    jobs = [job(name, tasks(1, 1.0), am=master()) for name in "ab"]
    case = scenario([node(9, 3)], jobs)
    scheduler = "fifo+slowstart+reserve(vcores=2)"
    assert spans(case, scheduler, "b/1/am/0") == [(0.0, 1.0, "reserve", "", 1.0, 2.0)]
    three = scenario([node(9, 3)], [*jobs, job("c", tasks(1, 1.0), am=master())])
    assert [row[2] for row in spans(three, scheduler, "c/1/am/0")] == ["reserve"]


def test_capacity_limits_the_masters_of_a_queue_and_of_a_user() -> None:
    """10 MB, a part of 0.1: one master of 1 of the queue; b's waits until a has left."""
    jobs = [job(name, tasks(1, 2.0), am=master()) for name in "ab"]
    found = spans(scenario([node(10)], jobs), "capacity(user_limits=no)+slowstart", "b/1/am/0")
    assert found == [(0.0, 2.0, "am-limit", "root.default", 1.0, 2.0)]


def test_what_was_never_asked_for_is_explained_by_its_master() -> None:
    case = scenario([node(2)], [job("a", tasks(1), am=master(memory=2))])
    run = simulate(case, "fair+slowstart")
    wait = wait_spans(run, parse("fair+slowstart"), "a/1/map/0")
    assert run.status == "deadlock" and wait.container == "a/1/am/0"
    assert (wait.spans[-1].end, wait.spans[-1].rule.rule) == (NONE, "am-share")


@pytest.mark.parametrize("name", ["a/1/map/9", "a/2/map/0", "a/1/am/0", "b/1/map/0", "a/1/mop/0", "a"])
def test_no_such_container(name: str) -> None:
    run = simulate(scenario([node(2)], [job("a", tasks(1))]), FAIR)
    with pytest.raises(NoSuchContainer):
        wait_spans(run, parse(FAIR), name)


def test_a_refused_job_says_why() -> None:
    run = simulate(scenario([node(2)], [job("a", tasks(1)), job("b", tasks(1), rejected="as it is")]), FAIR)
    with pytest.raises(NoSuchContainer, match="^b/1/map/0: .*: as it is$"):
        wait_spans(run, parse(FAIR), "b/1/map/0")


def test_an_order_is_not_what_keeps_a_request_for_ever() -> None:
    """2 MB: a's master and its first map, until 1 s, when b's master, which holds nothing, goes before a's
    second map; then nothing is left, for ever.
    """
    first = job("a", tasks(2, [1.0, 1.0]), am=master())
    second = job("b", tasks(1), am=master(), arrival_s=0.5)
    found = spans(scenario([node(2)], [first, second]), "fair(update_ms=0)+slowstart+admit-all", "a/1/map/1")
    assert found == [(0.0, 1.0, "room", "", 0.0, 1.0), (1.0, None, "room", "", 0.0, 1.0)]


def test_an_attempt_that_was_never_made_is_no_container() -> None:
    run = simulate(scenario([node(4)], [job("a", tasks(1), am=master())]), FAIR)
    with pytest.raises(NoSuchContainer):
        wait_spans(run, parse(FAIR), "a/1/map/0/7")


def waited(run: Run) -> list[tuple[str, int, int]]:
    """(name, asked, start) of some containers that waited, NONE for those that never started."""
    c = run.containers
    placed = np.flatnonzero(c.start > c.requested)
    found = [
        (name_of(run, int(at)), int(c.requested[at]), int(c.start[at]))
        for at in placed[:: max(1, len(placed) // 3)]
    ]
    never = zip(run.waiting.job.tolist(), run.waiting.kind.tolist(), run.waiting.since.tolist())
    masters = [(job_, since) for job_, kind, since in never if kind == MASTER]
    return found + [(f"{run.workload.job_names[job_]}/1/am/0", since, NONE) for job_, since in masters[:2]]


def test_every_rule_stands_in_the_document() -> None:
    """Rules are named where their record is made."""
    sources = [
        *(ROOT / "engine/simulation/waiting").glob("*.py"),
        *(ROOT / "engine/explanation").glob("*.py"),
    ]
    text = "".join(path.read_text("utf-8") for path in sources)
    found = set(re.findall(r'(?:WaitingRule|simple_rule|limit_rule)\(\s*"([a-z-]+)"', text))
    found |= set(re.findall(r'\brule, of_what = "([a-z-]+)"', text)) | {"room", "scattered"}
    document = (ROOT / "engine/docs/how-to/find-out-why-it-waits.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", document, re.MULTILINE)) == found


@examples(60, 600)
@given(scenarios(BUSY), among(*SCHEDULERS))
def test_the_spans_add_up_to_the_wait_and_each_rule_counts(case: Scenario, scheduler: str) -> None:
    """Without a gap from the request, or the start of a reduce's iteration, to the start; and in the state in
    which a span began its rule kept the request, while with that rule alone switched off another one does, or
    a node could take it. Where the order is the rule, what it chose instead started when the span began and
    when it ended.
    """
    try:
        run = simulate(case, scheduler)
    except GantryError:
        assume(False)
    for name, asked, start in waited(run):
        found = wait_spans(run, parse(scheduler), name).spans
        assert found and found[0].start <= asked and found[-1].end == start, (name, asked, start, found)
        assert all(first.end == second.start for first, second in zip(found, found[1:]))
        assert all(first.start < first.end for first in found[:-1])
        for span in found[:6]:
            assert_counts(case, scheduler, name, span)
            if span.rule.rule == "order":
                assert np.isin((span.start, span.end), run.containers.start).all()


def assert_counts(case: Scenario, scheduler: str, name: str, span: WaitSpan) -> None:
    if span.rule.rule not in OFF:
        return
    moment = copied(moment_of(stopped(case, scheduler, span.start + 1)))
    job_name, _, kind, _ = name.split("/")[:4]
    request = int(request_of(moment.work, moment.work.job_names.index(job_name), KINDS.index(kind)))
    before = waiting_rule(moment, request)
    assert before is not None and before.rule == span.rule.rule
    OFF[span.rule.rule](moment, request)
    after = waiting_rule(moment, request)
    assert after is None or (after.rule, after.subject) != (before.rule, before.subject)


def copied(moment: Moment) -> Moment:
    """Runs share the arrays of their scenario."""
    return moment._replace(view=_copy(moment.view), state=_copy(moment.state))


def _copy(table: SomeTable) -> SomeTable:
    """With numbers and arrays of its own, for plain Python."""
    block = table.block.copy()
    arrays = {name: getattr(table, name).copy() for name, field in table.layout.fields.items() if field.size}
    copy = type(table).from_buffer(block.data)
    rows = {name for name, place in table.layout.places.items() if place.form in (AMOUNT, ROW)}
    others = {name: value for name, value in vars(table).items() if name not in rows}
    vars(copy).update(others, block=block, **arrays)
    return copy


def stopped(case: Scenario, scheduler: str, before_ms: int) -> PreparedRun:
    """A watched run that stands before the first instant at that time or later."""
    sizes = None
    while True:
        prepared = prepare(case, parse(scheduler), True, lambda _: None, CancelToken(), sizes)
        prepared.state.pause_ms = before_ms
        sizes = larger_sizes(prepared, prepared.kernel.advance()[0])
        if not sizes:
            return prepared


def _no_maximum(moment: Moment, request: int) -> None:
    moment.view.queue_max_memory[:] = moment.view.queue_max_vcores[:] = INFINITE
    moment.view.queue_max_capacity[:] = 2.0


def _no_user_limit(moment: Moment, request: int) -> None:
    moment.view.user_used_memory[:] = moment.view.user_used_vcores[:] = 0


def _no_siblings(moment: Moment, request: int) -> None:
    moment.view.queue_limit_memory[:] = moment.view.queue_limit_vcores[:] = INFINITE


def _empty_nodes(moment: Moment, request: int) -> None:
    moment.view.node_free_memory[:] = moment.view.node_free_vcores[:] = INFINITE


def _no_reservations(moment: Moment, request: int) -> None:
    moment.view.node_reserved[:] = NONE
    moment.view.queue_reserved_memory[:] = moment.view.queue_reserved_vcores[:] = 0


def _no_slots(moment: Moment, request: int) -> None:
    moment.state.slots[:] = INFINITE


def _first_of_its_job(moment: Moment, request: int) -> None:
    moment.view.request_waiting[request - kind_of(moment.view, request) : request] = 0


def _admitted(moment: Moment, request: int) -> None:
    moment.state.admitted[job_of(moment.view, request)] = 1


def _runnable(moment: Moment, request: int) -> None:
    moment.view.job_runnable_since[job_of(moment.view, request)] = 0


def _updated(moment: Moment, request: int) -> None:
    moment.view.update_interval = 0


def _no_delays(moment: Moment, request: int) -> None:
    moment.state.delays = NO_DELAYS


OFF = {
    "running-jobs": _runnable,
    "update": _updated,
    "locality": _no_delays,
    "queue-maximum": _no_maximum,
    "user-limit": _no_user_limit,
    "siblings": _no_siblings,
    "own-priority": _first_of_its_job,
    "reservation": _no_reservations,
    "task-slots": _no_slots,
    **dict.fromkeys(("room", "scattered"), _empty_nodes),
    **dict.fromkeys(
        ("am-share", "am-limit", "user-am-limit", "reserve", "masters-in-line", "activation"), _admitted
    ),
}
