"""What tests of questions about executors ask."""

from __future__ import annotations

from typing import Any

from engine.prediction.questions import ChangedScenario, apply_question
from engine.scenario.model import Scenario
from tests.spark_jobs import SPARK

DYNAMIC = {"memory_mb": 1000, "vcores": 2, "dynamic": {"minimum": 3, "maximum": 9}}


def two(**executors: Any) -> Scenario:
    """An application of a fixed number of executors, and one that allocates them dynamically."""
    jobs = [SPARK, {**SPARK, "name": "ad-hoc", "executors": DYNAMIC | executors}]
    nodes = [{"count": 2, "memory_mb": 8192, "vcores": 8}]
    return Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": jobs})


def asked(scenario: Scenario, key: str, **values: Any) -> ChangedScenario:
    return apply_question(scenario, "fair", key, values)


def executors_of(changed: ChangedScenario) -> list[dict[str, Any]]:
    return [job["executors"] for job in changed.scenario.plain()["jobs"] if "executors" in job]


def defaults_of(changed: ChangedScenario) -> str:
    """The lines of spark-defaults.conf."""
    (file,) = changed.files
    assert (file.name, file.whole) == ("spark-defaults.conf", False)
    return file.text
