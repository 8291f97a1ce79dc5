"""A study in one call from Python."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from engine.analysis.metrics import summary
from engine.errors import ScenarioError
from engine.experiments.overrides import with_overrides
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from engine.studies.measures import COMPARED
from engine.studies.study_call import study
from tests.conftest import ROOT
from tests.engine.studies.made_results import PLAIN, SLOW
from tests.phrases import phrase


def test_a_row_a_run_each_that_of_its_own_simulation():
    random = {
        **PLAIN,
        "jobs": [
            {
                **PLAIN["jobs"][0],
                "maps": {**PLAIN["jobs"][0]["maps"], "duration_s": {"dist": "exponential", "mean": 20.0}},
            }
        ],
    }
    frame = study(random, ("fair", "fifo"), {SLOW: [0.05, 0.8]}, seeds=2).frame()
    assert len(frame) == 2 * 2 * 2 and set(COMPARED) < set(frame.columns)
    for row in frame.to_dict("records"):
        of, _ = with_overrides(random, ["fair"], [(SLOW, row[SLOW])])
        run = simulate(of.model_copy(update={"seed": row["seed"]}), row["scheduler"])
        assert row["makespan_s"] == summary(run)["makespan_s"]


def test_a_scenario_its_values_or_its_file_and_numbers_of_numpy(tmp_path):
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(PLAIN))
    given = {
        "schedulers": "fifo",
        "seeds": 1,
        "metrics": "makespan_s",
        "vary": {"cluster.nodes.total": np.arange(2, 4)},
    }
    frames = [study(of, **given).frame() for of in (PLAIN, Scenario.of(PLAIN), path, str(path))]
    assert frames[0]["cluster.nodes.total"].tolist() == [2, 3]
    for frame in frames[1:]:
        pd.testing.assert_frame_equal(frame, frames[0])


def test_faults_are_told_at_once():
    with pytest.raises(ScenarioError, match=phrase("studies.seeds_must_be_must_be", r".*\njitter") + " "):
        study(PLAIN, seeds=0, jitter=-1)


def test_a_script_needs_no_guard(tmp_path):
    """Processes that begin would run it again."""
    script = tmp_path / "script.py"
    lines = [
        "from engine.studies import runners",
        "from engine.studies.study_call import study",
        "runners.BEGIN_S = 0.0",
        f"print(len(study({PLAIN!r}, seeds=8, jitter=0.1).frame()))",
    ]
    script.write_text("\n".join(lines))
    result = subprocess.run(
        [sys.executable, str(script)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (result.stdout, result.stderr) == ("8\n", "")
