"""What Hadoop's loader makes of cases: asked now, or kept in golden files."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tests.hadoop.loader.cases import NODES, Case, cases
from tests.hadoop.referee import GOLDEN, java_answers

SEED, COUNT = "gantry", 1000  # cases of each scheduler in the golden files
MOST = 2**31 - 1, 2**63 - 1  # Integer.MAX_VALUE, Long.MAX_VALUE: no limit
LONGEST = 160  # characters of a refusal that are kept
# of a queue, left out of the golden files
USUAL = {
    "fair": {
        "leaf": True,
        "weight": 1.0,
        "minResources": [0, 0],
        "maxResources": [MOST[1], MOST[0]],
        "maxRunningApps": MOST[0],
        "schedulingPolicy": "fair",
        "minSharePreemptionTimeout": MOST[1],
        "fairSharePreemptionTimeout": MOST[1],
        "fairSharePreemptionThreshold": 0.5,
        "allowPreemptionFrom": True,
        "maxAMShare": 0.5,
        "maxContainerAllocation": [8192, 4],
    },
    "capacity": {
        "leaf": True,
        "state": "RUNNING",
        "absolute-maximum-capacity": 1.0,
        "priority": 0,
        "disable-preemption": True,
        "max-parallel-apps": MOST[0],
        "user-limit-factor": 1.0,
        "minimum-user-limit-percent": 100.0,
        "maximum-am-resource-percent": 0.1,
        "ordering": "fifo",
        "size-based-weight": False,
        "maximum-allocation": [8192, 4],
    },
}
USUAL_SETTINGS = {
    "minimum": [1024, 1],
    "maximum": [8192, 4],
    "increment": [1024, 1],
    "update-interval-ms": 500,
    "locality.threshold.node": -1.0,
    "locality.threshold.rack": -1.0,
    "assignmultiple": False,
    "dynamic.max.assign": True,
    "max.assign": -1,
    "cluster-utilization-threshold": 0.8,
    "waitTimeBeforeKill": 15000,
    "waitTimeBeforeNextStarvationCheck": 10000,
    "calculator": "DefaultResourceCalculator",
    "node-locality-delay": 40,
    "rack-locality-additional-delay": -1,
    "assign-multiple": True,
    "assign-most": 100,
    "assign-off-switch": 1,
    "maximum-applications": 10000,
}
SETTINGS_OF = {
    "fair": list(USUAL_SETTINGS)[:12],
    "capacity": list(USUAL_SETTINGS)[:2] + list(USUAL_SETTINGS)[12:],
}
OF_LEAVES = {"maxAMShare", "maxContainerAllocation", "user-limit-factor", "minimum-user-limit-percent"} | {
    "maximum-am-resource-percent",
    "size-based-weight",
    "maximum-allocation",
    "maximum-applications",
    "maximum-applications-per-user",
}


def ask(asked: Iterable[Case]) -> list[dict[str, Any]]:
    """Hadoop's answers. As `tests.hadoop.referee.decide` raises."""
    return java_answers("LoaderMain", map(_question, asked))


def golden_cases(family: str) -> list[Case]:
    """Those of a scheduler whose answers are kept."""
    return list(cases(SEED, COUNT, family))


@cache
def golden(family: str) -> tuple[str, list[dict[str, Any]]]:
    """The digest of the cases that were asked, and the answers."""
    digest, *lines = _file(family).read_text("utf-8").splitlines()
    return digest, [_expanded(family, json.loads(text)) for text in lines]


def write_golden(family: str, asked: list[Case], answers: list[dict[str, Any]]) -> None:
    """Keeps them."""
    lines = (json.dumps(_compact(family, one), separators=(",", ":")) for one in answers)
    _file(family).write_text("\n".join([digest(asked), *lines, ""]), "utf-8")


def digest(asked: list[Case]) -> str:
    """Of the text of the cases."""
    return hashlib.sha256("".join(map(_question, asked)).encode()).hexdigest()


def _file(family: str) -> Path:
    return GOLDEN / "loader" / f"{family}.jsonl"


def _question(case: Case) -> str:
    files = {name: base64.b64encode(data).decode() for name, data in case.files.items()}
    return json.dumps({"files": files, "nodes": [case.node] * NODES, "jobs": case.jobs})


def _compact(family: str, answer: dict[str, Any]) -> dict[str, Any]:
    if "refused" in answer:
        kind, message = answer["refused"]
        return {"refused": [kind, message.partition("\n")[0][:LONGEST]]}
    queues = {
        name: {key: value for key, value in values.items() if USUAL[family].get(key, ...) != value}
        for name, values in answer["queues"].items()
    }
    jobs = [[queue, why.partition("\n")[0][:LONGEST]] for queue, why in answer["jobs"]]
    settings = {
        key: value for key, value in answer["settings"].items() if USUAL_SETTINGS.get(key, ...) != value
    }
    return answer | {"settings": settings, "queues": queues, "jobs": jobs}


def _expanded(family: str, kept: dict[str, Any]) -> dict[str, Any]:
    if "refused" in kept:
        return kept
    queues = {
        name: {
            key: value
            for key, value in {**USUAL[family], **values}.items()
            if values.get("leaf", True) or key not in OF_LEAVES
        }
        for name, values in kept["queues"].items()
    }
    settings = {key: USUAL_SETTINGS[key] for key in SETTINGS_OF[family]} | kept["settings"]
    return kept | {"settings": settings, "queues": queues}
