"""The fit: it finds what a cluster was made with, from the record of the jobs it was given and from nothing
else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Scenario, SchedulerError
from engine.dashboard import MAP, HistoryFit
from engine.dashboard import fit as fit_record
from engine.prediction.evidence import evidence
from engine.scenario.measured import fingerprint
from engine.simulation.measured_run import measured_run
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase


def fit(of: Scenario, jobs: Iterable[int] | None = None) -> HistoryFit:
    return fit_record(evidence(measured_run(of), jobs))


def applied(found: HistoryFit, of: Scenario, **given: Any) -> Scenario:
    return found.apply_to(evidence(measured_run(of)), **given)


@settings(max_examples=6, deadline=None)
@given(
    st.integers(1, 1000),
    st.sampled_from([1.0, 3.0, 5.0]),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from([0.0, 1.5]),
)
def test_launch_and_latency_are_found_again(seed, jvm_s, handed_over_s, latency_s):
    result = fit(
        history(truth(seed=seed, launch_s=jvm_s + handed_over_s, shuffle_latency_s=latency_s), jvm_s=jvm_s)
    )
    assert result.value("jvm_s") == pytest.approx(jvm_s, abs=0.01)
    assert result.value("shuffle_latency_s") == pytest.approx(latency_s, abs=0.01)
    assert result.value("handed_over_s") == pytest.approx(handed_over_s, abs=0.25)
    assert result["handed_over_s"].low - 0.25 <= handed_over_s <= result["handed_over_s"].high + 0.25


@settings(max_examples=5, deadline=None)
@given(st.integers(1, 1000), st.sampled_from([2.0, 10.0, 40.0]))
def test_the_fetch_rate_is_found_again(seed, rate):
    result = fit(
        history(
            truth(seed=seed, shuffle_mb=5.0, shuffle_mb_s=rate, launch_s=4.0, shuffle_latency_s=1.0),
            jvm_s=4.0,
        )
    )["shuffle_mb_s"]
    assert result.value == pytest.approx(rate, rel=0.02)
    assert result.low * 0.98 <= rate <= result.high * 1.02


def test_a_few_bytes_tell_no_fetch_rate():
    """At most 8 x 0.0001 MB of 23 maps: 0.02 MB a reduce, of which a rate of 0.01 MB/s would follow, and days
    for a large job.
    """
    result = fit(history(truth(shuffle_mb=0.0001, shuffle_mb_s=0.01, launch_s=4.0), jvm_s=4.0))
    assert result.value("shuffle_mb_s") is None


@settings(max_examples=5, deadline=None)
@given(st.integers(1, 1000), st.sampled_from([0.0, 0.1, 0.3]))
def test_contention_is_found_again(seed, contention):
    result = fit(history(truth(seed=seed, contention=contention, launch_s=3.0), jvm_s=3.0))["contention"]
    assert result.value == pytest.approx(contention, abs=0.04)
    assert result.low - 0.02 <= contention <= result.high + 0.02


def test_start_up_that_differs_has_an_interval_that_holds_its_median():
    result = fit(history(truth(40, startup={"dist": "normal", "mean": 9.0, "sd": 2.0})))["startup_s"]
    assert result.low < 9.0 < result.high
    assert (result.count, result.high - result.low < 3.0) == (40, True)


def test_lingering_is_found_where_the_record_knows_it():
    assert fit(history(truth(linger_s=8.0))).value("linger_s") == pytest.approx(8.0, abs=0.01)
    unknown = fit(history(truth(linger_s=8.0), master_ends_known=False))["linger_s"]
    assert (unknown.value, unknown.basis) == (None, phrase("prediction.not_in_record_when_masters"))


def beside(of: Scenario, job: dict, finish_ms: int) -> Scenario:
    """The same history, beside which another application ran."""
    plain = of.plain()
    plain["jobs"].append(job)
    for name, value in (("asked_ms", -1), ("finish_ms", finish_ms), ("failed", 0)):
        plain["measured"]["jobs"][name].append(value)
    plain["measured"]["of"] = fingerprint(Scenario.of({**plain, "measured": None}))
    return Scenario.of(plain)


def test_what_others_held_is_the_part_of_their_demand():
    """A master of 1,024 MB for 100 s and two containers of 2,048 MB for 50 s: 307,200 MB-s."""
    of = history(truth(contention=0.2))
    job = {"framework": "demand", "arrival_s": 10, "am": {"memory_mb": 1024, "vcores": 1}}
    stage = {"tasks": 2, "memory_mb": 2048, "vcores": 1, "duration_s": 50}
    mixed = beside(of, {**job, "stages": [stage]}, 110_000)
    result, columns = fit(mixed), of.measured.containers
    span_s = (max(columns.end_ms) - min(columns.start_ms)) / 1000
    assert result.value("others") == pytest.approx(307_200 / (span_s * 4 * 4096))
    assert result["contention"] == fit(of)["contention"]  # it slows nobody
    whole = applied(result, mixed)
    assert whole.cluster.contention == result.value("contention") > 0
    assert Scenario.of(whole.plain()).canonical == whole.canonical


def test_contention_is_off_beside_tasks_of_which_it_is_not_known_when_they_computed():
    of = history(truth(contention=0.2))
    stage = {"tasks": 2, "memory_mb": 2048, "vcores": 1, "duration_s": 50}
    mixed = beside(of, {"framework": "stages", "arrival_s": 10, "stages": [stage]}, 110_000)
    result = fit(mixed)["contention"]
    assert result.value is None and result.basis == phrase("prediction.contention_beside_others")
    alone = applied(fit(of), mixed)
    assert alone.cluster.contention == 0 and Scenario.of(alone.plain()).canonical == alone.canonical


def test_what_no_record_shows_is_said():
    result = fit(history(truth(1)))
    assert {one.key for one in result.parameters if one.value is None} >= {
        "others",
        "contention",
        "shuffle_mb_s",
    }
    assert "it is unknown" in result["others"].basis
    assert all(one.basis for one in result.parameters)


def changed_record(of: Scenario, judged: set[int]) -> Scenario:
    """The same history in which all that the judged jobs did took half as long again."""
    plain = of.plain()
    columns, jobs = plain["measured"]["containers"], plain["measured"]["jobs"]
    for place, job in enumerate(columns["job"]):
        if job in judged:
            arrival = round(1000 * of.jobs[job].arrival_s)
            for name in ("requested_ms", "start_ms", "begin_ms", "shuffle_end_ms", "end_ms"):
                if columns[name][place] >= 0:
                    columns[name][place] = arrival + (columns[name][place] - arrival) * 3 // 2
    for job in judged:
        arrival = round(1000 * of.jobs[job].arrival_s)
        for name in ("asked_ms", "finish_ms"):
            jobs[name][job] = arrival + (jobs[name][job] - arrival) * 3 // 2
    order = sorted(range(len(columns["job"])), key=lambda place: columns["start_ms"][place])
    plain["measured"]["containers"] = {
        name: [values[place] for place in order] for name, values in columns.items()
    }
    return Scenario.of(plain)


def test_nothing_is_fitted_to_what_is_judged():
    of = history(truth(launch_s=4.0, contention=0.2, shuffle_mb=5.0, shuffle_mb_s=10.0), jvm_s=3.0)
    other = changed_record(of, set(range(6, 12)))
    assert fit(other) != fit(of)
    assert fit(other, range(6)) == fit(of, range(6))


def test_what_is_fitted_is_taken_out_of_durations():
    of = history(truth(launch_s=4.5), jvm_s=4.0)
    result = fit(of)
    made = applied(result, of)
    assert made.cluster.launch_s == pytest.approx(4.5, abs=0.3)
    columns = of.measured.containers
    first = [
        place for place, (job, kind) in enumerate(zip(columns.job, columns.kind)) if (job, kind) == (0, MAP)
    ]
    recorded = {columns.index[place]: columns.end_ms[place] - columns.begin_ms[place] for place in first}
    values = made.jobs[0].maps.duration_s.values
    assert all(abs(1000 * value + 4000 - recorded[task]) <= 11 for task, value in enumerate(values))
    assert min(values) > 0
    off = applied(result, of, components=frozenset())
    assert (off.cluster.launch_s, off.jobs[0].am.startup_s, off.jobs[0].am.linger_s) == (0.0, 0.0, 0.0)
    assert Scenario.of(made.plain()).canonical == made.canonical


def test_without_jobs_or_a_record_there_is_no_fit():
    with pytest.raises(SchedulerError, match=phrase("prediction.choose_one_at_least")):
        fit(history(truth(2)), [])
    with pytest.raises(SchedulerError, match=phrase("common.this_scenario_has_none")):
        fit(truth(2))
