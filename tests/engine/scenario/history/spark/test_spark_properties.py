from __future__ import annotations

import pytest

from engine.codes import UNKNOWN
from engine.scenario.history.spark import spark_properties

YARN = {"spark.master": "yarn"}
DYNAMIC = {"spark.dynamicAllocation.enabled": "true"}


@pytest.mark.parametrize(
    ("text", "mb"),
    [("512m", 512), ("2g", 2048), ("1024", 1024), ("1T", 2**20), ("1048576k", 1024), ("3gb", 3072)]
    + [("2097152b", 2), ("", None), ("0m", None), ("a lot", None), ("9" * 15 + "p", None)],
)
def test_memory(text: str, mb: int | None) -> None:
    assert spark_properties.memory_mb(text) == mb


@pytest.mark.parametrize(
    ("text", "unit", "seconds"),
    [("2min", "s", 120), ("5", "s", 5), ("1h", "s", 3600), ("soon", "s", None), ("5y", "s", None)]
    + [("1999ms", "s", 1), ("1999ms", "ms", 1.999), ("1999us", "ms", 0.001)],  # JavaUtils.timeStringAs cuts
)
def test_times(text: str, unit: str, seconds: float | None) -> None:
    assert spark_properties.seconds(text, unit) == seconds


def test_an_executor_has_sparks_defaults() -> None:
    assert spark_properties.container({}, UNKNOWN) == {"memory_mb": 1024, "vcores": 1}
    assert spark_properties.slots({"spark.task.cpus": "2"}, 5) == 2


@pytest.mark.parametrize(
    ("properties", "overhead"),
    [
        ({"spark.executor.memoryOverhead": "1g"}, 1024),
        ({"spark.yarn.executor.memoryOverhead": "500"}, 500),
        ({"spark.executor.memoryOverheadFactor": "0.2"}, 1638),
        ({"spark.executor.pyspark.memory": "1g"}, 819 + 1024),
        ({"spark.memory.offHeap.enabled": "true", "spark.memory.offHeap.size": "1073741824"}, 819 + 1024),
        ({"spark.executor.memoryOverheadFactor": "0.1"}, None),
    ],
)
def test_memory_beside_the_heap(properties: dict[str, str], overhead: int | None) -> None:
    size = spark_properties.container({"spark.executor.memory": "8g"} | properties, 4)
    assert size == {"memory_mb": 8192, "vcores": 4} | ({"memory_overhead_mb": overhead} if overhead else {})


def test_the_masters_container_is_the_driver_in_cluster_mode_alone() -> None:
    sizes = {"spark.driver.memory": "4g", "spark.driver.cores": "2", "spark.yarn.am.memory": "1g"}
    in_cluster = YARN | sizes | {"spark.submit.deployMode": "cluster"}
    assert spark_properties.driver(in_cluster) == {"memory_mb": 4096 + 409, "vcores": 2}
    assert spark_properties.driver(YARN | sizes) == {"memory_mb": 1024 + 384, "vcores": 1}


def test_dynamic_allocation() -> None:
    assert spark_properties.dynamic({}) is None
    assert spark_properties.dynamic(DYNAMIC) == {
        "minimum": 0,
        "initial": 0,
        "backlog_s": 1.0,
        "idle_s": 60.0,
        "ratio": 1.0,
        "shuffle_tracking": True,
    }
    prefix = "spark.dynamicAllocation."
    given = DYNAMIC | {
        f"{prefix}minExecutors": "2",
        f"{prefix}maxExecutors": "8",
        "spark.executor.instances": "20",
        f"{prefix}sustainedSchedulerBacklogTimeout": "2500ms",
        f"{prefix}executorIdleTimeout": "8s",
        f"{prefix}executorAllocationRatio": "0.5",
        "spark.shuffle.service.enabled": "true",
    }
    assert spark_properties.dynamic(given) == {
        "minimum": 2,
        "initial": 8,
        "maximum": 8,
        "backlog_s": 1.0,
        "sustained_backlog_s": 2.0,
        "idle_s": 8.0,
        "ratio": 0.5,
        "shuffle_tracking": False,
    }


def test_for_how_many_executors_the_first_job_waits() -> None:
    assert spark_properties.registration(YARN) == {"registered_ratio": 0.8, "registered_wait_s": 30.0}
    assert spark_properties.registration({})["registered_ratio"] == 0
    wait = {"spark.scheduler.maxRegisteredResourcesWaitingTime": "5s"}
    assert spark_properties.registration(YARN | wait)["registered_wait_s"] == 5
