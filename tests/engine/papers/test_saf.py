"""SAF's experiments: their scenarios against the paper's tables, their claims, the two settings, and the
orders that test a reason, worked by hand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.analysis.metrics import makespan_ms
from engine.errors import SchedulerError
from engine.papers.columns import FULL_NAMES, full_names
from engine.papers.haste.calibrations import FIRST
from engine.papers.haste.workloads import simple
from engine.papers.saf import PAPER, cloudsim, gaussian, published_code, wordcount, worked_examples
from engine.papers.saf.custom_schedulers import (
    AS_PUBLISHED,
    DRF_BY_REQUEST,
    IN_LINE,
    LARGEST_FIRST,
    SAF_BY_REQUEST,
    SAF_PAIRWISE,
)
from engine.papers.saf.host import (
    HOST,
    SIZES,
    UNIFORM,
    Host,
    checked_tasks,
    first_tasks,
    lower_bound_s,
    tasks,
)
from engine.papers.saf.settings import HASTE_SETTING, SETTINGS, SLS_SETTING, four_jobs, in_table_order
from engine.papers.saf.usage_identity import implied_pct, max_deviation
from engine.papers.schema import ALGORITHM, FAILS, FORMULA, Printed
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.policy import ORDER_AT
from engine.schedulers.scheduler import parse
from engine.schedulers.view import MASTER
from engine.simulation.simulate import simulate
from tests.engine.papers.by_size import by_size
from tests.engine.papers.conftest import Reproduced
from tests.engine.results import result_of
from tests.small_scenarios import job, node, placed, scenario
from tests.small_scenarios import tasks as maps

EXPERIMENTS = {one.key: one for one in PAPER.experiments}


def small(value: dict) -> dict:
    return {"memory_mb": value.get("memory", 0), "vcores": value.get("vcores", 0)}


# --- every experiment


@pytest.mark.parametrize("key", ["figure-2", "table-4"])
def test_the_examples_by_hand_agree(key: str, reproduced: Callable[[str], Reproduced]) -> None:
    result, _ = reproduced(f"saf/{key}")
    assert all(FAILS not in finding.states.values() for finding in result.shown.findings)


@pytest.mark.parametrize(
    "key", by_size(["wordcount", "cloudsim", "entropies", "coolings", "gaussian"], "saf")
)
def test_every_claim_is_measured(key: str, reproduced: Callable[[str], Reproduced]) -> None:
    """`judge_claim` raises KeyError for a name that was not measured; notes and pictures are there."""
    result, _ = reproduced(f"saf/{key}")
    assert result.shown.pictures and result.shown.notes
    for one in result.readings:
        assert len(one.findings) == len(EXPERIMENTS[key].claims)
        assert all(math.isfinite(value) for values in one.samples.values() for value in values)
        assert all(len(series.y) == len(series.x) for picture in one.pictures for series in picture.series)


def test_what_a_claim_rests_on() -> None:
    """Ratios and fitness of the text are formulas; DRF's and SAF's steps follow from their rules; nothing
    else is by hand.
    """
    formulas = [claim.what for claim in EXPERIMENTS["table-4"].claims if claim.basis == FORMULA]
    assert len(formulas) == 4 and all("ratio" in what or "Fitness" in what for what in formulas)
    assert {claim.basis for key in ("figure-2", "table-4") for claim in EXPERIMENTS[key].claims} == {
        FORMULA,
        ALGORITHM,
    }
    assert {
        claim.basis
        for key in EXPERIMENTS
        for claim in EXPERIMENTS[key].claims
        if key not in ("figure-2", "table-4")
    } == {"test bed"}


def test_of_table_4_the_steps_that_a_choice_decides_are_judged() -> None:
    judged = [
        claim.key
        for claim in EXPERIMENTS["table-4"].claims
        if claim.key.startswith("drf/") and not claim.untestable
    ]
    assert judged == [f"drf/{key}/{step}" for step in (2, 3) for key in worked_examples.TABLE_4]


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_what_is_shown_opens_and_runs(key: str) -> None:
    for show in EXPERIMENTS[key].shows():
        assert Scenario.read(show.scenario.json()) == show.scenario
        for name in show.schedulers:
            assert simulate(show.scenario, name).status == "finished"


def test_the_paper_s_numbers_stand_in_the_paper(shared) -> None:
    text = Path(shared("papers/saf.txt")).read_text("utf-8")
    words = set(re.findall(r"\d+(?:\.\d+)?", text))
    for one in (
        claim for experiment in PAPER.experiments for claim in experiment.claims if isinstance(claim, Printed)
    ):
        assert f"{abs(one.number):g}" in words, one


# --- the identity


def test_more_usage_of_the_same_work_is_less_time() -> None:
    """+100 % usage: half the time. 157 %: 1 / 2.57 = .3891, so -61.09. 90 %: 1 / 1.9 = .5263. The inverse:
    2395 / 1404 = 1.70584.
    """
    assert implied_pct(100) == -50
    assert implied_pct(157) == pytest.approx(-61.09, abs=0.005)
    assert implied_pct(90) == pytest.approx(-47.37, abs=0.005)
    assert implied_pct(70.584) == pytest.approx(100 * (1404 - 2395) / 2395, abs=0.001)
    assert max_deviation([100.0, 0.0], [-49.0, 0.5]) == 1.0


# --- Fig. 2


def test_figure_2_as_drawn() -> None:
    assert worked_examples.units_left(simulate(worked_examples.figure_2(), FULL_NAMES["drf"])) == {
        "left": 2,
        "c": 0,
    }
    assert worked_examples.units_left(simulate(worked_examples.figure_2(weight=2.0), FULL_NAMES["drf"])) == {
        "left": 1,
        "c": 1,
    }


def test_the_shares_of_figure_2_are_as_one_to_two_to_three() -> None:
    result = worked_examples.figure_2()
    held = [one.maps.memory_mb for one in result.jobs]
    assert [one / held[0] for one in held] == [1, 2, 3] and sum(held) == result.cluster.nodes[0].memory_mb
    assert [one.memory_mb // worked_examples.UNIT_MB for one in result.cluster.nodes[1:]] == [2, 3]


# --- Table 5


def test_table_5() -> None:
    result = four_jobs(16)
    assert [(one.maps.count, one.maps.vcores, one.maps.memory_mb) for one in result.jobs] == [
        (31, cores, 1024) for cores in (2, 3, 4, 5)
    ]
    assert [(one.reduces.count, one.reduces.vcores, one.reduces.memory_mb) for one in result.jobs] == [
        (5, cores, 1024) for cores in (2, 2, 3, 3)
    ]
    assert all(
        (one.am.vcores, one.am.memory_mb) == (1, 1024) and one.slowstart == 1 and one.shuffle_mb_per_map == 0
        for one in result.jobs
    )
    (group,) = result.cluster.nodes
    assert (group.count, group.vcores, group.memory_mb) == (16, 8, 8192)
    assert sum(one.maps.count * one.maps.vcores for one in result.jobs) == 434


def test_on_128_nodes_no_request_waits_for_room() -> None:
    """Each node is asked once a second and takes one container: nothing waits longer than 1 s for its first,
    or 2 s in the wave of 124 maps.
    """
    result = simulate(four_jobs(128), FULL_NAMES["drf"]).containers
    assert int((result.start - result.requested).max()) <= 2000


def test_usage_and_makespan_have_the_work_for_product() -> None:
    """GB x makespan and vcores x makespan, without what the masters hold, are the same under any order, and
    no order is faster than the least time.
    """
    works, least = [], set()
    for name in (*full_names(("drf", "saf", "fifo")), AS_PUBLISHED):
        run = simulate(four_jobs(8, 5), name)
        result, c = wordcount.measured(run), run.containers
        masters = float((c.end - c.start)[c.kind == MASTER].sum()) / 1000  # of 1 GB and 1 vcore each
        works.append([result[what] * result["makespan_s"] - masters for what in ("vcores", "memory")])
        least.add(round(result["least_s"], 6))
        assert result["least_s"] <= result["makespan_s"] and result["waiting"] == 0
    assert works == [pytest.approx(works[0])] * len(works)
    assert len(least) == 1


# --- the settings


def test_haste_s_setting_is_haste_s_but_for_its_nodes() -> None:
    mb_s = HASTE_SETTING.make(8, 3).cluster.shuffle_mb_s
    assert HASTE_SETTING.make(8, 3).model_copy(update={"name": ""}) == simple(3, mb_s).model_copy(
        update={"name": ""}
    )
    result = HASTE_SETTING.make(64, 3)
    (group,) = result.cluster.nodes
    assert (group.count, group.vcores, group.memory_mb) == (64, 8, 8192)
    assert all(
        one.am is not None and one.slowstart == 0.05 and one.shuffle_mb_per_map > 0 for one in result.jobs
    )
    assert {one.make(8, 1).cluster.shuffle_mb_s for one in SETTINGS[1:]} == {FIRST.mb_s}
    assert [one.schedulers["saf"].reduce_start.policy.name for one in SETTINGS] == [
        "slowstart",
        "slowstart",
        "ramp-up",
    ] and "+ramp-up+" in SETTINGS[2].drf
    assert "reservations=yes" in HASTE_SETTING.drf and "reservations=no" in SLS_SETTING.drf
    assert EXPERIMENTS["wordcount"].shown.key == SLS_SETTING.key


def test_both_settings_run_table_5() -> None:
    requested = [
        [
            (one.name, one.maps.count, one.maps.vcores, one.reduces.count, one.reduces.vcores)
            for one in in_table_order(made).jobs
        ]
        for made in (SLS_SETTING.make(8, 2), HASTE_SETTING.make(8, 2))
    ]
    assert requested[0] == requested[1] and len(requested[0]) == 4


def test_fewer_reduces_wait_under_saf_on_haste_s_eight_nodes() -> None:
    runs = {
        name: [
            wordcount.measured(simulate(HASTE_SETTING.make(8, seed), HASTE_SETTING.schedulers[name]))
            for seed in range(1, 9)
        ]
        for name in ("drf", "saf")
    }
    waiting = {name: sum(one["waiting"] for one in result) for name, result in runs.items()}
    assert 0 < waiting["saf"] < waiting["drf"]


def test_how_much_shorter() -> None:
    assert wordcount.shorter_pct(200.0, 150.0) == 25 and wordcount.shorter_pct(100.0, 130.0) == -30
    assert (
        wordcount.shorter_pct(math.inf, 5.0),
        wordcount.shorter_pct(math.inf, math.inf),
        wordcount.shorter_pct(5.0, math.inf),
    ) == (100, 0, -math.inf)


def test_the_headline_s_point_is_the_experiment_s() -> None:
    """At eight nodes and slowstart 0.05 it runs what the experiment runs on HaSTE's setting."""
    few, headline = Trial(seeds=range(1, 4)), PAPER.headline
    assert (
        headline.measure(8, 0.05, few)[headline.key]
        == wordcount.measure(HASTE_SETTING, few).samples[headline.key]
    )
    assert (headline.x.calibrated, headline.y.calibrated) == (8, 0.05) and headline.claim in EXPERIMENTS[
        "wordcount"
    ].claims


