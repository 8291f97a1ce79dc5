"""python -m engine fs2cs: what is told, the files, and both schedulers on a record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.presets import sample
from tests.phrases import phrase

RECORDED = str(sample("recorded-batch.json"))
FAIR = """<allocations>
<queue name="a"><weight>3</weight><maxResources>4096 mb, 4 vcores</maxResources></queue><queue name="b"/>
</allocations>"""


@pytest.fixture
def fair(tmp_path: Path) -> str:
    path = tmp_path / "fair-scheduler.xml"
    path.write_text(FAIR)
    return str(path)


@pytest.fixture
def run(run):
    return lambda *arguments: run("fs2cs", *arguments)


def test_rules_and_files(run, fair: str) -> None:
    code, out, err = run(fair)
    assert (code, err) == (0, [])
    assert "root.a: weight 3 of 4 → capacity = 3.0w (75 %)." in out
    assert phrase("engine.not_converted", "root.a: maxResources 4096 mb, 4 vcores") in out
    assert "capacity-scheduler.xml:\n<?xml" in out and "yarn-site.xml:\n<?xml" in out
    code, out, _ = run(fair, "--percentage", "--json")
    data = json.loads(out)
    assert (code, data["scheduler"], data["scheduler_after"][:8]) == (0, "fair", "capacity")
    assert {rule["outcome"] for rule in data["rules"]} == {"converted", "changed", "lost"}
    assert "<value>75.000</value>" in data["files"]["capacity-scheduler.xml"]


def test_there_and_back_by_files(run, fair: str, tmp_path: Path) -> None:
    folder = tmp_path / "converted"
    assert run(fair, "--output-directory", str(folder))[0] == 0
    files = sorted(str(path) for path in folder.iterdir())
    assert [Path(path).name for path in files] == ["capacity-scheduler.xml", "yarn-site.xml"]
    code, _, err = run(fair, "--output-directory", str(folder))
    assert code == 2 and phrase("engine.fs2cs_overwrites_none") in err[0]
    back = json.loads(run(*files, "--json")[1])["files"]
    queues = read_configuration([(name, text.encode()) for name, text in back.items()]).queues
    assert {queue["name"]: queue.get("weight", 1.0) for queue in queues if queue["name"] != "root"} == {
        "root.a": 75.0,
        "root.b": 25.0,
    }


def test_stand_ins_for_a_record_are_told(run, fair: str) -> None:
    code, _, err = run(fair, "--compare")
    assert code == 0 and any(line.startswith("assumed: ") and " jobs" in line for line in err)


def test_both_run_on_the_record(run, fair: str) -> None:
    """By queue and by user, with a band; FairScheduler's file is put on the record first."""
    code, out, err = run(RECORDED, fair, "--compare")
    assert code == 0 and all(line.startswith("assumed: ") for line in err)
    assert "Gain, by queue" in out or "Lose, by queue" in out
    assert phrase("engine.band_shows") in out
    code, out, _ = run(RECORDED, "--scheduler", "capacity", "--compare", "--json")
    comparison = json.loads(out)["comparison"]
    assert (code, comparison["question"], comparison["stuck"]) == (0, "convert", None)
    assert comparison["jobs"] == {"compared": 14, "added": 0, "left_out": 0}


def test_a_scheduler_that_is_neither(run, fair: str) -> None:
    code, out, err = run(fair, "--scheduler", "haste")
    assert (code, out, len(err)) == (2, "", 1) and "haste" in err[0]
