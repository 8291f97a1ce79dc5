"""A study's files: read back they are the frame, with the study, its seeds and the version in them."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from engine.codes import RunState
from engine.output.study_files import MissingDependency, require_pyarrow, study_csv, study_parquet
from engine.output.study_json import study_plain
from engine.output.study_table import study_table
from engine.studies.study import Study
from engine.version import VERSION
from tests.engine.studies.made_results import SLOW, made
from tests.phrases import phrase

NAN = float("nan")
FOUND = made([[[10.1, 10.3, 1 / 3], [20, NAN, 22]], [[30, 31, 32], [40, 41, 42]]])


def test_csv_read_back_is_the_frame():
    back = pd.read_csv(io.StringIO("".join(study_csv(FOUND))))
    frame = FOUND.frame()
    pd.testing.assert_frame_equal(
        back, frame.astype(dict.fromkeys(("scheduler", "status", "engine"), "str")), check_exact=True
    )


def test_csv_comes_in_chunks_with_one_head(monkeypatch):
    monkeypatch.setattr("engine.output.study_files.ROWS_PER_CHUNK", 5)
    chunks = list(study_csv(FOUND))
    assert len(chunks) == 3 and "".join(chunks).count("scheduler") == 1
    assert "".join(chunks).splitlines()[1] == f"0.0,fair,0,finished,10.1,{VERSION}"


def test_parquet_read_back_is_the_frame_with_the_study():
    data = study_parquet(FOUND)
    pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(data)), FOUND.frame())
    metadata = pq.read_schema(io.BytesIO(data)).metadata
    assert Study.read(metadata[b"gantry.study"]).digest == FOUND.study.digest
    assert (metadata[b"gantry.engine"].decode(), json.loads(metadata[b"gantry.seeds"])) == (VERSION, [0, 2])
    assert data == study_parquet(FOUND), "the same bytes twice"


def test_without_pyarrow_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        MissingDependency,
        match="^" + phrase("common.parquet_needs_pyarrow_pip_install", r"'gantry-yarn\[parquet\]'") + "$",
    ):
        require_pyarrow()


def test_json_has_means_intervals_differences_and_winners():
    result = study_plain(made([[[9, 10, 11], [11, 12, 13]]]))
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    (point,) = result["points"]
    fair, fifo = point["schedulers"]
    # s = 1, t(2) = 4.3027: half 4.3027 / sqrt 3 = 2.484.
    assert fair["metrics"]["makespan_s"] == {
        "mean": 10.0,
        "low": pytest.approx(10 - 2.484, abs=1e-3),
        "high": pytest.approx(10 + 2.484, abs=1e-3),
        "count": 3,
    }
    assert point["differences"] == [
        {
            "scheduler": "fifo",
            "to": "fair",
            "metrics": {"makespan_s": {"mean": 2.0, "low": 2.0, "high": 2.0, "count": 3}},
        }
    ]
    assert point["winners"]["makespan_s"] == {
        "scheduler": "fair",
        "before": "fifo",
        "margin": 2.0,
        "low": 2.0,
        "high": 2.0,
        "clear": True,
    }
    assert (result["seeds"], result["engine"], result["random"]) == ([0, 2], VERSION, True)
    assert Study.of(result["study"]).digest == result["digest"]


def test_json_says_what_is_missing_and_why():
    result = made([[[10, 10], [NAN, NAN]]])
    result.state[0, 1] = RunState.DEADLOCK
    result.because[0, 1] = "1 map of a waits for ever"
    fifo = study_plain(result)["points"][0]["schedulers"][1]
    assert fifo == {
        "scheduler": "fifo", "missing": 2, "because": "1 map of a waits for ever",
        "metrics": {"makespan_s": {"mean": None, "low": None, "high": None, "count": 0}},
    }  # fmt: skip
    text = study_table(result, ["makespan_s"])
    assert (
        phrase("output.fifo_runs_have_no_numbers", 2, 1) in text
        and phrase("output.only_fair_has_numbers") in text
    )


def test_the_table_has_a_row_a_point_and_tells_how_sure():
    lines = study_table(
        made([[[9, 10, 11], [11, 12, 13]], [[30, 31, 32], [30, 31, 33]]]), ["makespan_s"]
    ).splitlines()
    assert lines[1] == f"Slow start: {SLOW}, 2 values"
    assert [line.split() for line in lines if line.startswith("0 ")] == [
        ["0", "10.0", "±", "2.5", "*", "12.0", "±", "2.5"],
        ["0", "+2.00"],  # the same difference at each seed
    ]
    assert phrase("output.paired_on_common_seeds_each", 97.5, 2, 95) in lines
    assert phrase("output.makespan_fair_best_beyond_doubt", 0, 0.1) in lines
    assert phrase("output.best_value_fair_at_fifo", 0, 0) in lines
    assert lines[-1].startswith(phrase("output.seeds_common_all_schedulers_fixed", "0-2", 0.1) + " ")


def test_shares_are_per_cent_and_their_differences_percentage_points():
    text = study_table(made([[[0.5, 0.52], [0.7, 0.74]]], "fairness"), ["fairness"])
    assert "(%)" in text and "51 ± 13 " in text and "Difference (pp)" in text and "+21 ± 13" in text


def test_what_is_exact_says_so():
    text = study_table(made([[[10.25], [20]]], jitter=0.0), ["makespan_s"])
    assert phrase("output.exact_nothing_in_this_scenario") in text and "10.25 *" in text
    assert phrase("output.makespan_fair_best_beyond_doubt_s", "9.8 s") in text


def test_a_metric_of_which_nobody_says_what_is_better():
    assert phrase("output.memory_utilization_nobody_says_what") in study_table(
        made([[[0.5, 0.6], [0.7, 0.9]]], "memory_utilization"), ["memory_utilization"]
    )


def test_a_wide_table_stands_in_blocks():
    result = made(np.arange(16.0).reshape(2, 4, 2) * 1000)
    narrow = study_table(result, ["makespan_s"], 60).splitlines()
    assert (
        len([line for line in narrow if line.startswith("Makespan ")]) >= 2
        and max(map(len, narrow[:8])) <= 60
    )