# --- the host


def test_a_vm_and_its_tasks() -> None:
    result = tasks(UNIFORM, HOST, 7)
    (group,) = result.cluster.nodes
    assert (group.count, group.vcores, group.memory_mb) == (HOST.vms, 16, 2000)
    assert len(result.jobs) == max(SIZES) == 1050
    for one in result.jobs:
        assert (
            1 <= one.maps.vcores <= 8
            and 100 <= one.maps.memory_mb <= 2000
            and one.maps.duration_s == 10
            and one.maps.count == 1
        )
        assert (
            one.min_share.memory_mb == int(HOST.min_share * one.maps.memory_mb)
            and one.reduces is None
            and one.am is None
        )
    # Uniform: means 4.5 and 1050, standard errors 2.29 / sqrt(1050) = .071 and 548.7 / sqrt(1050) = 16.9;
    # within 4 of them.
    assert sum(one.maps.vcores for one in result.jobs) / 1050 == pytest.approx(4.5, abs=0.29)
    assert sum(one.maps.memory_mb for one in result.jobs) / 1050 == pytest.approx(1050, abs=68)


@pytest.mark.parametrize("name", gaussian.LOADS)
def test_gaussian_requests(name: str) -> None:
    """Means as in Fig. 13: the range lies 1.5 deviations to either side at least, so that clipping moves a
    mean by less than .03 of one.
    """
    load = gaussian.LOADS[name]
    result = tasks(load, HOST, 3).jobs
    assert sum(one.maps.vcores for one in result) / 1050 == pytest.approx(load.cpu, abs=0.16 + 0.03)
    assert sum(one.maps.memory_mb for one in result) / 1050 == pytest.approx(load.ram, abs=40 + 10)
    assert all(1 <= one.maps.vcores <= 8 and 100 <= one.maps.memory_mb <= 2000 for one in result)


