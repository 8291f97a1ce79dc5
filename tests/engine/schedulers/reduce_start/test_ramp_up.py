"""Ramp-up, worked by hand after Hadoop's RMContainerAllocator 3.4.1: the limit, ramp-down, all reduces once
no map waits, and preemption.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine.schedulers.policy import PREEMPT, REDUCE_START_AT
from engine.schedulers.reduce_start.ramp_up import (
    RAMP_UP,
    containers_needed,
    containers_that_fit,
    next_preemption_ms,
    reduces_to_preempt,
    target_reduces,
    truncated_quotient,
)
from engine.schedulers.view import ASK, MAP, MASTER, NO_CHANGE, NOT_YET, REDUCE
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.decisions import decisions, watched
from tests.small_scenarios import job, master, node, of, scenario, tasks


def alone(**more):
    """10 MB, 10 vcores, 20 maps and 6 reduces of <1, 1>. Maps 0 - 3 end at 2.5 s, 10 - 13 run from 2.5 to
    6.5, 14 and 15 from 6.5 to 10.5, 4 - 9 until 100.
    """
    times = [2.5] * 4 + [100.0] * 6 + [4.0] * 6 + [5.0] * 4
    return scenario([node(10, 10)], [job("a", tasks(20, times), tasks(6, 9.0), **more)])


def test_reduces_are_asked_for_as_maps_finish_up_to_the_limit():
    """Limit of 10 MB. At 3 s 4 of 20 maps have finished: .2 x 10 = 2 reduces; they start when room is free,
    at 6.5. At 7 s: .4 x 10 = 4, 2 more. At 11 s: .5 x 10 = 5, 1 more. At 100 s 16 have finished, of which the
    scheduler has not seen 6 end: still .5: 5. At 101 no map waits any more: the last one."""
    run, result = watched(alone(), "fifo+ramp-up", REDUCE_START_AT)
    told = {one.at: one for one in result}
    assert [told[at].answer for at in (1, 3, 4, 7, 8, 11, 12, 100, 101)] == [
        NOT_YET,
        2,
        2,
        2,
        2,
        1,
        1,
        1,
        ASK,
    ]
    assert [told[at].terms["a"]["for_reduces"] for at in (3, 7, 11, 100)] == [2, 4, 5, 5]
    assert [told[at].terms["a"]["completed"] for at in (3, 7, 11, 100)] == [0.2, 0.4, 0.5, 0.8]
    assert {told[at].terms["a"]["limit"] for at in (3, 7, 11, 100)} == {10}
    # a request's time is when the number that waits was last raised
    reduces = [(c.requested, c.start) for c in of(result_of(run), "reduce")]
    assert reduces == [(3000, 6500)] * 2 + [(7000, 10_500)] * 2 + [(11_000, 100_000), (101_000, 101_000)]


@pytest.mark.parametrize(("limit", "expected"), [(0, [0, 0, ASK]), (0.3, [2, 1, 0]), (1, [2, 2, 1])])
def test_the_limit_is_the_largest_share(limit, expected):
    """At 3, 7, 11 s with shares .2, .4, .5 or the limit, of 10 MB: 0: none while a map waits, at 11 none
    does. .3: 2, then 3 less the 2 that run, and at 11 s 3 run. 1: as with .5."""
    told = {one.at: one.answer for one in decisions(alone(), f"fifo+ramp-up(limit={limit})", REDUCE_START_AT)}
    assert [told[at] for at in (3, 7, 11)] == expected


def test_they_are_looked_at_on_the_masters_heartbeats_alone():
    """Every 2 s: the 4 maps that ended at 2.5 are told of at 4."""
    run, result = watched(alone(), "fifo+ramp-up(heartbeat_s=2)", REDUCE_START_AT)
    assert all(one.at % 2 == 0 and one.at > 0 for one in result)
    assert of(result_of(run), "reduce")[0].requested == 4000


@pytest.mark.parametrize(
    ("slowstart", "at"), [(0.05, 3000), (0.2, 3000), (0.21, 7000), (0.4, 7000), (0.41, 11_000)]
)
def test_not_before_the_job_s_slow_start(slowstart, at):
    """4 maps have finished at 3 s, 8 at 7 s, 10 at 11 s: ceil(slowstart x 20)."""
    run = simulate(alone(slowstart=slowstart), "fifo+ramp-up")
    assert of(result_of(run), "reduce")[0].requested == at


def test_all_reduces_once_no_map_waits():
    """All 4 maps are placed at 0; one ends at .5: at the next heartbeat, 1 s, all 6."""
    few = scenario([node(10)], [job("a", tasks(4, [0.5, 50.0, 50.0, 50.0]), tasks(6, 1.0))])
    result = decisions(few, "fifo+ramp-up", REDUCE_START_AT)
    # none is pending any more
    assert [(one.at, one.answer) for one in result[:2]] == [
        (1, ASK),
        (2, NOT_YET),
    ]
    assert [c.requested for c in of(result_of(simulate(few, "fifo+ramp-up")), "reduce")] == [1000] * 6


def beside(maps_of_b, times, maps, reduces):
    """10 MB; b's master (1 MB) is there first and asks for maps of 100 s at 5.2 s, and goes first; a has the
    other 9 MB until then.
    """
    b = job("b", tasks(maps_of_b, 100.0), am=master(5.2))
    return scenario([node(10, 10)], [b, job("a", tasks(maps, times), tasks(reduces, 9.0))])


def test_what_waits_is_withdrawn_when_the_job_s_limit_shrinks():
    """At 3 s 8 of a's 20 maps have finished: .4 x 9 = 3 reduces wait. At 5.5 eight more end and b takes their
    room: at 6 s a has one map and nothing is free: limit 1, .5 x 1 = 0 MB for reduces, 3 too many."""
    result = decisions(
        beside(30, [2.5] * 8 + [100.0] + [3.0] * 8 + [5.0] * 3, 20, 6), "fifo+ramp-up", REDUCE_START_AT
    )
    told = {one.at: one for one in result if "a" in one.terms}
    assert [
        (told[at].answer, told[at].terms["a"]["more"], told[at].terms["a"]["limit"]) for at in (3, 4, 6)
    ] == [(3, 3, 9), (3, 0, 9), (0, -3, 1)]


def test_nothing_is_withdrawn_when_no_reduce_is_pending():
    """Hadoop returns at once then: with 3 reduces, all wait, and stay."""
    result = decisions(
        beside(30, [2.5] * 8 + [100.0] + [3.0] * 8 + [5.0] * 3, 20, 3), "fifo+ramp-up", REDUCE_START_AT
    )
    assert {one.at: one.answer for one in result if "a" in one.terms}[6] == NOT_YET


def test_reduces_are_killed_for_a_map_that_finds_no_room():
    """a's 3 reduces start at 4.4, when 4 maps end; at 5.5 the other 6 maps end, and b's 6 maps take their
    room. At 6 s 4 maps wait, nothing is free and no map
    runs: limit <3, 3>, all of it reduces'. max(ceil(1/1), ceil(trunc(.5 x 3) / 1)) = 1 is killed: of equals
    the one with the highest index. A map starts."""
    times = [2.5] * 8 + [5.5] + [1.9] * 4 + [3.0] * 4 + [1.1] + [50.0] * 4
    run, outcome = watched(beside(6, times, 22, 8), "fifo+ramp-up", PREEMPT)
    result = result_of(run)
    killed = [(c.index, c.attempt, c.start, c.end) for c in of(result, "reduce") if c.outcome == "killed"]
    assert killed == [(2, 1, 4400, 6000)]
    assert [c.start for c in of(result, "map", "a")][18] == 6000
    assert [one.answer for one in outcome if one.answer != NO_CHANGE] == [1]
    again = [c for c in of(result, "reduce") if c.index == 2 and c.attempt == 2]
    assert [c.outcome for c in again] == ["finished"] and again[0].requested > 6000


def state(size_map, size_reduce, maps, reduces, headroom, both=True, dying=0):
    """A job's requests: maps = (all, waiting since 1 s, held, finished), reduces = (all, placed, waiting,
    running); dying: killed and not seen yet.
    """
    return SimpleNamespace(
        job_first_request=[0, 3],
        request_job=[0, 0, 0],
        request_kind=[MASTER, REDUCE, MAP],
        request_asked_memory=[0, size_reduce[0], size_map[0]],
        request_asked_vcores=[0, size_reduce[1], size_map[1]],
        request_waiting=[0, reduces[2], maps[1]],
        request_speculative=[0, 0, 0],
        job_maps=[maps[0]],
        request_held=[0, reduces[3] + dying, maps[2]],
        request_asked_at=[0, 0, 1000],
        waiting_requests=[2, 0, 0],
        waiting_count=int(maps[1] > 0),
        all_maps_placed=[0],
        job_finished_maps=[maps[3]],
        job_reduces=[reduces[0]],
        job_placed_reduces=[reduces[1]],
        job_running_reduces=[reduces[3]],
        job_slowstart=[0.05],
        job_arrival=[0],
        **{term.name: [0.0] for term in RAMP_UP.terms},
        headroom_memory=headroom[0],
        headroom_vcores=headroom[1],
        counts_vcores=int(both),
    )


# No map has a container, and the headroom takes none.
@pytest.mark.parametrize(
    ("size_map", "size_reduce", "waiting", "running", "headroom", "share", "both", "kills"),
    [
        ((1, 1), (1, 1), 4, 3, (0, 0), 0.5, True, 1),  # max(1, trunc 1.5) = 1
        ((1, 1), (1, 1), 4, 8, (0, 0), 0.5, True, 4),  # max(1, 4)
        ((1, 1), (1, 1), 2, 8, (0, 0), 0.5, True, 2),  # no more than the 2 maps that wait need
        ((1, 1), (1, 1), 4, 8, (0, 0), 0.0, True, 1),  # at least what one map needs
        ((1, 1), (1, 1), 9, 8, (0, 0), 1.0, True, 8),  # at most those that run
        (
            (4, 1),
            (1, 1),
            1,
            6,
            (3, 9),
            0.1,
            False,
            4,
        ),  # 3 MB are free, the map needs 4: ceil(4/1) = 4 all the same
        ((3, 1), (2, 1), 1, 5, (0, 9), 0.1, False, 2),  # ceil(3/2)
        (
            (1, 4),
            (1, 2),
            9,
            5,
            (9, 3),
            0.5,
            True,
            5,
        ),  # vcores: ceil(4/2) = 2; limit <14, 13>: ceil of <7, 6> / <1, 2> = max(7, 3) = 7; 5 run
        ((1, 4), (1, 2), 9, 5, (9, 3), 0.5, False, NO_CHANGE),  # memory alone: 9 MB are free
        ((1, 1), (1, 1), 4, 3, (1, 1), 0.5, True, NO_CHANGE),  # there is room for one
        ((1, 1), (1, 1), 0, 3, (0, 0), 0.5, True, NO_CHANGE),  # no map waits
        ((1, 1), (1, 1), 4, 0, (0, 0), 0.5, True, 0),  # others hold everything
    ],
)
def test_how_many_are_killed(size_map, size_reduce, waiting, running, headroom, share, both, kills):
    view = state(size_map, size_reduce, (20, waiting, 0, 5), (9, running, 0, running), headroom, both)
    assert reduces_to_preempt(view, 0, 2000, share, 300.0) == kills


def test_nothing_is_killed_while_a_map_has_a_container():
    assert (
        reduces_to_preempt(state((1, 1), (1, 1), (20, 4, 1, 5), (9, 3, 0, 3), (0, 0)), 0, 900_000, 0.5, 300.0)
        == NO_CHANGE
    )


def test_reduces_that_wait_are_no_room_for_a_map():
    """1 MB is free, and asked for; as soon as it is not, a map has room."""
    assert (
        reduces_to_preempt(state((1, 1), (1, 1), (20, 4, 0, 5), (9, 3, 1, 3), (1, 1)), 0, 2000, 0.5, 300.0)
        == 2
    )
    assert (
        reduces_to_preempt(state((1, 1), (1, 1), (20, 4, 0, 5), (9, 3, 0, 3), (1, 1)), 0, 2000, 0.5, 300.0)
        == NO_CHANGE
    )


@pytest.mark.parametrize(("dying", "kills"), [(1, 3), (4, 2), (9, 0)])
def test_what_was_killed_before_and_not_seen_yet_counts(dying, kills):
    """The limit is what the 8 and those hold: ceil((8 + dying) / 2), less those."""
    assert (
        reduces_to_preempt(
            state((1, 1), (1, 1), (20, 9, 0, 5), (9, 8, 0, 8), (0, 0), dying=dying), 0, 2000, 0.5, 300.0
        )
        == kills
    )


@pytest.mark.parametrize(
    ("now", "after", "kills"),
    [
        (301_000, 300.0, NO_CHANGE),
        (301_001, 300.0, 2),
        (1000, 0.0, 2),
        (6000, 5.0, NO_CHANGE),
        (6001, 5.0, 2),
    ],
)
def test_maps_that_hang_have_reduces_killed_whatever_the_headroom_is(now, after, kills):
    """They wait since 1 s, and 9 MB are free. Limit <12, 12>: max(ceil 2/1, ceil 1.2) = 2."""
    view = state((2, 1), (1, 1), (20, 4, 0, 5), (9, 3, 0, 3), (9, 9))
    assert reduces_to_preempt(view, 0, now, 0.1, after) == kills
    assert next_preemption_ms(view, now, after) == (1001 + 1000 * after if kills == NO_CHANGE else NO_CHANGE)


@pytest.mark.parametrize(
    ("maps", "reduces"),
    [((20, 0, 0, 5), (9, 3, 0, 3)), ((20, 4, 1, 5), (9, 3, 0, 3)), ((20, 4, 0, 5), (9, 0, 0, 0))],
)
def test_time_alone_changes_nothing_without_maps_that_hang_and_reduces(maps, reduces):
    """No map waits; one has a container; there is no reduce."""
    assert next_preemption_ms(state((2, 1), (1, 1), maps, reduces, (9, 9)), 2000, 300.0) == NO_CHANGE


@pytest.mark.parametrize(
    ("rule", "at"), [("", 301), ("(unconditional_s=10)", 11), ("(unconditional_s=0)", 2)]
)
def test_reduces_that_scatter_the_room_are_killed_when_maps_hang(rule, at):
    """Two nodes of 2 MB. At 1 s 4 of 8 maps of 2 MB have finished: 2 reduces of 1 MB; at 1.5 s two maps end,
    and each node gets one of them. The 2 maps that wait have 2 MB of headroom, 1 on each node: both reduces
    go at the first heartbeat after maps have waited for longer than that."""
    one = job("a", tasks(8, [0.4] * 4 + [0.7] * 2 + [1.0] * 2, memory=2), tasks(2, 1.0))
    run = simulate(scenario([node(2, count=2)], [one], each=1), f"fifo+ramp-up{rule}")
    result = result_of(run)
    killed = [(c.start, c.end) for c in of(result, "reduce") if c.outcome == "killed"]
    assert killed == [(1500, 1000 * at)] * 2 and run.status == "finished"
    assert [c.start for c in of(result, "map")][6:] == [1000 * at] * 2


@pytest.mark.parametrize(
    ("headroom", "both", "wait"),
    [
        # 3 maps of <2, 1> and 1 reduce of <1, 3> run, 4 maps wait; 10 of 20 have finished: share .5
        (
            (10, 20),
            True,
            3,
        ),  # limit <17, 26>: reduces <8, 13>, less their own <1, 3> leaves <7, 10>: min(7, 3)
        ((10, 20), False, 7),  # by memory: 7
        ((1, 2), True, 0),  # limit <8, 8>: <4, 4>, less <1, 3>: <3, 1>: min(3, 0) = 0
        (
            (90, 90),
            True,
            21,
            # limit <97, 96>: <48, 48>; maps' <49, 48> hold 24 >= 7 + ..: the 7 need <14, 7>, <83, 89> are
            # left: less <1, 3>: min(82, 28)
        ),
    ],
)
def test_the_smaller_resource_decides_how_many_more(headroom, both, wait):
    view = state((2, 1), (1, 3), (20, 4, 3, 10), (22, 1, 0, 1), headroom, both)
    assert target_reduces(view, 0, 0.5) == wait


def test_numbers_are_cut_towards_0_as_java_s_are():
    assert [
        truncated_quotient(7, 2),
        truncated_quotient(-7, 2),
        truncated_quotient(-1, 2),
        truncated_quotient(0, 2),
    ] == [3, -3, 0, 0]
    assert (
        containers_that_fit(-3, 9, 2, 1, True) == -1
        and containers_that_fit(7, 2, 2, 1, True) == 2
        and containers_that_fit(7, 2, 2, 1, False) == 3
    )
    assert (
        containers_needed(7, 2, 2, 1, True) == 4
        and containers_needed(7, 9, 2, 1, True) == 9
        and containers_needed(7, 9, 2, 1, False) == 4
        and containers_needed(0, 0, 2, 1, True) == 0
    )


def test_the_engine_s_own_kill_rule_does_not_apply():
    """Two reduces hold the node (slow start 0): without ramp-up one is killed for the map at once, with it
    reduces are not asked for before a map has ended.
    """
    small = scenario([node(2)], [job("a", tasks(3, 5.0), tasks(2, 5.0), slowstart=0.0)])
    assert (simulate(small, "fifo+slowstart").containers.outcome == 1).any()
    run = simulate(small, "fifo+ramp-up")
    assert run.status == "finished" and not (run.containers.outcome == 1).any()
