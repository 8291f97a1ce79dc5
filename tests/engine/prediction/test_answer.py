"""Before and after: gains that add up, and a band that is the replay's error and nothing else."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.metrics import summary
from engine.prediction.answer import (
    BEYOND,
    NO_RECORD,
    NOT_JUDGED,
    OTHER_RECORD,
    WITHIN,
    Gain,
    MetricChange,
    PredictionBaseline,
    answer,
    make_baseline,
    unvalidated_baseline,
    validated_baseline,
)
from engine.prediction.answer_text import answer_plain, answer_text, compared_text, gain_text
from engine.prediction.band import Band
from engine.prediction.prediction import predict
from engine.prediction.price import Price
from engine.prediction.question import QuestionError
from engine.prediction.questions import apply_question
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase
from tests.small_scenarios import job, node, scenario, tasks
from tests.spark_jobs import MIXED, SPARK

FAIR = parse("fair")
QUEUES = [{"name": "root.a"}, {"name": "root.b"}]
JOBS = st.lists(
    st.builds(
        lambda maps, seconds, queue, user, at: job(
            "", tasks(maps, float(seconds)), queue=queue, user=user, arrival_s=float(at)
        ),
        st.integers(1, 5),
        st.integers(1, 9),
        st.sampled_from(["root.a", "root.b"]),
        st.sampled_from(["ann", "bob"]),
        st.integers(0, 20),
    ),
    min_size=2,
    max_size=6,
)


def batch(jobs: list[dict]) -> Scenario:
    named = [{**one, "name": f"j{place}"} for place, one in enumerate(jobs)]
    return scenario([node(2, 2, name="n", count=2)], named, QUEUES)


@settings(deadline=None)
@given(jobs=JOBS, key=st.sampled_from(["nodes", "share", "limit", "scheduler", "shift", "growth", "rack"]))
def test_gains_add_up_however_they_are_grouped(jobs: list[dict], key: str) -> None:
    before = batch(jobs)
    result = answer(unvalidated_baseline(before, "fair"), apply_question(before, "fair", key))
    mean = result.metrics[1]
    sums = {kind: math.fsum(gain.gain_s for gain in gains) for kind, gains in result.gains.items()}
    assert all(total == pytest.approx(result.compared * -mean.change_s, abs=1e-6) for total in sums.values())
    assert all(
        sum(gain.jobs for gain in gains) == result.compared == len(jobs) for gains in result.gains.values()
    )
    for kind in result.gains:
        gained = [gain.gain_s for gain in result.gains[kind]]
        assert gained == sorted(gained, reverse=True)
        several = [gain.gain_s for gain in result.gains[kind] if kind != "group" or gain.jobs > 1]
        assert [gain.gain_s for gain in result.losers(kind)] == sorted(gain for gain in several if gain < 0)
        assert [gain.gain_s for gain in result.gainers(kind)] == [gain for gain in several if gain > 0]
    assert mean.before_s == pytest.approx(summary(simulate(before, "fair"))["mean_turnaround_s"])
    assert (result.added, result.left_out) == (1 if key == "growth" else 0, 0)  # 20 % of so few is one


def test_what_is_left_out_is_not_compared() -> None:
    before = batch([job("", tasks(2, 4.0), queue=queue) for queue in ("root.a", "root.a", "root.b")])
    result = answer(
        unvalidated_baseline(before, "fair"), apply_question(before, "fair", "drain", {"queue": "root.a"})
    )
    assert (result.compared, result.left_out, result.added) == (1, 2, 0)
    assert [gain.name for gain in result.gains["job"]] == ["j2"]
    assert "2 left out" in answer_text(result)


def test_jobs_that_are_refused_after_the_change_are_told() -> None:
    """Under capacity root.a takes no job, so the batch is as short as root.b's."""
    jobs = [job("", tasks(8, 10.0), queue=queue) for queue in ("root.a", "root.b")]
    plain = batch(jobs).plain()
    plain["queues"][0]["max_applications"] = 0
    before = Scenario.of(plain)
    change = apply_question(before, "fair", "scheduler", {"scheduler": "capacity"})
    result = answer(unvalidated_baseline(before, "fair"), change)
    told = phrase("prediction.more_jobs_given_up", "1 job", 0)
    assert told in result.caveats and told in answer_text(result) and result.compared == 1
    same = answer(unvalidated_baseline(before, "fair"), apply_question(before, "fair", "nodes"))
    assert not any("refused" in caveat for caveat in same.caveats)


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(0.99, 1.01, BEYOND), (0.5, 1.5, WITHIN), (1.2, 1.3, BEYOND)]
)
def test_a_change_is_larger_than_the_band_where_before_and_after_have_nothing_in_common(
    low: float, high: float, verdict: str
) -> None:
    before = batch([job("", tasks(8, 10.0), queue="root.a"), job("", tasks(8, 10.0), queue="root.b")])
    band = Band(low, high, 12, "as judged")
    result = answer(
        PredictionBaseline(before, FAIR, band, band, "Said."),
        apply_question(before, "fair", "nodes", {"nodes": 4}),
    )
    makespan = result.metrics[0]
    assert (makespan.before_s, makespan.after_s) == (40.0, 20.0) and makespan.verdict == verdict
    plain = answer_plain(result)["metrics"][0]
    assert plain["before_band_s"] == [round(40 * low, 3), round(40 * high, 3)] and plain[
        "larger_than_band"
    ] == (verdict == BEYOND)
    assert (
        result.meanings == [sentence for sentence in result.meanings if verdict in sentence]
        and len(result.meanings) == 1
    )


