"""Google's and Alibaba's cluster traces."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable

import pytest

from engine.errors import FormatError, TooLarge
from engine.scenario.field_types import Listed
from engine.scenario.formats.readers import ImportedScenario, detect, read
from engine.scenario.formats.time_window import Part
from tests.engine.scenario.formats.cluster_traces import (
    ALIBABA,
    ALIBABA_2017,
    GOOGLE,
    GOOGLE_2019,
    MACHINES,
    MACHINES_2019,
)
from tests.phrases import phrase


def opened(kind: str, text: str, **options: int) -> ImportedScenario:
    return read(kind, io.BytesIO(text.encode()), None, "made", **options)


def test_google_s_task_is_as_long_as_its_last_attempt() -> None:
    result = opened("google-2011", GOOGLE)
    seven, eight = result.scenario.jobs
    assert (seven.name, seven.user, seven.queue, seven.arrival_s) == (
        "job7",
        "u+longer-tha",
        "root.class2",
        0,
    )
    assert (seven.maps.count, seven.maps.duration_s, seven.maps.vcores) == (1, 5.0, 64 // 2)
    assert seven.maps.memory_mb == 262_144 // 4
    assert (eight.arrival_s, eight.maps.duration_s, eight.maps.vcores) == (20.0, 1.5, 1)
    assert {node.name for node in result.scenario.cluster.nodes} == {"machine3", "machine4"}
    assert any(note.startswith(phrase("cluster_traces.task_has_no_end", 1)) for note in result.assumptions)
    assert any(
        note.startswith(phrase("cluster_traces.job_has_no_task_that_began", 1)) for note in result.assumptions
    )


def test_google_s_instances_of_2019_are_read_in_any_order() -> None:
    result = opened("google-2019", GOOGLE_2019)
    seven, eight = result.scenario.jobs
    assert (seven.name, seven.user, seven.queue, seven.arrival_s) == ("job7", "default", "root.class2", 0)
    assert (seven.maps.count, seven.maps.duration_s, seven.maps.vcores) == (1, 5.0, 64 // 2)
    assert seven.maps.memory_mb == 262_144 // 4
    assert (eight.arrival_s, eight.maps.duration_s, eight.queue) == (14.5, 1.5, "root.class0")
    assert {node.name for node in result.scenario.cluster.nodes} == {"machine3", "machine4"}
    for words in (
        phrase("cluster_traces.task_has_no_end", 1),
        phrase("cluster_traces.event_of_alloc_set", 1),
    ):
        assert any(note.startswith(words) for note in result.assumptions)
    assert any("collection_events" in note for note in result.assumptions)


@pytest.mark.parametrize(
    "row",
    [
        '{"time":"1","type":"11","collection_id":"7"}',
        '{"time":"9223372036854775807","type":"0","collection_id":"7"}',
        '{"time":"1","type":"0","collection_id":"7","resource_request":{"cpus":-1}}',
        '{"time":"1","type":"0","collection_id":"7","user":"u"}',
        '{"start_time":"1","collection_id":"7"}',
        "[" * 50_000,
    ],
)
def test_google_s_rows_of_another_table_or_range_are_told(row: str) -> None:
    result = opened("google-2019", f"{GOOGLE_2019}{row}\n")
    assert result.assumptions[0].startswith("line 10: ")
    assert result.scenario == opened("google-2019", GOOGLE_2019).scenario


@pytest.mark.parametrize(("text", "rack"), [(MACHINES, "default-rack"), (MACHINES_2019, "s")])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_google_s_machines_are_nodes(text: str, rack: str, pack: Callable[[bytes], bytes]) -> None:
    data = pack(text.encode())
    assert detect(data) == "nodes"
    result = read("google-2019", io.BytesIO(GOOGLE_2019.encode()), io.BytesIO(data))
    assert [
        (node.name, node.rack, node.vcores, node.memory_mb) for node in result.scenario.cluster.nodes
    ] == [("machine3", rack, 16, 65_536), ("machine4", rack, 32, 131_072)]


@pytest.mark.parametrize("text", [MACHINES, MACHINES_2019])
def test_a_broken_row_of_machines_is_told_by_its_number(text: str) -> None:
    with pytest.raises(FormatError, match=f"^nodes file, line {len(text.splitlines()) + 1}: "):
        read("google-2011", io.BytesIO(GOOGLE.encode()), io.BytesIO(f"{text}nonsense\n".encode()))


def test_a_machine_has_three_events() -> None:
    with pytest.raises(FormatError, match=r"^nodes file, line 2: .*'7'.* 2$"):
        read("google-2011", io.BytesIO(GOOGLE.encode()), io.BytesIO(b"0,3,0,p,0.25,0.25\n0,4,7,p,1,1\n"))


def test_alibaba_s_tasks_that_wait_are_reduces() -> None:
    result = opened("alibaba-2018", ALIBABA)
    one, two = result.scenario.jobs
    assert (one.maps.count, one.maps.duration_s, one.maps.memory_mb, one.maps.vcores) == (2, 10.0, 512, 1)
    assert one.reduces is not None and one.slowstart == 1
    assert (one.reduces.count, one.reduces.vcores, one.reduces.memory_mb) == (2, 2, 1024)
    assert (two.arrival_s, two.maps.count, two.reduces) == (30.0, 3, None)
    (nodes,) = result.scenario.cluster.nodes
    assert (nodes.count, nodes.vcores, nodes.memory_mb) == (4000, 96, 102_400)
    assert any(
        note.startswith(phrase("cluster_traces.task_not_terminated", 1)) for note in result.assumptions
    )


def test_alibaba_s_tasks_of_2017_are_maps() -> None:
    one, two = opened("alibaba-2017", ALIBABA_2017).scenario.jobs
    assert (one.name, one.maps.count, one.maps.vcores, one.maps.memory_mb) == ("1", 3, 2, 1024)
    assert one.maps.duration_s == Listed(values=[10.0, 10.0, 30.0])
    assert (one.reduces, two.arrival_s, two.maps.count, two.maps.duration_s) == (None, 30.0, 3, 1.0)


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("google-2011", GOOGLE, "columns"),
        ("google-2019", GOOGLE_2019, "JSON"),
        ("alibaba-2017", ALIBABA_2017, "columns"),
        ("alibaba-2018", ALIBABA, "columns"),
    ],
)
def test_they_are_known_skipped_bounded_and_broken_rows_are_told(kind: str, text: str, words: str) -> None:
    assert detect(text.encode()) == detect(gzip.compress(text.encode())) == kind
    assert len(opened(kind, text, part=Part(1)).scenario.jobs) == 1
    broken = opened(kind, text + "nonsense\n")
    last = len(text.splitlines()) + 1
    assert broken.assumptions[0].startswith(f"line {last}: ")
    assert broken.scenario == opened(kind, text).scenario
    with pytest.raises(FormatError, match=words):
        opened(kind, "a,b\n")
    with pytest.raises(TooLarge):
        opened(kind, text, max_bytes=10)