def test_scenarios_made_without_checks_are_valid_and_nested() -> None:
    complete = tasks(UNIFORM, HOST, 2)
    assert (
        checked_tasks(UNIFORM, HOST, 2, 150).canonical
        == first_tasks(complete, 150).canonical
        == tasks(UNIFORM, HOST, 2, 150).canonical
    )
    assert tasks(UNIFORM, HOST, 3, 150).canonical != first_tasks(complete, 150).canonical
    assert tasks(UNIFORM, Host(4, 0.0), 2, 1).jobs[0].min_share is None


def test_the_least_time_of_any_order() -> None:
    """Five tasks of 1100 MB on 2 VMs of 2000 MB: no two share a VM, so 3 rounds of 10 s; by memory alone it
    would be 5500 / 4000, 2 rounds.
    """
    of = tasks(UNIFORM, Host(2, 0.0), 1, 5)
    large = [
        one.model_copy(update={"maps": one.maps.model_copy(update={"vcores": 1, "memory_mb": 1100})})
        for one in of.jobs
    ]
    result = of.model_construct(**{**dict(of), "jobs": large})
    assert (
        lower_bound_s(result, Host(2, 0.0)) == 30 == makespan_ms(simulate(result, FULL_NAMES["drf"])) / 1000
    )
    for seed in range(3):
        one = tasks(UNIFORM, HOST, seed, 150)
        assert lower_bound_s(one, HOST) <= makespan_ms(simulate(one, LARGEST_FIRST)) / 1000


