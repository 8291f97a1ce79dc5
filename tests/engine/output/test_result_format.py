"""The contract's result: every number against the Run, the same bytes twice, and names that JSON and CSV must
quote.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given

from engine.analysis.metrics import METRICS, summary
from engine.codes import OUTCOMES
from engine.output import result_format
from engine.output.result_format import csv_tables, json_text, result
from engine.output.run_table import table
from engine.quantities import title_with_unit
from engine.scenario.model import Scenario
from engine.schedulers.view import KINDS
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from engine.version import VERSION
from tests.engine.output.odd import odd_run
from tests.handmade_runs import container, run, scenario, stage
from tests.phrases import phrase
from tests.spark_jobs import MIXED
from tests.strategies import scenarios, scheduler_text, schedulers
from tests.tez_jobs import tez_run


def plain(of: Run) -> dict:
    """The run as the contract writes it, one object after another."""
    seconds = lambda ms: None if ms < 0 else int(ms) / 1000
    work, c = of.workload, of.containers
    return {
        "scheduler": of.scheduler,
        "status": of.status,
        **({"stuck": {"at_s": of.at_ms / 1000, "because": of.because}} if of.status == "deadlock" else {}),
        "metrics": summary(of),
        "jobs": [
            {
                "name": name,
                "arrival_s": seconds(of.jobs.arrival[job]),
                "start_s": seconds(of.jobs.start[job]),
                "maps_end_s": seconds(of.jobs.maps_end[job]),
                "shuffle_end_s": seconds(of.jobs.shuffle_end[job]),
                "finish_s": seconds(of.jobs.finish[job]),
                "outcome": None
                if of.jobs.finish[job] < 0
                else "failed"
                if of.jobs.failed[job]
                else "finished",
                "because": None,
            }
            for job, name in enumerate(work.job_names)
        ],
        "containers": [
            {
                "job": work.job_names[c.job[i]],
                "stage": int(c.stage[i]),
                "kind": KINDS[c.kind[i]],
                "index": int(c.index[i]),
                "attempt": int(c.attempt[i]),
                "node": work.node_names[c.node[i]],
                "requested_s": seconds(c.requested[i]),
                "start_s": seconds(c.start[i]),
                "shuffle_end_s": seconds(c.shuffle_end[i]),
                "end_s": seconds(c.end[i]),
                "outcome": OUTCOMES[c.outcome[i]],
                "begin_s": seconds(c.begin[i]),
            }
            for i in range(len(c.job))
        ],
    }


def ordered(value: object) -> object:
    """Dicts as lists of pairs, so that the order of keys counts."""
    if isinstance(value, dict):
        return [(key, ordered(item)) for key, item in value.items()]
    return [ordered(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("rows", [1, 2, 3, 20_000])
def test_json_is_the_contracts(monkeypatch, rows):
    monkeypatch.setattr(result_format, "ROWS_PER_CHUNK", rows)
    first, second = odd_run(), odd_run()
    expected = {
        "version": 1,
        "engine": VERSION,
        "scenario": first.scenario.digest,
        "runs": [plain(first), plain(second)],
    }
    assert ordered(result(first.scenario, [first, second])) == ordered(expected)


@given(scenarios(), schedulers())
def test_json_of_random_runs(of, chosen):
    outcome = simulate(of, scheduler_text(chosen))
    assert result(of, [outcome])["runs"] == [plain(outcome)]
    assert "".join(json_text(of, [outcome])) == "".join(json_text(of, [simulate(of, scheduler_text(chosen))]))


def test_json_stands_a_row_a_line():
    lines = "".join(json_text(odd_run().scenario, [odd_run()])).split("\n")
    assert [json.loads(line.strip().rstrip("],}") + "}")["end_s"] for line in lines if '"kind"' in line] == [
        0.001,
        1.234,
        None,
    ]


@pytest.mark.parametrize("rows", [2, 20_000])
def test_csv_has_the_jsons_columns(monkeypatch, rows):
    monkeypatch.setattr(result_format, "ROWS_PER_CHUNK", rows)
    both = [
        odd_run(),
        simulate(scenario([(4, 4)], [{"maps": stage(3, 1, 1)}]), "fifo(resources=memory)+slowstart(at=0.5)"),
    ]
    texts = {name: "".join(chunks) for name, chunks in csv_tables(both).items()}
    read = {name: list(csv.DictReader(io.StringIO(text, newline=""))) for name, text in texts.items()}
    shown = lambda row: {key: "" if value is None else str(value) for key, value in row.items()}
    for name, key in (("jobs.csv", "jobs"), ("containers.csv", "containers")):
        assert read[name] == [
            shown({"scheduler": one.scheduler, **row}) for one in both for row in plain(one)[key]
        ]
    assert read["runs.csv"] == [
        shown(
            {
                "scheduler": one.scheduler,
                "status": one.status,
                "stuck_at_s": one.at_ms / 1000 if one.status == "deadlock" else None,
                "stuck_because": one.because,
                **summary(one),
            }
        )
        for one in both
    ]


@pytest.mark.parametrize("name", ["100 %s", "a,b", 'a"b', "a\nb", "a\rb"])
def test_csv_quotes_any_name(name):
    of = scenario([(4, 4)], [{"name": name, "maps": stage(1, 1, 1)}])
    result = replace(run(of, [container(0, "map", 0, 0, 1)]), scheduler=name)
    for text, column in (("jobs.csv", "name"), ("containers.csv", "job"), ("runs.csv", "scheduler")):
        row = next(csv.DictReader(io.StringIO("".join(csv_tables([result])[text]), newline="")))
        assert (row["scheduler"], row[column]) == (name, name)


@pytest.mark.parametrize("mark", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_text_that_begins_as_a_formula_does_is_inert(mark):
    """A spreadsheet shows it; numbers below 0 stay numbers."""
    name = f"{mark}HYPERLINK(1)"
    of = scenario([(4, 4)], [{"name": name, "maps": stage(1, 1, 1)}])
    result = replace(
        run(of, [container(0, "map", 0, 0, 1)]), scheduler=name, status="deadlock", because=name, at_ms=-5
    )
    read = {
        file: list(csv.reader(io.StringIO("".join(chunks), newline="")))
        for file, chunks in csv_tables([result]).items()
    }
    for file, cells in (("jobs.csv", (0, 1)), ("containers.csv", (0, 1)), ("runs.csv", (0, 3))):
        assert [read[file][1][cell] for cell in cells] == [f"'{name}"] * 2
    assert read["runs.csv"][1][2] == "-0.005"
    assert not any(
        cell.startswith(result_format.FORMULA)
        for rows in read.values()
        for row in rows
        for cell in row
        if cell != "-0.005"
    )


def test_table_marks_the_best_and_tells_a_deadlock():
    of = scenario([(4, 4)], [{"maps": stage(3, 1, 1)}])
    quick = run(of, [container(0, "map", 0, 0, 1500)])
    slow = run(of, [container(0, "map", 0, 500, 2500, requested=0)])
    lines = table(of, [quick, slow]).splitlines()
    assert lines[0] == phrase("output.scenario_job_on_node", 1, 1)
    units = {"s": "s", "share": "%", "x": "x"}
    heads = [title_with_unit(one.title, units.get(one.unit, "")) for one in METRICS]
    wide = max(map(len, heads))
    cells = {line[:wide].strip(): line[wide:].split() for line in lines[3 : 3 + len(METRICS)]}
    assert list(cells) == heads
    assert cells["Makespan (s)"] == ["1.500", "*", "2.500"]
    assert cells["Killed containers"] == ["0", "0"]
    assert lines[-1] == "* best of 2 schedulers"
    stuck = table(of, [run(of, [container(0, "map", 0, 0, None)])])
    assert re.search("^Makespan \\(s\\) +–$", stuck, re.MULTILINE)
    assert stuck.endswith("\n\n" + phrase("output.by_hand_deadlock_at_s", "0:00") + "\n")


def test_table_marks_no_run_that_refused_jobs():
    """Under capacity one job of two is refused, and the other ends sooner."""
    jobs = [{"queue": f"root.{leaf}", "maps": stage(2, 1, 1)} for leaf in "ab"]
    of = scenario([(1, 1)], jobs, queues=["root.a", "root.b"]).plain()
    of["queues"] = [{"name": "root.a", "max_applications": 0}, {"name": "root.b"}]
    made = Scenario.of(of)
    lines = table(made, [simulate(made, name) for name in ("fair", "capacity")]).splitlines()
    assert phrase("output.best_of_fewest_undone", 2) in lines
    marked = [line for line in lines[3 : 3 + len(METRICS)] if "*" in line]
    assert [line.split("  ")[0] for line in marked] == ["Refused jobs"]


def test_table_breaks_where_the_terminal_ends():
    of = scenario([(4, 4)], [{"maps": stage(3, 1, 1)}])
    runs = [run(of, [container(0, "map", 0, 0, 1500)])] * 4
    heads = [line.split() for line in table(of, runs, width=60).splitlines() if "by hand" in line]
    assert heads == [["by", "hand"] * 2] * 2
    assert len([line for line in table(of, runs, width=1).splitlines() if "by hand" in line]) == 4
    assert max(len(line) for line in table(of, runs, width=60).splitlines()) <= 60


def test_tasks_of_executors_are_told_where_there_are_any() -> None:
    run = simulate(Scenario.of(MIXED), "fair")
    told = result(run.scenario, [run])["runs"][0]
    etl, mr = told["jobs"]
    assert [stage["name"] for stage in etl["stages"]] == ["scan", "stage2", "join"]
    assert etl["stages"][-1]["end_s"] == etl["finish_s"]
    assert mr["stages"] is None
    assert run.tasks is not None
    assert len(told["tasks"]) == len(run.tasks.start)
    executors = {one["index"]: one for one in told["containers"] if one["kind"] == "executor"}
    for task in told["tasks"]:
        executor = executors[task["executor"]]
        assert task["node"] == executor["node"]
        assert executor["begin_s"] <= task["start_s"] <= task["end_s"] <= executor["end_s"]
    tables = {name: "".join(chunks) for name, chunks in csv_tables([run]).items()}
    rows = list(csv.DictReader(io.StringIO(tables["tasks.csv"], newline="")))
    assert [(row["stage"], int(row["slot"]), float(row["end_s"])) for row in rows] == [
        (task["stage"], task["slot"], task["end_s"]) for task in told["tasks"]
    ]
    plain = simulate(Scenario.of(MIXED | {"jobs": MIXED["jobs"][1:]}), "fair")
    assert "tasks" not in result(plain.scenario, [plain])["runs"][0]
    assert "tasks.csv" not in csv_tables([plain])


def test_tasks_of_tez_tell_which_container_they_ran_in_and_when_they_had_what_they_read() -> None:
    run = tez_run()
    told = result(run.scenario, [run])["runs"][0]
    assert [(one["executor_stage"], one["executor"], one["shuffle_end_s"]) for one in told["tasks"]] == [
        (1, 0, None),
        (1, 1, None),
        (1, 0, 4.0),
    ]
    tables = {name: "".join(chunks) for name, chunks in csv_tables([run]).items()}
    rows = list(csv.DictReader(io.StringIO(tables["tasks.csv"], newline="")))
    assert [row["shuffle_end_s"] for row in rows] == ["", "", "4.0"]
