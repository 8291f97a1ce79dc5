"""python -m engine sweep: what it prints and writes, its exit codes, and every way a call can be wrong."""

from __future__ import annotations

import json
import sys

import pandas as pd
import pytest

from engine import Study, run_study, sample, study_table
from engine.commands import study_commands
from engine.experiments.ranges import step_between
from tests.phrases import phrase

WORDCOUNT = str(sample("wordcount.json"))
SLOW = "jobs[*].slowstart"
TWO = (
    "--scheduler",
    "fifo",
    "--scheduler",
    "fair",
    "--vary",
    f"{SLOW}=0.05,0.8",
    "--jitter",
    "0.2",
    "--seeds",
    "4",
)


@pytest.fixture
def run(run):
    return lambda *arguments: run("sweep", *arguments)


def study(**more) -> Study:
    plain = json.loads(sample("wordcount.json").read_bytes())
    given = {
        "schedulers": ["fifo", "fair"],
        "vary": [{"path": SLOW, "values": [0.05, 0.8]}],
        "jitter": 0.2,
        "seeds": 4,
    }
    return Study.of({"version": 1, "scenario": plain, **given, **more})


def test_it_prints_means_differences_and_who_is_best(run):
    code, out, err = run(WORDCOUNT, *TWO)
    assert (code, err, out) == (0, [], study_table(run_study(study()), ["makespan_s"]))
    assert (
        "fair - fifo" in out and "Makespan: " in out and phrase("commands.so_all_hold_at_once", 2, 95) in out
    )
    assert run(WORDCOUNT, *TWO)[1] == out, "the same bytes twice"


def test_two_parameters_make_a_map(run):
    code, out, _ = run(WORDCOUNT, *TWO, "--vary", "cluster.nodes.total=4,8")
    assert (
        code == 0
        and phrase("commands.best_makespan_and_margin") in out
        and phrase("commands.down_all_jobs_slow_start") in out
    )


def test_where_nothing_is_drawn_one_seed_says_all(run):
    code, out, err = run(WORDCOUNT, "--scheduler", "fair", "--json")
    result = json.loads(out)
    assert (code, err, result["random"], result["study"]["seeds"]) == (0, [], False, 1)
    assert json.loads(run(WORDCOUNT, "--jitter", "0.1", "--json")[1])["study"]["seeds"] == 30


def test_json_holds_all_that_is_compared(run):
    code, out, err = run(WORDCOUNT, *TWO, "--json")
    result = json.loads(out)
    assert (code, err) == (0, []) and Study.of(result["study"]).digest == study().digest
    assert len(result["points"]) == 2 and set(result["points"][0]["winners"]) == set(study().metrics)


def test_files_are_those_of_the_study_and_read_back(run, tmp_path):
    names = {
        option: str(tmp_path / f"new/study.{option}") for option in ("csv", "parquet", "svg", "pdf", "json")
    }
    files = (
        "--csv",
        names["csv"],
        "--parquet",
        names["parquet"],
        "--figure",
        names["svg"],
        "--figure",
        names["pdf"],
        "--study",
        names["json"],
    )
    code, out, err = run(WORDCOUNT, *TWO, *files)
    assert (code, err) == (0, []) and out.startswith("Four WordCount jobs\n")
    frame = run_study(study()).frame()
    pd.testing.assert_frame_equal(pd.read_parquet(names["parquet"]), frame)
    again = {name: (tmp_path / "new" / f"study.{name}").read_bytes() for name in names}
    assert again["csv"].decode() == frame.to_csv(index=False)
    assert again["svg"].startswith(b"<?xml") and again["pdf"].startswith(b"%PDF")
    run(WORDCOUNT, *TWO, *files, "--wide")
    wide = {name: (tmp_path / "new" / f"study.{name}").read_bytes() for name in names}
    assert {name for name in names if wide[name] != again[name]} == {"svg", "pdf"}, (
        "the same bytes twice, but where another width is asked for"
    )
    assert run(names["json"])[1] == out, "a study file makes the same table"


