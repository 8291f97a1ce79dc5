"""python -m engine sweep --executors: a Spark application over the number of its executors, and every way
such a call can be wrong.
"""

from __future__ import annotations

import json

import pytest

from engine import sample
from tests.hadoop.cluster.prediction_accuracy import RECORDED
from tests.phrases import phrase
from tests.spark_jobs import MIXED

SAMPLE = str(sample("spark-with-maximum.json"))


@pytest.fixture
def run(run):
    return lambda *arguments: run("sweep", *arguments)


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.json"
    path.write_text(json.dumps(MIXED))
    return str(path)


def test_text_and_json_say_the_same(run, mixed):
    code, out, err = run(mixed, "--executors", "etl=1:4", "--seeds", "3")
    assert (code, err) == (0, []) and out.startswith("etl under fair\n")
    plain = json.loads(run(mixed, "--executors", "etl=1:4", "--seeds", "3", "--json")[1])
    (of_fair,) = plain["schedulers"]
    assert of_fair["headline"] in out and all(sentence in out for sentence in of_fair["sentences"])
    assert [point["executors"] for point in of_fair["points"]] == [1, 2, 3, 4]
    own = [point["application_turnaround_s"] for point in of_fair["points"]]
    assert all(one["low"] < one["mean"] < one["high"] for one in own)
    assert own[3]["high"] < own[0]["low"]


def test_more_executors_for_one_are_fewer_for_the_others(run):
    plain = json.loads(run(SAMPLE, "--executors", "etl=2,8,14", "--jitter", "0", "--json")[1])
    points = plain["schedulers"][0]["points"]
    own, others = (
        [point[key]["mean"] for point in points]
        for key in ("application_turnaround_s", "others_mean_turnaround_s")
    )
    assert sorted(own, reverse=True) == own and sorted(others) == others and others[2] > 2 * others[0]
    # exact: at the present number it is what a run says
    assert (plain["executors"], own[1], others[1]) == (8, 232.5, 69.0)


def test_its_own_numbers_and_jitter_where_none_are_given(run):
    plain = json.loads(run(SAMPLE, "--executors", "etl", "--seeds", "2", "--json")[1])
    assert plain["study"]["jitter"] == 0.1
    assert [point["executors"] for point in plain["schedulers"][0]["points"]] == list(range(1, 17))


def test_the_study_makes_the_same_numbers_again(run, tmp_path):
    path = str(tmp_path / "study.json")
    given = (SAMPLE, "--executors", "etl=2,8", "--seeds", "2")
    assert run(*given, "--study", path, "--csv", str(tmp_path / "runs.csv"))[0] == 0
    found = json.loads(run(*given, "--json")[1])["schedulers"][0]["points"]
    again = json.loads(run(path, "--json")[1])["points"]
    for point, other in zip(found, again, strict=True):
        own = other["schedulers"][0]["metrics"]["application_turnaround_s"]
        assert own["mean"] == point["application_turnaround_s"]["mean"]


def test_a_name_may_have_signs_of_equality(run, tmp_path):
    path = tmp_path / "named.json"
    first, *others = MIXED["jobs"]
    path.write_text(json.dumps({**MIXED, "jobs": [{**first, "name": "etl day=7"}, *others]}))
    for call, numbers in (("etl day=7", range(1, 25)), ("etl day=7=2,4", (2, 4))):
        plain = json.loads(run(str(path), "--executors", call, "--seeds", "1", "--json")[1])
        assert plain["application"] == "etl day=7"
        assert {point["executors"] for point in plain["schedulers"][0]["points"]} <= set(numbers)


def test_a_history_is_read_as_it_was_recorded(run, tmp_path):
    code, out, err = run(str(RECORDED / "fair-spark-1.tar.gz"), "--executors", "fixed-1=2,4")
    assert code == 0 and out.startswith("fixed-1 under fair\n") and "held-out" in out
    assert err and all(line.startswith("assumed: ") for line in err)
    code, out, err = run(str(tmp_path), "--executors", "etl")
    assert (code, out) == (2, "") and err[-1].startswith(f"{tmp_path}: ")