def test_without_a_record_there_is_no_band_and_it_is_said() -> None:
    before = batch([job("", tasks(8, 10.0), queue="root.a")])
    result = answer(make_baseline(before, FAIR), apply_question(before, "fair", "nodes", {"nodes": 4}))
    assert result.says == NO_RECORD and all(
        metric.band is None and metric.beyond is None and not metric.verdict for metric in result.metrics
    )
    assert not result.meanings and " to " not in answer_text(result).splitlines()[2]


def test_the_band_is_that_of_jobs_that_nothing_was_fitted_to() -> None:
    of = history(truth(6))
    result = make_baseline(of, FAIR)
    judged = predict(of, "fair")
    assert (result.finish, result.turnaround) == (
        judged.band,
        judged.turnaround_band,
    ) and result.finish.basis in result.says
    assert result == validated_baseline(judged) and result.scenario.digest == judged.scenario.digest
    text = answer(result, apply_question(result.scenario, "fair", "nodes"))
    assert text.metrics[0].band == judged.band and text.metrics[1].band == judged.turnaround_band


@pytest.mark.parametrize(("low", "high"), [(0.6, 0.8), (1.1, 1.3), (0.9, 1.1)])
def test_a_band_beside_its_time_is_told(low: float, high: float) -> None:
    judged = predict(history(truth(6)), "fair")
    around, beside = Band(0.9, 1.1, 3, "as judged"), Band(low, high, 3, "as judged")
    says = validated_baseline(replace(judged, band=around, turnaround_band=beside)).says
    assert (phrase("engine.measured_were_shorter") in says) == (high < 1)
    assert (phrase("engine.measured_were_longer") in says) == (low > 1)


def test_a_single_job_held_out_makes_no_band() -> None:
    judged = predict(history(truth(6)), "fair")
    for of, has_band in ((1, False), (2, True)):
        around = Band(0.9, 1.1, of, "as judged")
        found = validated_baseline(replace(judged, band=around, turnaround_band=around))
        assert (found.finish is not None, found.says != NOT_JUDGED) == (has_band, has_band)


def test_a_record_of_other_nodes_judges_nothing() -> None:
    of = history(truth(6))
    plain = of.plain()
    plain["cluster"]["nodes"][0]["memory_mb"] += 1
    assert make_baseline(Scenario.of(plain), FAIR).says == OTHER_RECORD


