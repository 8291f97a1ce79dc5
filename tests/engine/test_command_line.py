"""The commands of the contract: what they print, their exit codes, and every way a call can be wrong."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

from engine.__main__ import Program, main
from engine.analysis.metrics import summary
from engine.bounds.bound_text import run_notes
from engine.commands.streams import EXIT_INTERRUPTED
from engine.output.result_format import json_text
from engine.output.run_table import table
from engine.output.trace_files import trace_files
from engine.scenario.model import Scenario
from engine.scenario.presets import sample
from engine.schedulers.catalogue import CATALOGUE
from engine.simulation.simulate import simulate
from engine.simulation.unrounded import unrounded_note
from engine.version import VERSION
from tests.conftest import ROOT
from tests.engine.scenario.configuration.files import FAIR
from tests.handmade_runs import scenario, stage
from tests.phrases import phrase

WORDCOUNT = str(sample("wordcount.json"))
# Its master takes all the room there is: the map waits for ever.
STUCK = scenario(
    [(1, 1)], [{"name": "a", "am": {"memory_mb": 1, "vcores": 1}, "maps": stage(1, 1, 1)}]
).json()


def call(*arguments: str, given: bytes = b"", **more) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        input=given,
        capture_output=True,
        cwd=ROOT,
        timeout=300,
        **more,
    )


@pytest.fixture
def stuck(tmp_path: Path) -> str:
    path = tmp_path / "stuck.json"
    path.write_text(STUCK)
    return str(path)


def test_run_reads_standard_input_and_prints_the_result():
    result = call(
        "run", "-", "--scheduler", "fifo", "--scheduler", "drf", "--json", given=Path(WORDCOUNT).read_bytes()
    )
    of = Scenario.read(Path(WORDCOUNT).read_bytes())
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode() == "".join(json_text(of, [simulate(of, "fifo"), simulate(of, "drf")]))


def test_run_prints_the_same_bytes_again():
    again = [
        call("run", WORDCOUNT, "--json", env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"}).stdout
        for seed in ("1", "2")
    ]
    assert again[0] == again[1] != b""


def test_run_prints_a_table_for_people(run):
    of = Scenario.read(Path(WORDCOUNT).read_bytes())
    result = simulate(of, "fair")
    notes = run_notes(of, [result], [summary(result)])
    assert len(notes) == 2
    notes.append(unrounded_note(of))
    assert run("run", WORDCOUNT) == (
        0,
        table(of, [result]) + "\n" + "".join(f"{note}\n" for note in notes),
        [],
    )


def test_a_deadlock_is_printed_and_told_by_the_exit_code(run, stuck, tmp_path):
    code, out, err = run("run", stuck, "--scheduler", "fifo")
    assert (code, err) == (1, [])
    assert phrase("engine.fifo_deadlock_at_s_map", "0:00", 1) in out
    code, out, _ = run("run", stuck, "--json")
    assert code == 1
    assert json.loads(out)["runs"][0]["stuck"]["at_s"] == 0.0
    assert run("run", stuck, "--csv", str(tmp_path / "out"))[0] == 1
    assert (tmp_path / "out" / "runs.csv").exists()


def test_csv_makes_its_folder_and_replaces_what_was_there(run, tmp_path):
    folder = tmp_path / "new" / "folder"
    for name in ("fifo", "fair"):
        assert run("run", WORDCOUNT, "--scheduler", name, "--csv", str(folder)) == (0, "", [])
    assert sorted(path.name for path in folder.iterdir()) == ["containers.csv", "jobs.csv", "runs.csv"]
    rows = list(csv.DictReader(io.StringIO((folder / "containers.csv").read_bytes().decode(), newline="")))
    assert {row["scheduler"] for row in rows} == {"fair"}


def test_traces_of_all_runs_are_written_into_a_folder(run, tmp_path):
    folder = tmp_path / "new"
    schedulers = ("--scheduler", "fifo", "--scheduler", "fair")
    assert run("run", WORDCOUNT, *schedulers, "--traces", str(folder)) == (0, "", [])
    runs = [simulate(Scenario.read(Path(WORDCOUNT).read_bytes()), name) for name in ("fifo", "fair")]
    written = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    expected = trace_files(runs)
    assert written.keys() == expected.keys() > {"trace.json", "paje.trace"}
    assert all(written[name].read_bytes().decode() == "".join(text) for name, text in expected.items())


def test_a_python_file_is_an_order(run, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from engine.schedulers.policy import ORDER, Policy\n\n\n"
        "def first(count):\n    return 0\n\n\n"
        "MINE = Policy('mine', 'Mine', ORDER, first, 'ours')\n"
    )  # fmt: skip
    code, out, err = run("run", WORDCOUNT, "--scheduler", str(path), "--scheduler", "fifo", "--json")
    assert (code, err) == (0, [])
    first, second = json.loads(out)["runs"]
    assert first["containers"] == second["containers"]


def test_schedulers_lists_the_catalogue(run):
    code, out, err = run("schedulers", "--json")
    assert (code, err) == (0, [])
    data = json.loads(out)
    assert [(part["part"], part["name"]) for part in data["parts"]] == [
        (role, name) for role, policies in CATALOGUE.items() for name in policies
    ]
    assert data["parts"][0]["parameters"][0]["choices"] == ["both", "memory"]
    code, out, err = run("schedulers")
    assert (code, err) == (0, [])
    assert all(
        name in out and policy.title in out and policy.source in out
        for policies in CATALOGUE.values()
        for name, policy in policies.items()
    )
    assert "resources=both" in out


def test_check_tells_every_fault_with_its_path(run, tmp_path):
    code, out, _ = run("check", WORDCOUNT)
    assert (code, out.splitlines()[1]) == (0, unrounded_note(Scenario.read(Path(WORDCOUNT).read_bytes())))
    broken = Scenario.read(Path(WORDCOUNT).read_bytes()).plain()
    broken["cluster"]["nodes"][0]["vcores"] = 0
    broken["jobs"][1]["nam"] = "b"
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken))
    code, out, err = run("check", str(path))
    assert (code, out) == (2, "")
    assert [line.partition(":")[0] for line in err][:2] == ["cluster.nodes[0].vcores", "jobs[1].nam"]


@pytest.mark.parametrize(
    ("name", "data", "title"),
    [
        (
            "log.gz",
            gzip.compress(b'{"Event":"SparkListenerLogStart","Spark Version":"3.5.6"}\n'),
            "a Spark event log",
        ),
        ("history.zip", b"PK\x03\x04", "an archive"),
        ("apps.json", b'{"apps":{"app":[]}}', "REST responses of a cluster"),
        ("fair.xml", b"<allocations/>", "a fair-scheduler.xml"),
        ("nodes.json", b'{"racks":[]}', None),  # of which alone convert makes nothing
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "bound", "sweep"])
def test_what_convert_makes_a_scenario_of_is_told(run, tmp_path, command, name, data, title):
    path = tmp_path / name
    path.write_bytes(data)
    vary = ["--vary", "seed=1,2"] if command == "sweep" else []
    code, out, err = run(command, str(path), *vary)
    assert (code, out) == (2, "")
    if title:
        assert err == [f"{path}: " + phrase("engine.makes_a_scenario", title)]
    else:
        assert "convert" not in "".join(err)


def test_faults_of_scenario_schedulers_and_folder_stand_together(run, tmp_path):
    (tmp_path / "file").write_text("")
    code, out, err = run(
        "run",
        str(tmp_path),
        "--scheduler",
        "fiar",
        "--scheduler",
        "fair(x=1)",
        "--csv",
        str(tmp_path / "file"),
    )
    assert (code, out) == (2, "")
    assert [line.rpartition("/")[2] for line in err] == [
        f"{tmp_path.name}: " + phrase("engine.is_a_directory"),
        phrase("common.no_order_named_did_you", "'fiar'"),
        phrase(
            "engine.fair_has_no_parameter_has",
            "'x'",
            ", ".join(one.name for one in CATALOGUE["order"]["fair"].parameters),
        ),
        phrase("engine.file_cant_be_written_file"),
    ]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ([], phrase("engine.following_arguments_required_command")),
        (["rum"], phrase("engine.argument_command_invalid_choice", "'rum'")),
        (["run"], phrase("engine.following_arguments_required_scenario")),
        (["run", WORDCOUNT, "--jso"], "unrecognized arguments: --jso"),
        (
            ["run", WORDCOUNT, "--json", "--csv", "x"],
            phrase("engine.argument_not_allowed_with_argument", "--csv", "--json"),
        ),
        (["run", WORDCOUNT, "--scheduler", "fair", "--scheduler", "fair"], "fair is named"),
        (["check", "nowhere.json"], "nowhere.json: " + phrase("common.cant_be_read_no_such")),
        (["check", os.devnull], "$: the file is"),
        (["run", WORDCOUNT, "--scheduler", "none.py"], "none.py: " + phrase("common.cant_be_read_no_such")),
        (["convert", WORDCOUNT, "--from", "rumn"], "argument --from: invalid choice: 'rumn'"),
        (["convert", WORDCOUNT, "--from", "sls"], phrase("engine.this_looks_like_scenario_not")),
        (
            ["convert", "nowhere.json", "--from", "sls"],
            "nowhere.json: " + phrase("common.cant_be_read_no_such"),
        ),
    ],
)
def test_wrong_calls_end_in_one_line(run, arguments, fault):
    code, out, err = run(*arguments)
    assert (code, out, len(err)) == (2, "", 1)
    assert err[0].startswith(fault)


def test_texts_name_the_call_and_other_programs_are_among_the_commands(capfd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    called = []
    serve = Program(
        "serve the page", lambda words: called.append(words) or 5, lambda: ArgumentParser("serve")
    )
    assert main(["run", "--seeds"], "gantry", {"serve": serve}) == 2
    assert "; gantry run --help " in capfd.readouterr().err
    with pytest.raises(SystemExit):
        main(["run", "--help"], "gantry", {"serve": serve})
    assert capfd.readouterr().out.startswith("usage: gantry run [-h]")
    with pytest.raises(SystemExit):
        main(["--help"], "gantry", {"serve": serve})
    assert re.search(r"^    serve +serve the page$", capfd.readouterr().out, re.MULTILINE)
    assert main(["serve", "--port", "1"], "gantry", {"serve": serve}) == 5
    assert called == [["--port", "1"]]


def test_version(capfd):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capfd.readouterr().out == f"Gantry {VERSION}\n"


def test_convert_reads_and_writes_a_cluster_s_configuration(run, tmp_path):
    fair = tmp_path / "fair-scheduler.xml"
    fair.write_bytes(FAIR)
    jobs, out = str(sample("sls-jobs.json")), str(tmp_path / "tried.json")
    code, text, err = run("convert", jobs, str(fair), "--out", out)
    assert (code, text) == (0, "")
    assert phrase("engine.assumed_scheduler_drf") in err
    assert any(
        line.startswith(phrase("engine.assumed_line_maxchildresources", "fair-scheduler.xml", 8))
        for line in err
    )
    code, first, _ = run("convert", out, "--to", "fair-xml")
    assert code == 0 and "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>" in first
    fair.write_text(first)
    assert run("convert", jobs, str(fair), "--to", "fair-xml")[1] == first
    assert "CapacityScheduler" in run("convert", out, "--to", "yarn-site", "--scheduler", "capacity")[1]
    assert run("convert", str(fair), "--from", "fair-xml")[0] == 0
    assert run("convert", out, "--to", "yarn-site", "--scheduler", "haste")[2] == [
        phrase("engine.hadoop_has_no_scheduler_haste")
    ]


def test_a_folder_of_a_cluster_may_hold_other_files(run, tmp_path):
    (tmp_path / "fair-scheduler.xml").write_bytes(FAIR)
    (tmp_path / "log4j.properties").write_text("log4j.rootLogger=INFO\n")
    code, _, err = run("convert", str(tmp_path))
    assert code == 0 and "log4j.properties: " + phrase("formats.no_kind_read_passed_over") in err[0]
    code, out, err = run("convert", str(tmp_path), str(tmp_path / "log4j.properties"))
    assert (code, out) == (2, "") and phrase("formats.not_scenario", "log4j.properties") in err[0]


def test_run_takes_the_scheduler_of_the_configuration(run, tmp_path):
    (tmp_path / "fair.xml").write_bytes(FAIR)
    assert run("convert", str(tmp_path / "fair.xml"), "--out", str(tmp_path / "it.json"))[0] == 0
    code, out, err = run("run", str(tmp_path / "it.json"), "--json")
    assert (code, err, [one["scheduler"] for one in json.loads(out)["runs"]]) == (0, [], ["drf"])


def test_convert_writes_other_tools_files_and_says_what_they_lost(run, tmp_path):
    target = tmp_path / "jobs.tsv"
    code, out, err = run("convert", WORDCOUNT, "--to", "swim", "--out", str(target))
    assert (code, out) == (0, "") and phrase("engine.lost_nodes_and_sizes_containers") in err
    code, out, err = run("convert", str(target), "--to", "jobs-csv")
    assert code == 0 and out.startswith("name,user,queue,arrival_s,")
    assert [line.partition(":")[0] for line in err] == sorted(line.partition(":")[0] for line in err) and err[
        0
    ].startswith("assumed: ")


def test_convert_reads_the_jobs_after_the_first(run, tmp_path):
    log = tmp_path / "log.swf"
    rows = (f"{number} {60 * number} 0 10 1 -1 -1 1 -1 -1 1 1 1 -1 1 1 -1 -1\n" for number in range(1, 4))
    log.write_text("; MaxProcs: 2\n" + "".join(rows))
    code, out, _ = run("convert", str(log), "--skip-jobs", "1")
    assert code == 0 and [job["name"] for job in json.loads(out)["jobs"]] == ["job2", "job3"]
    code, out, err = run("convert", str(log), "--since", "60", "--until", "120")
    assert code == 0 and [job["name"] for job in json.loads(out)["jobs"]] == ["job2"]
    assert err[0].startswith("assumed: 2 jobs ")
    code, _, err = run("convert", str(log), "--since", "60", "--until", "60")
    assert code == 2 and phrase("formats.begins_and_ends_after_first_job", 60, 60) in err[0]
    code, _, err = run("convert", str(log), "--skip-jobs", "-1")
    assert code == 2 and phrase("commands.must_be_whole_number_from", "'-1'", 0) in err[0]


def test_convert_writes_a_scenario_and_says_what_it_assumed(run, tmp_path):
    jobs, nodes, target = str(sample("sls-jobs.json")), str(sample("sls-nodes.json")), tmp_path / "out.json"
    code, out, err = run("convert", jobs, "--from", "sls", "--nodes", nodes)
    assert code == 0
    assert Scenario.read(out).name == "sls-jobs"
    assert all(line.startswith("assumed: ") for line in err)
    assert run("convert", jobs, "--from", "sls", "--nodes", nodes, "--out", str(target))[:2] == (0, "")
    assert target.read_text("utf-8") == out
    assert run("run", str(target))[0] == 0
    piped = call("convert", "-", "--from", "rumen", given=sample("rumen.json").read_bytes())
    assert (piped.returncode, Scenario.read(piped.stdout).version) == (0, 1)


def test_a_file_that_can_not_be_written_leaves_nothing(run, tmp_path):
    (tmp_path / "file").write_text("here before")
    (tmp_path / "jobs.csv").mkdir()
    code, out, err = run("run", WORDCOUNT, "--csv", str(tmp_path))
    assert (code, out, len(err)) == (2, "", 1)
    assert "jobs.csv: " + phrase("engine.cant_be_written_directory") in err[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "jobs.csv"]
    code, _, err = run(
        "convert", str(sample("sls-jobs.json")), "--from", "sls", "--out", str(tmp_path / "file" / "out.json")
    )
    assert (code, len(err)) == (2, 1)
    assert (tmp_path / "file").read_text() == "here before"


def test_a_file_in_the_place_of_a_folder_is_named(run, tmp_path):
    (tmp_path / "taken").write_text("")
    for path in ("taken/x.json", "taken/below/x.json"):
        says = phrase("commands.cant_be_written_not_folder", "taken")
        code, _, (fault,) = run("convert", WORDCOUNT, "--out", str(tmp_path / path))
        assert (code, fault) == (2, f"{(tmp_path / path).parent}: {says}")


def test_out_may_be_a_device(run):
    assert run("convert", str(sample("sls-jobs.json")), "--from", "sls", "--out", os.devnull)[0] == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_sentence():
    with open("/dev/full", "wb") as full:
        run_result = subprocess.run(
            [sys.executable, "-m", "engine", "schedulers"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            timeout=300,
        )
    assert (run_result.returncode, run_result.stderr) == (
        2,
        b"standard output can't be written: no space left on device\n",
    )


def test_a_closed_pipe_is_a_sentence():
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "run", WORDCOUNT, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        process.stdout.close()
        fault = process.stderr.read()
    assert (process.returncode, fault) == (2, b"standard output can't be written: broken pipe\n")


@pytest.mark.parametrize(
    ("call", "code", "fault"),
    [
        ("check SCENARIO >&-", 2, "bad file descriptor\n"),
        ("check - <&-", 2, "bad file descriptor\n"),
        ("check none.json 2>&-", 2, ""),
    ],
)
def test_a_stream_that_is_closed_is_a_sentence(call, code, fault):
    shell = ["sh", "-c", f'exec "$0" -m engine {call.replace("SCENARIO", WORDCOUNT)}', sys.executable]
    run_result = subprocess.run(shell, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert (run_result.returncode, run_result.stdout) == (code, "")
    assert run_result.stderr.endswith(fault) and len(run_result.stderr.splitlines()) == bool(fault)


def test_ctrl_c_ends_another_program_too():
    def interrupted(_):
        raise KeyboardInterrupt

    serve = Program("serve the page", interrupted, ArgumentParser)
    assert main(["serve"], "gantry", {"serve": serve}) == EXIT_INTERRUPTED


def test_explain_takes_the_scheduler_that_run_does(run):
    call = ("explain", WORDCOUNT, "--container", "wordcount2/1/reduce/0")
    assert run(*call) == run(*call, "--scheduler", "fair")


def test_no_memory_is_a_sentence(run, monkeypatch):
    def too_much(*_):
        raise MemoryError

    monkeypatch.setattr("engine.experiments.side_by_side.simulate", too_much)
    assert run("run", WORDCOUNT) == (2, "", [phrase("engine.not_enough_memory_fewer_containers")])


def test_papers_prints_an_experiment_with_its_claims_and_the_table(run):
    code, out, err = run("papers", "dynamic-priority/table-1")
    assert (code, err) == (0, [])
    assert f"  {phrase('papers.holds_order_gain_numbers', 2, 2, 2, 2, 17, 17)}\n" in out
    assert out.endswith("| all | 17 of 17 |  |  |  | 0 |\n")


def test_papers_as_json(run):
    code, out, err = run("papers", "dynamic-priority/table-1", "--json")
    assert (code, err) == (0, [])
    assert json.loads(out)["claims"][0]["absolute"]["paper"] == 26


def test_papers_of_an_unknown_id(run):
    code, out, err = run("papers", "dynamic-priority/table1")
    assert (code, out) == (2, "")
    assert err == [
        phrase(
            "engine.papers_there_no_experiment_did", "'dynamic-priority/table1'", "dynamic-priority/table-1"
        )
    ]
    assert run("papers", "SAF/Table-4")[2][0].endswith("did you mean saf/table-4?")
    assert len(run("papers", "z" * 5000)[2][0]) < 250
    assert run("papers", "zzz")[2][0].startswith(
        phrase("engine.papers_there_no_experiment_papers", "'zzz'") + " "
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"name": "\ud800"}, phrase("engine.name_holds_half_character", "'\\ud800'")),
        ({"x_note": "\ud800"}, "x_note: " + phrase("engine.holds_half_character")),
        ({"name": "a\0"}, phrase("engine.name_must_hold_no_nul", "'a\\x00'")),
        ({"queues": [{"name": []}]}, "queues[0].name: " + phrase("engine.list_must_be_text")),
        ({"queues": [{"name": "root.default", "capacity_pct": 10**400}]}, "queues[0].capacity_pct: 1000"),
        ({"jobs": [0] * 2_000_000}, phrase("common.jobs_has_entries_at_most", "2,000,000", "100,000")),
    ],
)
def test_hostile_values_are_a_line_a_fault(run, tmp_path, change, fault):
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(json.loads(STUCK) | change))
    code, out, err = run("check", str(path))
    assert (code, out, len(err)) == (2, "", 1)
    assert err[0].startswith(fault)
    path.write_text('{"version":1,"x_note":' + "[" * 900 + "]" * 900 + "}")
    assert run("run", str(path))[2] == ["$: " + phrase("common.nested_more_than_deep", 50)]
