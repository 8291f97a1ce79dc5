"""The command bound: bounds, and how far schedulers are above them."""

from __future__ import annotations

import json
import math
from pathlib import Path

from engine.papers.haste.workloads import packing
from tests.conftest import ROOT
from tests.phrases import phrase

WORDCOUNT = str(ROOT / "engine/scenario/samples/wordcount.json")


def test_it_says_how_far_a_scheduler_is_above_the_tightest(run) -> None:
    code, out, err = run("bound", WORDCOUNT, "--scheduler", "fifo", "--scheduler", "haste", "--json")
    assert (code, err) == (0, [])
    result = json.loads(out)
    tightest = max(one["at_least"] for one in result["bounds"] if one["metric"] == "makespan_s")
    for row in result["schedulers"]:
        of = row["makespan_s"]
        assert of["at_least"] == tightest
        assert of["above"] == of["value"] / tightest - 1 > 0
    code, out, err = run("bound", WORDCOUNT, "--scheduler", "haste")
    share = result["schedulers"][1]["makespan_s"]["above"]
    assert phrase("common.at_most_above_best_possible", f"{math.ceil(100 * share)} %") in out and share > 0.1


def test_one_job_alone_on_a_quick_cluster_is_the_best_possible(run, tmp_path: Path) -> None:
    scenario = {
        "version": 1,
        "cluster": {
            "nodes": [{"count": 1, "memory_mb": 4, "vcores": 4}],
            "heartbeat_ms": 0,
            "containers_per_heartbeat": None,
        },
        "jobs": [{"maps": {"count": 4, "memory_mb": 1, "vcores": 1, "duration_s": 10}}],
    }
    path = tmp_path / "one.json"
    path.write_text(json.dumps(scenario))
    code, out, _ = run("bound", str(path))
    assert code == 0 and phrase("commands.fair_makespan_s_best_possible", "10 s") in out


def test_what_is_wrong_is_said(run, tmp_path: Path) -> None:
    code, out, err = run("bound", WORDCOUNT, "--scheduler", "measured")
    assert (code, out) == (2, "") and "name a scheduler" in err[0]
    code, out, err = run("bound", WORDCOUNT, "--scheduler", "fare")
    assert (code, out) == (2, "") and "fair" in err[0]
    scenario = json.loads(Path(WORDCOUNT).read_text())
    scenario["cluster"]["failures"] = {"probability": 0.2}
    path = tmp_path / "failing.json"
    path.write_text(json.dumps(scenario))
    code, out, err = run("bound", str(path))
    assert (code, out) == (2, "") and err[0].startswith(phrase("commands.no_bound_can_be_told"))


def test_the_optimum_is_found_told_and_written(run, tmp_path: Path) -> None:
    """Tasks of 1, 1, 3 and 3 GB of a minute on a node of 4 GB: two rounds, where fifo takes three."""
    scenario, out_file = tmp_path / "packing.json", tmp_path / "result.json"
    scenario.write_text(packing().json())
    code, out, err = run(
        "bound",
        str(scenario),
        "--optimum",
        "5",
        "--scheduler",
        "fifo",
        "--scheduler",
        "ffd-dp",
        "--out",
        str(out_file),
    )
    assert code == 0 and err[-1].endswith(phrase("commands.best_s_at_least_s", "2 min", "2 min", "0 %"))
    assert phrase("commands.proved_no_schedule_shorter") in out
    assert "  " + phrase("commands.fifo_s_above_best_found", "3 min", "50 %", "50 %") in out
    written = {
        one["scheduler"]: one["metrics"]["makespan_s"] for one in json.loads(out_file.read_text())["runs"]
    }
    assert list(written) == ["optimum", "fifo", "ffd-dp"] and written["optimum"] == 120.0
    code, out, _ = run("bound", str(scenario), "--optimum", "5", "--scheduler", "fifo", "--json")
    result = json.loads(out)
    assert (
        result["optimum"]["makespan_s"],
        result["optimum"]["proved"],
        result["schedulers"][0]["above_optimum"],
    ) == (120.0, True, 0.5)


def test_what_is_wrong_with_a_search_is_said(run, tmp_path: Path) -> None:
    for seconds in ("0", "nan", "soon"):
        code, out, err = run("bound", WORDCOUNT, "--optimum", seconds)
        assert (code, out) == (2, "") and phrase("commands.must_be_seconds_above", 0) in err[0]
    code, out, err = run("bound", WORDCOUNT, "--out", str(tmp_path / "x.json"))
    assert (code, out) == (2, "") and "give both" in err[0]
    code, out, err = run("bound", WORDCOUNT, "--optimum", "5", "--scheduler", "fair(preemption=yes)")
    assert (code, out) == (2, "") and "preemption=yes" in err[0]
