"""Values of fair-scheduler.xml as Hadoop 3.4.1 was asked for them (TestFairSchedulerConfiguration has many of
the same forms).
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenario.configuration.configuration_notes import NoteKind
from engine.scenario.configuration.fair_values import (
    AM_SHARE,
    FLAG,
    MAXIMUM_CONTAINER,
    MAXIMUM_RESOURCES,
    MINIMUM_RESOURCES,
    ORDER,
    POLICY,
    RUNNING_APPS,
    THRESHOLD,
    TIMEOUT,
    WEIGHT,
    parse_java_number,
    parse_resources,
)
from engine.scenario.configuration.value_parsing import Codec, Size, Taken
from tests.phrases import phrase

CLUSTER = Size(10_001, 33)
CLASSES = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies."


@pytest.mark.parametrize(
    ("text", "memory", "vcores"),
    [
        ("1024 mb, 2 vcores", 1024, 2),
        ("2 vcores, 1024 mb", 1024, 2),
        ("1024mb,2vcores", 1024, 2),
        ("1024 MB , 2 VCores", 1024, 2),
        ("1024 mb 2 vcores", 1024, 2),
        ("1024 mb;2 vcores", 1024, 2),
        ("1024mb2vcores", 1024, 2),
        ("1024 mb\n2 vcores", 1024, 2),
        ("1024 mb x, 2 vcores", 1024, 2),
        ("1024. mb, 2 vcores,", 1024, 2),
        ("1024.9 mb, 2.5 vcores", 1024, 2),
        ("vcores=2, memory-mb=1024", 1024, 2),
        ("memory-mb=1=,vcores=2", 1, 2),
        ("memory-mb=1,memory-mb=+2,vcores=3,", 2, 3),
        ("vcores=3", 7, 3),
        ("vcores=9999999999, memory-mb=9223372036854775807", 10**9, 10**9),
        ("50%", 5000, 16),
        ("50%,", 5000, 16),
        ("150%", 15001, 49),
        ("50.5 %", 5050, 16),
        ("50% memory, 25% cpu", 5000, 8),
        ("25% cpu,50%memory, 7% x", 5000, 8),
        ("memory-mb=50%, vcores=25%", 5000, 8),
        ("vcores=25%", 10_001, 8),
        (f"{'9' * 400}%", 10**9, 10**9),
    ],
)
def test_resources(text: str, memory: int, vcores: int) -> None:
    assert parse_resources(text, CLUSTER, 7) == {"memory_mb": memory, "vcores": vcores}


@pytest.mark.parametrize(
    "text",
    [
        "",
        ",",
        "1024",
        "1024 mb",
        "1024 mb, 2",
        "1024 mb, 2 vcores, 3 x",
        "mb, vcores",
        "+5 mb, 2 vcores",
        "9999999999 mb, 1 vcores",
        "1024 gb, 2 vcores",
        "x 1024 mb, 2 vcores",
        "\u0663 mb, 2 vcores",
        ".5%",
        "1e1%",
        "50% memory",
        "50% memory 25% cpu",
        "50% memory,2 vcores",
        "memory-mb=1,gpu=2",
        "memory=1,vcores=2",
        "Memory-MB=1,vcores=2",
        "memory-mb=x",
        "memory-mb=1.5",
        "memory-mb=9223372036854775808",
        "memory-mb==1",
        "memory-mb=1,,vcores=2",
        "memory-mb=50%,vcores=2",
        "5%,5%",
        "1" * 3000,
    ],
)
def test_what_is_no_resource(text: str) -> None:
    with pytest.raises(ValueError, match="resource"):
        parse_resources(text, CLUSTER, 0)


@pytest.mark.parametrize("text", ["-5 mb, 3 vcores", "5 mb, - 3 vcores", "-5%", "memory-mb=-5"])
def test_an_amount_below_0_is_told_as_that(text: str) -> None:
    with pytest.raises(ValueError, match=phrase("configuration.has_amount_below_0")):
        parse_resources(text, CLUSTER, 0)


@pytest.mark.parametrize(
    ("codec", "text", "value", "kind"),
    [
        (MAXIMUM_RESOURCES, "memory-mb=5", {"memory_mb": 5, "vcores": 0}, NoteKind.READ),
        (MAXIMUM_RESOURCES, "1,024 mb, 2 vcores", {"memory_mb": 24, "vcores": 2}, NoteKind.READ),
        (MINIMUM_RESOURCES, "50%", {"memory_mb": 0, "vcores": 0}, NoteKind.READ),
        (MINIMUM_RESOURCES, "memory-mb=5", {"memory_mb": 5, "vcores": 0}, None),
        (MAXIMUM_CONTAINER, "memory-mb=5", {"memory_mb": 5, "vcores": 1}, NoteKind.NEAR),
        (MAXIMUM_CONTAINER, "5 mb, 6 vcores", {"memory_mb": 5, "vcores": 6}, None),
        (MAXIMUM_CONTAINER, "50%", None, NoteKind.READ),
        (WEIGHT, "0", 0.0, None),
        (WEIGHT, "-0.0", 0.0, None),
        (WEIGHT, "1e-46", 0.0, None),
        (WEIGHT, "2000000", 2e6, None),
        (WEIGHT, "-1", 0.0, NoteKind.NEAR),
        (WEIGHT, "Infinity", 1e9, NoteKind.NEAR),
        (AM_SHARE, "-1.00001", -1.0, None),
        (AM_SHARE, "7", 1.0, None),
        (AM_SHARE, "-2", 0.0, NoteKind.NEAR),
        (AM_SHARE, "NaN", 0.0, NoteKind.NEAR),
        (THRESHOLD, "-1", 0.0, None),
        (THRESHOLD, "Infinity", 1.0, None),
        (THRESHOLD, "NaN", 0.0, NoteKind.NEAR),
        (TIMEOUT, "+3", 3.0, None),
        (TIMEOUT, "-1", 0.0, NoteKind.NEAR),
        (TIMEOUT, "9223372036854775807", 0.0, NoteKind.NEAR),
        (TIMEOUT, "9223372036854775", 1e8, NoteKind.NEAR),
        (RUNNING_APPS, "\u0663", 3, None),
        (RUNNING_APPS, "2147483647", 10**7, None),
        (RUNNING_APPS, "-1", 0, NoteKind.NEAR),
        (FLAG, "TRUE", True, None),
        (FLAG, "yes", False, NoteKind.READ),
        (POLICY, "DRF", "drf", None),
        (POLICY, "fifo", "fifo", None),
        (ORDER, f"{CLASSES}DominantResourceFairnessPolicy", "drf", None),
    ],
)
def test_what_is_taken(codec: Codec, text: str, value: Any, kind: NoteKind | None) -> None:
    taken = codec.parse(text, CLUSTER)
    assert (taken.kind if isinstance(taken, Taken) else None) == kind
    assert codec.value(text, CLUSTER) == value


@pytest.mark.parametrize(
    ("codec", "text", "fault"),
    [
        (WEIGHT, "NaN", phrase("configuration.never_ends_computing_shares")),
        (WEIGHT, "0x1", phrase("common.must_be_number_2")),
        (WEIGHT, "1,5", phrase("common.must_be_number_2")),
        (RUNNING_APPS, "2147483648", phrase("common.must_be_whole_number")),
        (RUNNING_APPS, "5.0", phrase("common.must_be_whole_number")),
        (RUNNING_APPS, "9" * 5000, phrase("common.must_be_whole_number")),
        (TIMEOUT, "9223372036854775808", phrase("common.must_be_whole_number")),
        (POLICY, "lottery", phrase("configuration.none_of_fair_drf_and_fifo", "'lottery'")),
        (POLICY, f"{CLASSES}fifopolicy", phrase("configuration.fairscheduler_does_not_start")),
        (ORDER, "fifo", phrase("configuration.cant_be_fifo")),
    ],
)
def test_what_is_refused(codec: Codec, text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        codec.parse(text, CLUSTER)


def test_numbers_of_java() -> None:
    texts = ("1", "-2.5", ".5", "1.", "1e3", "2f", "3.D", "0x1p-1", "1e999", "-0x1p9999", "Infinity")
    numbers = [1.0, -2.5, 0.5, 1.0, 1000.0, 2.0, 3.0, 0.5, float("inf"), float("-inf"), float("inf")]
    assert [parse_java_number(text) for text in texts] == numbers
