"""A further resource takes its declaration alone: GPUs, counted, fitted and shared as the oracle does vcores.

In a copy of the engine that declares GPUs, nodes have and containers ask for as many GPUs as otherwise
vcores, and of vcores there are a thousand times as many: what is placed then is what the oracle places.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings

from engine.scenario.model import Scenario
from tests.conftest import ROOT
from tests.engine.agreement import without_seen
from tests.oracle.simulator import simulate_named
from tests.strategies import BUSY, scenarios

EXAMPLES = 40
DECLARED = 'Resource("vcores", "vcores", "vcores"))'
WITH_GPUS = 'Resource("vcores", "vcores", "vcores"), Resource("gpus", "", "gpus"))'
DRIVER = """
import json, sys
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.engine.agreement import without_seen
from tests.engine.results import result_of

def set_gpus(part, of):
    if part is not None:
        object.__setattr__(part, "gpus", of["vcores"])

for line in open(sys.argv[1]):
    (name, data), (_, more) = json.loads(line), json.loads(line)
    for node in more["cluster"]["nodes"]:
        node["vcores"] *= 1000
    scenario = Scenario.of(more)
    for node, of in zip(scenario.cluster.nodes, data["cluster"]["nodes"], strict=True):
        set_gpus(node, of)
    for job, of in zip(scenario.jobs, data["jobs"], strict=True):
        for key in ("am", "maps", "reduces"):
            set_gpus(getattr(job, key), of.get(key))
    print(without_seen(result_of(simulate(scenario, name))))
"""


def cases() -> list[tuple[str, Scenario]]:
    """Random scenarios without shares in vcores or a largest container, under fifo and drf; without ramp-up,
    for its MapReduce master knows memory and vcores alone (SchedulerResourceTypes).
    """
    rows: list[tuple[str, Scenario]] = []

    @given(scenarios(BUSY))
    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def collect(scenario: Scenario) -> None:
        data = json.loads(scenario.json())
        data["cluster"].pop("allocation", None)
        for one in data.get("queues", []):
            for key in ("min_share", "max_share", "max_container"):
                one.pop(key, None)
        for one in data["jobs"]:
            one.pop("min_share", None)
        rows.append(("drf+slowstart" if len(rows) % 2 else "fifo+slowstart", Scenario.of(data)))

    collect()
    return rows


def test_gpus_take_their_declaration_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    declaration = tmp_path / "engine" / "resource_types.py"
    text = declaration.read_text("utf-8")
    assert text.count(DECLARED) == 1
    declaration.write_text(text.replace(DECLARED, WITH_GPUS), "utf-8")
    known = cases()
    file = tmp_path / "cases.jsonl"
    file.write_text(
        "".join(json.dumps((name, json.loads(one.json()))) + "\n" for name, one in known), "utf-8"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT))),
        "NUMBA_DISABLE_JIT": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(file)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    placed = done.stdout.splitlines()
    expected = [str(without_seen(simulate_named(one, name))) for name, one in known]
    assert [line for line, of in zip(placed, expected, strict=True) if line != of] == []