def test_what_is_given_besides_replaces_what_a_study_file_says(run, tmp_path):
    path = tmp_path / "study.json"
    path.write_text(study(metrics=["mean_wait_s"], seeds=2).json())
    code, out, _ = run(str(path), "--scheduler", "drf", "--vary", "cluster.nodes.total=4:8:2", "--json")
    result = json.loads(out)["study"]
    assert (code, result["schedulers"], result["metrics"], result["seeds"], result["jitter"]) == (
        0,
        ["drf"],
        ["mean_wait_s"],
        2,
        0.2,
    )
    assert result["vary"] == [{"path": "cluster.nodes.total", "values": [4, 6, 8]}]
    out = run(str(path), "--metric", "makespan_s")[1]
    assert "\nMakespan (s)  " in out and "\nMean wait (s)  " not in out


@pytest.mark.parametrize(
    ("given", "values"),
    [
        (f"{SLOW}=0:1", [round(place / 20, 2) for place in range(21)]),
        ("cluster.nodes.total=2:6", [2, 3, 4, 5, 6]),
        ("cluster.nodes[0].speed = 0.5 , 1,2", [0.5, 1, 2]),
        ("jobs[*].maps.duration_s=10:20:5", [10, 15, 20]),
        ("schedulers[0].fair.reservations=yes,no", ["yes", "no"]),
    ],
)
def test_ranges(run, given, values):
    code, out, err = run(WORDCOUNT, "--vary", given, "--json")
    assert (code, err, json.loads(out)["study"]["vary"][0]["values"]) == (0, [], values)


def test_the_step_of_a_range_follows_its_ends():
    assert step_between(0, 1, is_integer=False) == 0.05
    assert step_between(0.01, 1, is_integer=False) == 0.01
    assert step_between(0, 5, is_integer=False) == 0.1
    assert (step_between(1, 50, is_integer=True), step_between(0, 1000, is_integer=True)) == (1, 20)
    assert step_between(1024, 8192, is_integer=True, unit="MB") == 256


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--vary", "x"),
            [phrase("commands.must_be_range_being_or", "--vary", "'x'", "PARAMETER=RANGE", "a,b,c")],
        ),
        (("--vary", f"{SLOW}=1:2:3:4"), [f"--vary '{SLOW}=1:2:3:4' must be PARAMETER=RANGE"]),
        (
            ("--vary", f"{SLOW}=1:0"),
            [phrase("commands.must_go_from_smaller_larger", "--vary", f"'{SLOW}=1:0'", 0)],
        ),
        (("--vary", f"{SLOW}=0:1:0"), [phrase("commands.must_go_from_smaller", "--vary", f"'{SLOW}=0:1:0'")]),
        (("--vary", f"{SLOW}=0:a"), [phrase("commands.must_be_number", "--vary", SLOW, "'a'")]),
        (("--vary", f"{SLOW}=0:inf"), [phrase("commands.must_be_number", "--vary", SLOW, "'inf'")]),
        (("--vary", f"{SLOW}=nan"), [phrase("commands.must_be_numbers_or_choices", "--vary", SLOW)]),
        (
            ("--vary", f"{SLOW}=0:1:1e-9"),
            [phrase("commands.must_have_values_or_first", "--vary", SLOW, 0, "10,000")],
        ),
        (("--vary", "jobs[*].slow=1"), ["--vary jobs[*].slow: "]),
        (
            ("--vary", "jobs[9].weight=1"),
            [phrase("commands.there_no_entry", "--vary", "jobs[9].weight", "jobs[9].weight", 9)],
        ),
        (
            ("--scheduler", "fair", "--scheduler", "fiar"),
            [phrase("commands.fiar_no_order_named_did", "--scheduler", "'fiar'")],
        ),
        (("--seeds", "0"), ["--seeds: " + phrase("commands.must_be_whole_number_from", "'0'", 1)]),
        (
            ("--seeds", "10001", "--jitter", "4"),
            [
                "--seeds: " + phrase("common.must_be_whole_number_from", 1, "10,000"),
                "--jitter: " + phrase("commands.must_be_number_from", 0, 3),
            ],
        ),
        (("--jitter", "much"), ["--jitter: " + phrase("common.must_be_number", "'much'")]),
        (
            ("--metric", "makespan"),
            ["--metric: " + phrase("common.no_metric_did_you_mean", "'makespan'", "makespan_s")],
        ),
        (("--processes", "-1"), ["--processes: " + phrase("commands.must_be_whole_number_from", "'-1'", 1)]),
        (("--cluster", "nowhere"), [phrase("commands.no_dask_scheduler_answers_at", "'nowhere'")]),
        (
            ("--json", "--csv", "x.csv"),
            [
                phrase(
                    "commands.prints_standard_output_cant_be",
                    "--json",
                    "--study",
                    "--csv",
                    "--parquet",
                    "--figure",
                )
            ],
        ),
        (("--figure", "x.png"), [phrase("commands.must_end_in_or", "--figure", "'x.png'", ".svg", ".pdf")]),
        (("--csv", "-"), ["-: " + phrase("commands.cant_be_written_must_be")]),
        (("--csv", "x", "--study", "x"), [phrase("commands.each_file_must_have_name")]),
        (
            ("--csv", f"{WORDCOUNT}/x.csv"),
            [f"{WORDCOUNT}: " + phrase("commands.cant_be_written_not_folder", "wordcount.json")],
        ),
        (("--seed", "1"), ["unrecognized arguments: --seed 1"]),
    ],
    ids=str,
)
def test_a_wrong_call_is_one_line_a_fault_and_writes_nothing(run, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(WORDCOUNT, *arguments)
    assert (code, out, list(tmp_path.iterdir())) == (2, "", [])
    assert len(err) == len(says) and all(line.startswith(output) for line, output in zip(err, says)), err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "$: not JSON"),
        ("[]", "$: "),
        ('{"scenario": 7}', "version: must be 1"),
        ('{"version": 1, "cluster": {}}', "cluster.nodes: "),
        ('{"version": 1, "scenario": {"version": 1}}', "scenario.cluster: "),
    ],
)
def test_a_file_that_is_neither_is_told_as_the_file_has_it(run, tmp_path, text, says):
    path = tmp_path / "file.json"
    path.write_text(text)
    code, out, err = run(str(path))
    assert (code, out) == (2, "") and err[0].startswith(says)
    assert run(str(tmp_path / "nowhere.json"))[2] == [
        f"{tmp_path / 'nowhere.json'}: " + phrase("common.cant_be_read_no_such")
    ]


