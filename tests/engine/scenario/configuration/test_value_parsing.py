"""Values as Hadoop reads them (TestFairSchedulerConfiguration has the same forms)."""

from __future__ import annotations

import pytest

from engine.scenario.configuration.value_parsing import (
    MAXIMUM_RESOURCES,
    MINIMUM_RESOURCES,
    NotModelled,
    Size,
    parse_bool,
    parse_int,
    parse_number,
    parse_policy,
    parse_resources,
)
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
    assert parse_resources(text, CLUSTER, 7) == {"memory_mb": memory, "vcores": vcores}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1024",
        "1024 mb",
        "1024 mb, 2",
        "mb, vcores",
        "-1 mb, 2 vcores",
        "-5%",
        "50% memory",
        "memory-mb=1,gpu=2",
        "memory-mb=x",
        "memory-mb=-1",
        "5%,5%",
    ],
)
def test_what_is_no_resource(text: str) -> None:
    with pytest.raises(ValueError, match="must (be a resource|give memory-mb)"):
        parse_resources(text, CLUSTER, 0)


def test_a_minimum_in_percent_is_none() -> None:
    with pytest.raises(NotModelled, match="has no effect"):
        MINIMUM_RESOURCES.parse("50%", CLUSTER)
    assert MINIMUM_RESOURCES.parse("memory-mb=5", CLUSTER)["vcores"] == 0
    assert MAXIMUM_RESOURCES.parse("memory-mb=5", CLUSTER)["vcores"] == 10**9


def test_numbers() -> None:
    assert [parse_number(text) for text in ("1", " -2.5 ", ".5", "1e3", "2f", "3.D")] == [
        1.0,
        -2.5,
        0.5,
        1000.0,
        2.0,
        3.0,
    ]
    assert parse_int(" -1 ") == -1
    assert [parse_bool("TRUE"), parse_bool(" false ")] == [True, False]
    for text in ("", "1,5", "NaN", "Infinity", "0x10", "1e999", "1_0", "\u0663", "9" * 99):
        with pytest.raises(ValueError, match=phrase("common.must_be_number_2")):
            parse_number(text)
    for text in ("", "1.5", "9" * 19):
        with pytest.raises(ValueError, match=phrase("common.must_be_whole_number")):
            parse_int(text)
    with pytest.raises(ValueError, match="^" + phrase("common.must_be_true_or_false", "'yes'") + "$"):
        parse_bool("yes")


def test_policies() -> None:
    package = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies."
    assert [
        parse_policy(text) for text in ("fair", "DRF", "fifo", f"{package}DominantResourceFairnessPolicy")
    ] == ["fair", "drf", "fifo", "drf"]
    with pytest.raises(NotModelled, match="^'com.example.Own' is not modelled"):
        parse_policy("com.example.Own")
