"""Lazy start: omo Eq. 2, 3, a start worked out to the millisecond, Principle 1, and the printed rule failing
beside ours.
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.schedulers.policy import REDUCE_START_AT
from engine.schedulers.reduce_start.lazy_start import gap, gap_step, may_start
from engine.schedulers.view import NOT_YET
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.decisions import watched
from tests.small_scenarios import job, node, of, scenario, tasks

EQ_2 = {"shuffle_time": 40, "map_time": 20, "frequency": 0.4, "available": 8, "reduces": 2, "sharing_jobs": 1}


# T_s = d m / (B r) = 100 x 40 / (50 x 2) = 40 s; F_e = F_o (S - r) / S = .4 x 6/8 = .3 a second: beta(x) = 40
# - (x / .3 + 20). With D = 2 jobs each has half of it: beta(x) = 40 - (x / .15 + 20).
@pytest.mark.parametrize(
    ("running", "pending", "beta"),
    [(1, 9, -10), (1, 6, 0), (1, 3, 10), (2, 4, -6.67), (2, 3, 0), (2, 2, 6.67)],
)
def test_check_values_of_the_gap(running, pending, beta):
    """omo Eq. 2 and, with two jobs, Eq. 3 (OMO-7)."""
    assert gap(pending, **{**EQ_2, "sharing_jobs": running}) == pytest.approx(beta, abs=0.005)


def literal(pending, maps, beta):
    """omo Algorithm 1, lines 9 to 20 as printed: m' = argmin over [m', m] of beta, that is no x above m' has
    a smaller beta.
    """
    return not any(beta(x) < beta(pending) for x in range(pending + 1, maps + 1))


def ours(pending, beta, step):
    """Started when |beta| is the smallest over [0, m']: nothing is gained by waiting for a map more."""
    return beta(pending) + step / 2 >= 0


def test_the_printed_rule_starts_before_any_map_or_never_and_ours_where_the_gap_closes():
    """Eq. 2's example, m = 40: beta falls as x grows, so its least value over [m', 40] is at 40. That is m'
    only while no map has been placed; from the first map on m' < 40 and the condition never holds again. Ours
    holds from m' = 6 on, where beta = 0."""
    beta = lambda x: gap(x, **EQ_2)
    step = gap_step(0.4, 8, 2, 1)
    assert [pending for pending in range(41) if literal(pending, 40, beta)] == [40]
    assert max(pending for pending in range(41) if ours(pending, beta, step)) == 6
    # with |beta| in it the printed range fails too: over [m', 40] the smallest is at m' at once, for every m'
    # from 40 down to 6
    assert [pending for pending in range(41) if literal(pending, 40, lambda x: abs(beta(x)))] == list(
        range(6, 41)
    )


@given(
    st.integers(1, 60),
    st.floats(0, 500),
    st.floats(0.1, 100),
    st.floats(0.01, 5),
    st.integers(2, 40),
    st.integers(1, 39),
    st.integers(1, 9),
)
def test_where_the_printed_rule_can_not_work_and_ours_starts_at_the_smallest_gap(
    maps, shuffle, map_time, frequency, available, reduces, running
):
    """For any values with more containers than reduces: literally at m alone; ours at the largest m' whose
    |beta| is the smallest of all m'.
    """
    assume(available > reduces)
    beta = lambda x: gap(x, shuffle, map_time, frequency, available, reduces, running)
    assert [pending for pending in range(maps + 1) if literal(pending, maps, beta)] == [maps]
    step = gap_step(frequency, available, reduces, running)
    due = [pending for pending in range(maps + 1) if ours(pending, beta, step)]
    if due:  # else at m' = 0, when the last map is placed
        assert due == list(range(max(due) + 1))
        assert abs(beta(max(due))) <= min(abs(beta(pending)) for pending in range(maps + 1)) + 1e-6 * (
            1 + shuffle
        )


def steady(order="fifo"):
    """8 containers, 40 maps of 20 s, the first eight of 1.25, 3.75, … 18.75 s: one ends every 2.5 s, so F_o =
    .4 a second and A_o = 8 in every window of 10 s. Two reduces; a map's output of 100 MB at 50 MB/s: T_s =
    40 x 100 / (50 x 2) = 40 s, as in Eq. 2's example."""
    times = [1.25 + 2.5 * place for place in range(8)] + [20.0] * 32
    one = job("a", tasks(40, times), tasks(2, 5.0), shuffle_mb_per_map=100)
    return watched(scenario([node(8)], [one], shuffle_mb_s=50), f"{order}+lazy-start", REDUCE_START_AT)


@pytest.mark.parametrize("order", ["fifo", "fair", "haste", "fresh"])
def test_a_start_to_the_millisecond(order):
    """k maps have ended at 2.5 k - 1.25 s; then 32 - k are pending and T_m = (80 + 20 (k - 8)) / k. beta +
    step/2 = 40 - 10/3 x - T_m + 5/3: k = 24: x = 8: 40 - 26.67 - 16.67 + 1.67 < 0. k = 25, at 61.25 s: x = 8
    still, when the map ends, 40 - 26.67 - 16.8 + 1.67 < 0; then a map is placed and x = 7: 40 - 23.33 - 16.8
    + 1.67 = 1.53 >= 0. The reduces get the next two containers, at 63.75 and 66.25 s."""
    run, result = steady(order)
    assert [(c.requested, c.start) for c in of(result_of(run), "reduce")] == [(61250, 63750), (61250, 66250)]
    last = [one for one in result if one.at == 61.25]
    assert [one.terms["a"]["pending_maps"] for one in last] == [8, 7]
    assert last[-1].terms["a"]["beta"] == pytest.approx(1000 * (40 - 70 / 3 - 16.8)) and last[-1].terms["a"][
        "step"
    ] == pytest.approx(10_000 / 3)
    assert (last[-1].terms["a"]["shuffle_time"], last[-1].terms["a"]["map_time"]) == (
        pytest.approx(40_000),
        pytest.approx(16_800),
    )
    assert last[-1].facts["release_frequency"] == 0.0004 and last[-1].facts["available"] == 8


def test_at_the_latest_when_the_last_map_is_placed():
    """Without output to fetch beta is negative for ever, and before a window has ended nothing is known:
    asked with the last map, at 0 and at 6 s.
    """
    for maps, at in ((4, 0), (5, 6000)):
        run = simulate(scenario([node(4)], [job("a", tasks(maps, 6.0), tasks(2, 1.0))]), "fifo+lazy-start")
        assert {c.requested for c in of(result_of(run), "reduce")} == {at}


def test_not_while_there_are_no_more_containers_than_reduces():
    """A_o <= r: Eq. 3 has no meaning, so not before m' = 0 (ours). 2 containers, 2 reduces, a huge shuffle:
    at once with 1 reduce, at the end with 2 or 3.
    """
    times = [4.0, 7.0, *[6.0] * 8]
    for reduces, early in ((1, True), (2, False), (3, False)):
        one = job("a", tasks(10, times), tasks(reduces, 1.0), shuffle_mb_per_map=9000)
        result = result_of(simulate(scenario([node(2)], [one]), "fifo+lazy-start(window_s=5)"))
        asked = {c.requested for c in of(result, "reduce")}
        assert asked == ({5000} if early else {of(result, "map")[-1].start})


def test_the_end_of_a_window_starts_reduces_at_its_own_instant():
    """node1 holds 2 maps, node2 (vcores for one small reduce) none: it sleeps. Maps end at 4 and 6 s, two
    more run until 30 s and 3 are pending. Until the window ends at 10 s nothing is known. Then F_o = .2 a
    second, A_o = 2, r = 1: the shuffle of 700 s is overdue; the reduce starts at 10 s sharp, where no
    container ends, nothing arrives and no node beats of itself."""
    one = job(
        "a",
        tasks(7, [4.0, 6.0, 26.0, 24.0, 9.0, 9.0, 9.0], memory=4),
        tasks(1, 1.0, memory=1),
        shuffle_mb_per_map=10_000,
    )
    run = simulate(scenario([node(8), node(1)], [one]), "fifo+lazy-start")
    (reduce,) = of(result_of(run), "reduce")
    assert (reduce.requested, reduce.start, reduce.node) == (10_000, 10_000, "node2")
    assert 10_000 not in {time for c in of(result_of(run), "map") for time in (c.start, c.end)}


def many(seed):
    """Three jobs of random times on two nodes; map and reduce of one size."""
    maps = {"dist": "uniform", "low": 3, "high": 9}
    outputs = enumerate(zip("abc", (20, 60, 90)))
    jobs = [
        job(name, tasks(24, maps), tasks(2, 5.0), slowstart=0.1, shuffle_mb_per_map=mb, arrival_s=3 * number)
        for number, (name, mb) in outputs
    ]
    return scenario([node(8), node(8)], jobs, shuffle_mb_s=10).model_copy(update={"seed": seed})


def kept(run):
    """Jobs none of whose reduces was killed: those that are asked for again have no right of way."""
    killed = {c.job for c in result_of(run).containers if c.outcome == "killed"}
    return [name for name in run.workload.job_names if name not in killed]


def interleaved(run):
    """Of those, jobs that placed a map after their first reduce and before their last."""
    rows = []
    for name in kept(run):
        kinds = "".join(
            "R" if c.kind == "reduce" else "m" for c in result_of(run).containers if c.job == name
        )
        rows += [name] * ("m" in kinds.strip("m"))
    return rows


ORDERS = [
    "fifo",
    "fair",
    "drf",
    "capacity",
    "ffd-dp",
    "haste",
    "haste-a",
    "saf",
    "fresh",
    "priority-fifo",
    "batch-finish",
    "weighted",
    "weighted(fitness=-1)",
]


@pytest.mark.parametrize("order", ORDERS)
def test_principle_1_the_reduces_of_a_job_are_placed_one_after_another(order):
    """omo §IV-C, Principle 1: no map of a job between its reduces, on nodes that could take either; whatever
    the order. Both stand in no decision.
    """
    early = 0
    for seed in range(4):
        run, result = watched(many(seed), f"{order}+lazy-start(window_s=4)")
        assert interleaved(run) == []
        for one in result:
            assert not any(
                f"{name} map" in one.candidates and f"{name} reduce" in one.candidates for name in kept(run)
            )
        last_map = {name: of(result_of(run), "map", name)[-1].start for name in kept(run)}
        early += sum(c.job in last_map and c.start < last_map[c.job] for c in of(result_of(run), "reduce"))
    assert early > 0  # some reduces started before the last map: the principle was put to the test


def test_slow_start_does_not_keep_principle_1():
    assert any(interleaved(simulate(many(seed), order)) for seed in range(4) for order in ("haste", "fresh"))


def test_the_shuffle_is_expected_at_the_speed_at_which_reduces_were_seen_to_fetch():
    """Four nodes of one container, one with a fifth of memory 2 and slots for one map and one reduce.
    Contention 1 and fetch weight 1: beside a map a reduce fetches at half the rate. Job a's maps of 4 s feed
    a reduce on that node; b's gap counts 2 x 8 s at 1/2, where its nominal shuffle is 8 s."""
    slots = {"map_slots": 1, "reduce_slots": 1}
    jobs = [
        job("a", tasks(4, 4.0), tasks(1, 1.0), shuffle_mb_per_map=400),
        job("b", tasks(8, 5.0), tasks(1, 1.0), shuffle_mb_per_map=100),
    ]
    here = scenario([{**node(2), **slots}], jobs, shuffle_mb_s=100, contention=1, fetch_weight=1)
    seen = {}
    for bandwidth in ("observed", "nominal"):
        _, result = watched(
            here, f"fifo+lazy-start(window_s=1, ema=1, bandwidth={bandwidth})", REDUCE_START_AT
        )
        seen[bandwidth] = {
            one.terms["b"]["shuffle_time"]
            for one in result
            if "b" in one.terms and one.terms["b"]["shuffle_time"] > 0
        }
    assert seen["nominal"] == {8000}
    assert 16_000 in seen["observed"]


def test_jobs_that_share_are_those_that_run_or_those_with_pending_maps():
    """a's two maps run from 0 to 60 s and it is running all that time, with none pending after 0. b's 12 maps
    of 2 s on the two other containers: D = 2 for b where running jobs count, 1 where those with pending maps
    do, so a map more pending is worth half as much."""
    jobs = [job("a", tasks(2, 60.0), tasks(1, 1.0)), job("b", tasks(12, 2.0), tasks(1, 1.0))]
    steps = {}
    for which in ("running", "pending"):
        _, result = watched(
            scenario([node(4)], jobs), f"fifo+lazy-start(window_s=5, jobs={which})", REDUCE_START_AT
        )
        steps[which] = next(
            one.terms["b"]["step"] for one in result if one.at >= 5 and one.terms.get("b", {}).get("step")
        )
    assert steps["running"] == 2 * steps["pending"]


def test_where_a_map_more_would_take_for_ever_nothing_is_computed():
    """The frequency has faded to 1e-300 a ms: a pending map is worth more than any time, and no arithmetic
    overflows or warns.
    """
    view = SimpleNamespace(
        job_reduces=[1],
        release_frequency=[1e-300],
        available=[9.0],
        beta=[0.0],
        step=[0.0],
        pending_maps=[0.0],
        job_maps=[9],
        job_placed_maps=[3],
        running_jobs=[2],
        pending_jobs=[0.0],
        job_maps_done=[1],
        windows_closed=[1],
        job_fetch=[1e6],
        fetches_seen=[0],
    )
    assert may_start(0, view, 0.0, 0.0) == NOT_YET and math.isnan(view.beta[0])


def test_a_map_may_go_where_no_reduce_fits():
    """Reduces of 2 MB are due at 5 s and find no room; 1 MB is left on node2 time and again: maps go there
    before them.
    """
    one = job("a", tasks(12, [4.0, 6.0, *[5.5] * 10]), tasks(2, 1.0, memory=2), shuffle_mb_per_map=10_000)
    run, result = watched(scenario([node(3), node(1)], [one]), "priority-fifo+lazy-start(window_s=5)")
    reduces = of(result_of(run), "reduce")
    assert {c.requested for c in reduces} == {5000}
    assert [
        c.start for c in of(result_of(run), "map") if c.node == "node2" and 5000 <= c.start < reduces[0].start
    ]
    assert all(one.candidates == ["a map"] for one in result if one.node == 1)