def test_a_deadlock_is_told_by_the_exit_code(run, tmp_path):
    # Its master takes all the room there is: the map waits for ever.
    job = {
        "name": "a",
        "am": {"memory_mb": 1, "vcores": 1},
        "maps": {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 1},
    }
    path = tmp_path / "stuck.json"
    path.write_text(
        json.dumps(
            {"version": 1, "cluster": {"nodes": [{"count": 1, "memory_mb": 1, "vcores": 1}]}, "jobs": [job]}
        )
    )
    code, out, err = run(str(path), "--vary", "cluster.nodes[0].count=1,2")
    assert (code, err) == (1, []) and phrase(
        "commands.fair_run_has_no_numbers", 1, 1, 2, "cluster.nodes[0].count=1", 1
    ) in out
    assert run(str(path), "--vary", "cluster.nodes[0].count=2,3")[0] == 0


def test_a_point_that_is_refused_is_told_and_the_others_have_numbers(run):
    code, out, err = run(WORDCOUNT, "--vary", "cluster.nodes[0].vcores=1,8")
    assert (code, err) == (0, []) and phrase(
        "commands.fair_run_has_no_numbers_at", 1, 1, 2, "cluster.nodes[0].vcores=1"
    ) + " " in out


def test_without_an_extra_nothing_is_run(run, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr(study_commands, "_run", lambda *given: pytest.fail("it was run"))
    assert run(WORDCOUNT, "--parquet", str(tmp_path / "x")) == (
        2,
        "",
        [phrase("common.parquet_needs_pyarrow_pip_install", "'gantry-yarn[parquet]'")],
    )