def test_a_batch_that_does_not_end_says_so() -> None:
    before = scenario(
        [node(2, 2, name="n", count=2), node(8, 8, name="large")],
        [job("big", tasks(1, 5.0, memory=8)), job("j", tasks(2))],
    )
    result = answer(
        unvalidated_baseline(before, "fifo"),
        apply_question(before, "fifo", "rack", {"lost": "large"}),
        price=Price.of("1"),
    )
    assert (
        result.stuck.startswith(phrase("prediction.changed_batch_does_not_end") + " ")
        and result.metrics[0].after_s is None
        and result.cost[1] is None
    )
    assert "does not end" in answer_text(result) and json.loads(json.dumps(answer_plain(result)))["stuck"]


def test_turnarounds_of_no_common_job_do_not_say_that_a_batch_does_not_end() -> None:
    makespan, mean = (
        compared_text(MetricChange(key, key, None, None, None)) for key in ("makespan_s", "mean_turnaround_s")
    )
    assert "does not end" in makespan
    assert mean == phrase("prediction.no_job_finishes_in_both")


@pytest.mark.parametrize(
    ("text", "words"),
    [("0.40 EUR", "1.60 EUR"), ("$0.40", "$1.60"), ("0,4", "1.60"), ("€ 300", "€1,200"), ("0.40€", "1.60 €")],
)
def test_a_price_is_written_as_it_was_given(text: str, words: str) -> None:
    price = Price.of(text)
    assert price.words(price.cost(8, 1800)) == words


@pytest.mark.parametrize("text", ["-1", "x", "1 2", "1e9", "nan", "0.4 EUROS-A", "1" * 40])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(QuestionError, match=phrase("prediction.amount_node_hour")):
        Price.of(text)
    assert Price.of(" ") is None


def test_cost_is_of_all_nodes_as_long_as_the_batch_takes() -> None:
    before = batch([job("", tasks(8, 900.0), queue="root.a")])
    result = answer(
        unvalidated_baseline(before, "fair"),
        apply_question(before, "fair", "nodes", {"nodes": 4}),
        price=Price.of("2 EUR"),
    )
    assert result.cost == (2 * 2 * 0.5, 2 * 4 * 0.25)
    assert "Cost " in answer_text(result) and "2.00 EUR instead of 2.00 EUR" in answer_text(result)


def test_what_is_no_mapreduce_is_called_an_application() -> None:
    spark = [{**SPARK, "queue": "root.a"}, {**SPARK, "name": "b", "queue": "root.b"}]
    mapreduce = MIXED["jobs"][1] | {"queue": "root.b"}
    for jobs, noun in (
        (spark, "application"),
        ([*spark, mapreduce], "application"),
        ([mapreduce, {**mapreduce, "name": "b", "queue": "root.a"}], "job"),
    ):
        before = Scenario.of({"version": 1, "cluster": MIXED["cluster"], "queues": QUEUES, "jobs": jobs})
        text = answer_text(
            answer(unvalidated_baseline(before, "fair"), apply_question(before, "fair", "growth"))
        )
        assert (f"% more {noun}s" in text, f"compared, {len(jobs)} {noun}s;" in text) == (True, True)
        assert f"by {noun}\n" in text


@pytest.mark.parametrize(
    ("before_s", "after_s", "before", "after"),
    [(20.2, 18.4, "20 s", "18 s"), (20.245, 20.204, "20.245 s", "20.204 s")],
)
def test_a_gain_that_rounds_away_is_told_to_the_millisecond(
    before_s: float, after_s: float, before: str, after: str
) -> None:
    gain = Gain("root.a", 2, before_s, after_s, 2 * (before_s - after_s))
    assert gain_text(gain, "jobs") == phrase("prediction.gain_each", "root.a", 2, after, before)
