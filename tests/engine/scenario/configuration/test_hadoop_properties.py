"""What is told of a property that is not modelled: what that may change, or that Hadoop reads it neither."""

from __future__ import annotations

import pytest

from engine.scenario.configuration.configuration_notes import MAX_NOTES, NoteKind
from engine.scenario.configuration.hadoop_properties import (
    hadoop_properties,
    is_default,
    is_read,
    nearest,
)
from tests.engine.scenario.configuration.files import alone, of_properties
from tests.phrases import phrase

CAPACITY = "yarn.scheduler.capacity."
LISTED = {f"{CAPACITY}root.queues": "a", f"{CAPACITY}root.a.capacity": "100"}


def told(given: dict[str, str]) -> list[tuple[NoteKind, str]]:
    notes = alone(of_properties({**LISTED, **given})).notes
    return [(note.kind, f"{note.name} {note.text}") for note in notes if note.name]


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        (
            "root.a.maximum-application-lifetime",
            NoteKind.NOT_MODELLED,
            phrase(
                "configuration.not_modelled_which_may_change", phrase("configuration.how_long_job_may_run")
            ),
        ),
        (
            "root.a.user-limit-facter",
            NoteKind.NOT_READ,
            phrase("configuration.not_read_did_you_mean", f"{CAPACITY}root.a.user-limit-factor"),
        ),
        ("root.c.capacity", NoteKind.NOT_READ, phrase("configuration.unlisted_queue", "root.c")),
        ("root.a.x.capacity", NoteKind.NOT_READ, phrase("configuration.unlisted_queue", "root.a.x")),
        ("hive.capacity", NoteKind.NOT_READ, phrase("configuration.unlisted_without_root", "hive")),
        (
            "a.capacity",
            NoteKind.NOT_READ,
            phrase("configuration.not_read_did_you_mean", f"{CAPACITY}root.a.capacity"),
        ),
        (
            "node-locality-delai",
            NoteKind.NOT_READ,
            phrase("configuration.not_read_did_you_mean", f"{CAPACITY}node-locality-delay"),
        ),
        ("something-else-altogether", NoteKind.NOT_READ, phrase("configuration.not_read_by_hadoop")),
    ],
)
def test_a_property_of_capacity_scheduler(name: str, kind: NoteKind, text: str) -> None:
    assert told({f"{CAPACITY}{name}": "30"}) == [(kind, f"{CAPACITY}{name} {text}")]


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("yarn.timeline-service.enabled", NoteKind.BESIDE, phrase("configuration.bears_on_no_decision")),
        ("yarn.resourcemanager.hostname.rm1", NoteKind.BESIDE, phrase("configuration.bears_on_no_decision")),
        ("dfs.replication", NoteKind.BESIDE, phrase("configuration.bears_on_no_decision")),
        (
            "mapred.fairscheduler.preemption",
            NoteKind.NOT_READ,
            phrase("configuration.hadoop_1_name"),
        ),
        (
            "yarn.nodemanager.vmem-pmem-ration",
            NoteKind.NOT_READ,
            phrase("configuration.not_read_did_you_mean", "yarn.nodemanager.vmem-pmem-ratio"),
        ),
    ],
)
def test_a_property_of_the_cluster(name: str, kind: NoteKind, text: str) -> None:
    assert told({name: "x"}) == [(kind, f"{name} {text}")]


def test_what_says_the_default_is_counted() -> None:
    given = {
        f"{CAPACITY}rack-locality-full-reset": "true",
        f"{CAPACITY}root.a.auto-create-child-queue.max-queues": "1000.0",
    }
    notes = alone(of_properties({**LISTED, **given})).notes
    assert str(notes[-1]) == phrase("configuration.properties_say_default", 2)
    assert notes[-1].kind is NoteKind.DEFAULT and not told(given)


def test_what_matters_most_stands_first() -> None:
    given = {
        "dfs.replication": "3",
        f"{CAPACITY}root.a.capacitty": "1",
        f"{CAPACITY}root.a.accessible-node-labels": "x",
    }
    assert [kind for kind, _ in told(given)] == [NoteKind.NOT_MODELLED, NoteKind.NOT_READ, NoteKind.BESIDE]
    # one note is of no property
    assert [kind for kind, _ in told({f"dfs.{number}": "1" for number in range(600)} | given)] == [
        NoteKind.NOT_MODELLED, NoteKind.NOT_READ, *[NoteKind.BESIDE] * (MAX_NOTES - 2 - 1)
    ]  # fmt: skip


def test_the_list_of_properties_is_hadoops() -> None:
    known = hadoop_properties()
    assert list(known) == sorted(known) and len(known) > 800
    assert known["yarn.scheduler.minimum-allocation-mb"] == "1024"
    assert known["QUEUE.minimum-user-limit-percent"] == "100"
    assert is_read("QUEUE.accessible-node-labels.gpu.capacity") and not is_read("QUEUE.accessible")
    assert is_read("yarn.nodemanager.aux-services.spark_shuffle.class")
    assert is_default("yarn.scheduler.fair.locality.threshold.node", " -1 ")
    assert not is_default("yarn.scheduler.fair.migration.mode", "")
    assert nearest("QUEUE.maximum-capicity") == "QUEUE.maximum-capacity"
    assert not nearest("x" * 1000)
