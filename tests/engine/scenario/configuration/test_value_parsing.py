"""Values as Hadoop reads them (TestFairSchedulerConfiguration has the same forms)."""

from __future__ import annotations

import pytest

from engine.scenario.configuration.quantities import LEAST, MOST, NotModelled, Size, flag, number, policy, resources, whole
from tests.phrases import phrase

CLUSTER = Size(10_001, 33)


@pytest.mark.parametrize(
    ("text", "memory", "vcores"),
    [
        ("1024 mb, 2 vcores", 1024, 2),
        ("2 vcores, 1024 mb", 1024, 2),
        ("1024mb,2vcores", 1024, 2),
        (" 1024 MB , 2 VCores ", 1024, 2),
        ("1024 mb 2 vcores", 1024, 2),
        ("1024.9 mb, 2.5 vcores", 1024, 2),
        ("vcores=2, memory-mb=1024", 1024, 2),
        ("memory-mb=1024", 1024, 7),
        ("50%", 5000, 16),
        ("50.5 %", 5050, 16),
        ("50% memory, 25% cpu", 5000, 8),
        ("25% cpu,50% memory", 5000, 8),
        ("memory-mb=50%, vcores=25%", 5000, 8),
        ("vcores=25%", 10_001, 8),
        ("9999999999999 mb, 1 vcores", 10**9, 1),
    ],
)
def test_resources(text: str, memory: int, vcores: int) -> None:
    assert resources(text, CLUSTER, 7) == {"memory_mb": memory, "vcores": vcores}


@pytest.mark.parametrize(
    "text",
    ["", "1024", "1024 mb", "1024 mb, 2", "mb, vcores", "-1 mb, 2 vcores", "-5%", "50% memory", "memory-mb=1,gpu=2", "memory-mb=x", "memory-mb=-1", "5%,5%"],
)
def test_what_is_no_resource(text: str) -> None:
    with pytest.raises(ValueError, match="must (be a resource|give memory-mb)"):
        resources(text, CLUSTER, 0)


def test_a_minimum_in_percent_is_none() -> None:
    with pytest.raises(NotModelled, match="has no effect"):
        LEAST.parse("50%", CLUSTER)
    assert LEAST.parse("memory-mb=5", CLUSTER)["vcores"] == 0
    assert MOST.parse("memory-mb=5", CLUSTER)["vcores"] == 10**9


def test_numbers() -> None:
    assert [number(text) for text in ("1", " -2.5 ", ".5", "1e3", "2f", "3.D")] == [1.0, -2.5, 0.5, 1000.0, 2.0, 3.0]
    assert whole(" -1 ") == -1
    assert [flag("TRUE"), flag(" false ")] == [True, False]
    for text in ("", "1,5", "NaN", "Infinity", "0x10", "1e999", "1_0", "\u0663", "9" * 99):
        with pytest.raises(ValueError, match=phrase("common.must_be_number_2")):
            number(text)
    for text in ("", "1.5", "9" * 19):
        with pytest.raises(ValueError, match=phrase("common.must_be_whole_number")):
            whole(text)
    with pytest.raises(ValueError, match="^" + phrase("common.must_be_true_or_false", "'yes'") + "$"):
        flag("yes")


def test_policies() -> None:
    package = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies."
    assert [policy(text) for text in ("fair", "DRF", "fifo", f"{package}DominantResourceFairnessPolicy")] == ["fair", "drf", "fifo", "drf"]
    with pytest.raises(NotModelled, match="^'com.example.Own' is not modelled"):
        policy("com.example.Own")