def test_an_event_log_alone_is_read_as_a_history(run, tmp_path):
    (tmp_path / "log").write_text('{"Event":"SparkListenerLogStart","Spark Version":"3.5.6"}\n')
    code, out, err = run(str(tmp_path / "log"), "--executors", "etl")
    assert (code, out, err) == (2, "", [phrase("history.no_task_of_spark_ran", "log")])


def test_several_schedulers_have_a_curve_each(run, mixed):
    given = (mixed, "--executors", "etl=1,6", "--seeds", "2", "--scheduler", "fifo", "--scheduler", "fair")
    plain = json.loads(run(*given, "--json")[1])
    assert [one["scheduler"] for one in plain["schedulers"]] == ["fifo", "fair"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--executors", "etk"),
            [phrase("commands.no_spark_application_called", "--executors etk", "'etk'")],
        ),
        (
            ("--executors", "nobody"),
            [phrase("commands.no_spark_application_choose", "--executors nobody", "'nobody'", "etl")],
        ),
        (("--executors", "report"), ["--executors report: "]),
        (("--executors", "etl="), [phrase("commands.must_be_name_of_application", "--executors", "''")]),
        (("--executors", "etl=1:2:3:4"), ["--executors '1:2:3:4' "]),
        (("--executors", "etl=0:4"), ["--executors etl: "]),
        (
            ("--executors", "etl=1:1000000000"),
            [phrase("commands.number_of_executors_must_be", "--executors etl", 1_000_000_000)],
        ),
        (
            ("--executors", "etl=1,,2"),
            [phrase("commands.number_of_executors_must_be", "--executors etl", "''")],
        ),
        (("--executors", "etl=4:1"), ["--executors 'etl=4:1' "]),
        (("--executors", "etl=a:4"), ["--executors etl: "]),
        (("--executors", "etl=2,2"), ["--executors etl: "]),
        (("--executors", "etl=1,two"), ["--executors etl: "]),
        (("--executors", "etl", "--vary", "seed=1"), [phrase("commands.executors_cant_be_given_with")]),
        (("--executors", "etl", "--metric", "makespan_s"), [phrase("commands.executors_cant_be_given_with")]),
    ],
)
def test_a_call_that_is_wrong_is_told(run, arguments, says):
    code, out, err = run(SAMPLE, *arguments)
    assert (code, out, len(err)) == (2, "", len(says))
    assert all(line.startswith(start) for line, start in zip(err, says))


def test_a_record_of_a_cluster_gives_its_band(run, shared, tmp_path):
    from engine.commands.streams import read_inputs

    folder = shared("data/mini-spark/fair")
    parts = [
        *sorted((folder / "events").iterdir()),
        folder / "apps.json",
        *sorted((folder / "conf").iterdir()),
    ]
    scenario = read_inputs([str(part) for part in parts]).scenario
    path = tmp_path / "history.json"
    path.write_text(json.dumps(scenario.plain()))
    plain = json.loads(run(str(path), "--executors", "dyn1=1,4,10", "--json")[1])
    assert "measured" not in plain["study"]["scenario"] and plain["study"]["seeds"] == 1
    shares = {
        (round(own["low"] / own["mean"], 6), round(own["high"] / own["mean"], 6))
        for point in plain["schedulers"][0]["points"]
        if (own := point["application_turnaround_s"])
    }
    assert len(shares) == 1, "the same band around each"
    ((low, high),) = shares
    assert low < high and "held-out" in plain["intervals"]
    two = ("--scheduler", "fifo", "--scheduler", "fair")
    assert run(str(path), "--executors", "dyn1", *two)[2] == [phrase("commands.fitted_under_one_scheduler")]