@pytest.mark.parametrize("least", [0.125, HOST.min_share, 1.0])
def test_waiting_tasks_with_minimum_shares_are_all_needy_so_saf_is_drf(least: float) -> None:
    one = tasks(UNIFORM, Host(3, least), 4, 250)
    assert (
        result_of(simulate(one, FULL_NAMES["saf"])).containers
        == result_of(simulate(one, FULL_NAMES["drf"])).containers
    )


def test_the_line_through_points() -> None:
    assert cloudsim.line((0, 1, 2), (5.0, 3.0, 1.0)) == (-2.0, 5.0)


# --- the authors' published code


def three(**shares: dict) -> Scenario:
    """a, b and c have 20 tasks of 10, 5 and 3 MB on a node of 100 MB."""
    jobs = [
        job(name, maps(20, 9.0, memory), min_share=small(shares[name]) if name in shares else None)
        for name, memory in (("a", 10), ("b", 5), ("c", 3))
    ]
    return scenario([node(100, 1000)], jobs)


def test_who_holds_more_goes_first_in_the_published_code() -> None:
    """At T = 0 the smallest demand, c's 60 MB against 200 and 100, goes first, twice; from then on T > 0 and
    c holds most, until it has none left (60 MB). Then a and b hold nothing: job order; and a has more than b
    until 40 MB are full."""
    assert placed(result_of(simulate(three(), AS_PUBLISHED)))[:24] == "c" * 20 + "a" * 4


def test_the_published_temperature_counts_what_it_has_counted_before() -> None:
    """First decision: b beats a, c beats b, at no temperature; T of b's one fitness value is 0. In the
    second, b's is counted again and c's once: p = 2/3, 1/3, T = -1000 (2/3 log 2/3 + 1/3 log 1/3) = 276.43.
    """
    heats = []
    simulate(
        three(),
        AS_PUBLISHED,
        plain=True,
        watch=lambda told: heats.append(float(told.view.temperature[0])) if told.place == ORDER_AT else None,
    )
    assert heats[0] == 0 and heats[1] == pytest.approx(276.43, abs=0.005)


def test_needy_jobs_go_by_their_minimum_shares_as_they_stand_in_the_published_code() -> None:
    """All below their minimum shares: b's 4 MB is the smallest number, then c's 6, then a's 20, though by
    share of it all have 0. c needs 2 tasks for its 6 MB, a 2 for its 20."""
    result = placed(
        result_of(simulate(three(a={"memory": 20}, b={"memory": 4}, c={"memory": 6}), AS_PUBLISHED))
    )
    assert result[:5] == "bccaa"


def test_the_published_fitness_is_in_32_bits() -> None:
    """a, 60000 MB and 1 vcore, has a smaller demand than b's 70000 and 2: it wins, with 60000 x 65536 + 1 x
    100 = 3932160100, which is over 2^31.
    """
    fitness = []
    big = scenario([node(65536, 100)], [job("a", maps(1, 9.0, 60000)), job("b", maps(2, 9.0, 35000))])
    simulate(
        big,
        AS_PUBLISHED,
        plain=True,
        watch=lambda told: fitness.append(told.view.job_fitness.tolist()) if told.place == ORDER_AT else None,
    )
    assert fitness[0] == [3932160100 - 2**32, 0]


@pytest.mark.gallery
def test_the_published_code_runs_from_its_file_as_it_does_here() -> None:
    from_file = parse(f"{published_code.__file__}+slowstart+admit-all", files=True)
    one = four_jobs(8, 3)
    assert result_of(simulate(one, from_file)).containers == result_of(simulate(one, AS_PUBLISHED)).containers
    assert (
        result_of(simulate(one, AS_PUBLISHED, plain=True)).containers
        == result_of(simulate(one, AS_PUBLISHED)).containers
    )
    with pytest.raises(SchedulerError):
        parse("saf-published")  # it tests a reason, and is in no catalogue


# --- other readings


def one_each() -> Scenario:
    """Tasks of 3, 1, 4 and 2 MB on a node of 5 MB."""
    return scenario(
        [node(5)],
        [job(name, maps(1, 9.0, memory)) for name, memory in (("a", 3), ("b", 1), ("c", 4), ("d", 2))],
    )


def test_readings_by_hand() -> None:
    """Least first: b and d, 3 of 5 MB; when they end, a; then c. Most first: c and b, 5; then a and d. In
    line: a and b, 4; c waits for 4 and d, though it would fit, waits behind it."""
    assert placed(result_of(simulate(one_each(), DRF_BY_REQUEST))) == "bdac"
    assert placed(result_of(simulate(one_each(), LARGEST_FIRST))) == "cbad"
    in_line = result_of(simulate(one_each(), IN_LINE))
    assert [(one.job, one.start) for one in in_line.containers] == [
        ("a", 0),
        ("b", 0),
        ("c", 9000),
        ("d", 18000),
    ]


def jobs_of(sizes: dict[str, int]) -> Scenario:
    """One task each, of so many MB, on a node of 10 MB."""
    return scenario([node(10)], [job(name, maps(1, 9.0, memory)) for name, memory in sizes.items()])


def test_algorithm_1_goes_along_the_list() -> None:
    """Nothing runs, and then one size: no entropy, so the smallest, b and d. Then T = 301: of a and c the
    next in the list wins with exp(-0.1 / 301), though it asks for more; where c stands first a is less, and
    wins.
    """
    assert placed(result_of(simulate(jobs_of({"a": 3, "b": 1, "c": 4, "d": 2}), DRF_BY_REQUEST))) == "bdac"
    one = jobs_of({"a": 3, "b": 1, "c": 4, "d": 2})
    assert placed(result_of(simulate(one, SAF_BY_REQUEST))) == "bdca"
    assert placed(result_of(simulate(jobs_of({"c": 4, "a": 3, "b": 1, "d": 2}), SAF_BY_REQUEST))) == "bdac"
    assert (
        result_of(simulate(one, SAF_BY_REQUEST, plain=True)).containers
        == result_of(simulate(one, SAF_BY_REQUEST)).containers
    )


def test_needy_instances_are_not_drawn_for() -> None:
    """By what they hold all that wait are needy: DRF by the list. By the request nobody is."""
    needy = scenario(
        [node(10)],
        [
            job(name, maps(1, 9.0, memory), min_share=small({"memory": 1}))
            for name, memory in (("a", 3), ("b", 1))
        ],
    )
    assert placed(result_of(simulate(needy, SAF_PAIRWISE))) == "ab"
    assert placed(result_of(simulate(needy, SAF_BY_REQUEST))) == "ba"


def test_the_last_of_table_5_s_list_is_served_first_in_sls() -> None:
    """At T of hundreds nearly every draw is won by the next job: job 4 has most of its maps first."""
    run = simulate(four_jobs(8, 2), SAF_PAIRWISE)
    done = [
        int(run.containers.end[(run.containers.job == number) & (run.containers.kind != MASTER)].max())
        for number in range(4)
    ]
    assert done[3] == min(done)
