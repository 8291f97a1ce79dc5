"""Standard Workload Format: rigid jobs as containers, and what is told of it."""

from __future__ import annotations

import gzip
import io
import re

import pytest

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.readers import Imported, detect, read
from engine.scenario.formats.swf import FIELDS
from engine.scenario.presets import sample

HEADER = "; MaxNodes: 4\n; MaxProcs: 32\n"


def swf(text: str, **options: int) -> Imported:
    return read("swf", io.BytesIO(text.encode()), None, "made", **options)


def row(**given: object) -> str:
    own = {"job number": 1, "submit time": 0, "run time": 10, "allocated processors": 2, "status": 1}
    return " ".join(str((own | {key.replace("_", " "): value for key, value in given.items()}).get(name, -1)) for name in FIELDS) + "\n"


def test_the_sample_is_read_as_the_format_s_file_says() -> None:
    found = read("swf", io.BytesIO(sample("cluster-log.swf").read_bytes()))
    one, three, four = found.scenario.jobs
    assert [(job.name, job.arrival_s, job.user, job.queue, job.estimate_s) for job in found.scenario.jobs] == [
        ("job1", 0, "user1", "root.queue1", 900),
        ("job3", 90, "user2", "root.queue1", 180),
        ("job4", 200, "user1", "root.queue1", 60),
    ]
    assert [(job.maps.count, job.maps.memory_mb, job.maps.vcores, job.maps.duration_s) for job in (one, three, four)] == [
        (16, 512, 1, 600),
        (32, 256, 1, 120),
        (1, 1024, 1, 0.5),
    ]
    assert all(job.am is None and job.reduces is None for job in found.scenario.jobs)
    assert [(node.count, node.memory_mb, node.vcores) for node in found.scenario.cluster.nodes] == [(4, 8 * 1024, 8)]
    assert found.assumed == [
        "3 jobs are rigid: a map for each processor, given one by one as they come free, where a rigid job waits for all",
        "1 job has no run time or no processors, such as those cancelled before they began: left out",
        "1 job has failed: what they held until then counts",
        "1 job has a run time of 0, less than half a second: 0.5 s",
        "1 job tells no memory: 1024 MB a processor",
        "time 0 of the log is 2010-01-01 00:00 UTC",
        "4 nodes name no memory: 8192 MB, so much that processors alone limit",
        "4 nodes name no vcores: 8 vcores, its part of MaxProcs",
        "1 queue has no weight and no capacity in the trace: equal ones stand in",
    ]


def test_it_is_known_by_its_header_or_by_its_fields() -> None:
    assert detect(b"; Version: 2.2\n") == detect(row().encode()) == detect(gzip.compress(("; words\n" + row()).encode())) == "swf"
    assert detect(b"; words alone\n") is None and detect(b"1 2 3\n") is None


def test_processors_and_memory_come_from_what_was_held_else_asked_for() -> None:
    text = row(requested_processors=8, used_memory=1025) + row(job_number=2, allocated_processors=-1, requested_processors=8, requested_memory=4096)
    found = swf(HEADER + text)
    assert [(job.maps.count, job.maps.memory_mb) for job in found.scenario.jobs] == [(2, 2), (8, 4)]
    assert "1 job tells no processors held: those requested" in found.assumed


def test_parts_of_a_job_and_what_never_ran_are_left_out_and_cancelled_ones_ran_as_long_as_they_did() -> None:
    rows = [row(job_number=number, status=status) for number, status in enumerate((1, 2, 3, 4, 5, 0))]
    found = swf(HEADER + "".join(rows) + row(job_number=9, status=5, run_time=0) + row(job_number=10, run_time=-1))
    assert [job.name for job in found.scenario.jobs] == ["job0", "job4", "job5"]
    assert "3 lines are parts of a job (status 2 to 4), whose own line tells all of it: left out" in found.assumed
    assert "2 jobs have no run time or no processors, such as those cancelled before they began: left out" in found.assumed
    assert "1 job has been cancelled: what they held until then counts" in found.assumed


@pytest.mark.parametrize(
    ("header", "nodes", "sentence"),
    [
        ("; MaxProcs: 6\n", (6, 1), None),
        ("; MaxNodes: 6\n", (6, 1), None),
        ("; MaxNodes: 4 (two kinds)\n;MaxProcs: 10\n", (4, 3), "10 processors are no equal parts for 4 nodes: 3 each"),
        ("", (2, 1), "the header tells neither MaxNodes nor MaxProcs: 2 nodes of one processor, as many as the largest job held"),
        ("; MaxProcs: 1\n", (1, 1), "a job held 2 processors, more than the 1 that the header tells: it runs in part after part"),
    ],
)
def test_the_cluster_is_what_the_header_says(header: str, nodes: tuple[int, int], sentence: str | None) -> None:
    found = swf(header + row())
    [group] = found.scenario.cluster.nodes
    assert (group.count, group.vcores) == nodes
    assert sentence is None or sentence in found.assumed


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("1 2 3\n", "line 4: 3 fields where 18 must be"),
        ("7\n", "line 4: 1 field where 18 must be"),
        (row(submit_time=-1), "line 4: submit time: -1 must be from 0 to 100,000,000 s"),
        (row(run_time=-3), "line 4: run time: -3 must be from 0 to 100,000,000 s, or -1 where it is not known"),
        (row(run_time="nan"), "line 4: run time: 'nan' must be a number"),
        (row(allocated_processors=10**8), "line 4: more than 10,000,000 processors"),
        (row(user="a\0b"), "line 4: a NUL, which no text holds"),
        ("1 " * 10**6 + "\n", "line 4: a line of more than 65,536 bytes"),
    ],
)
def test_a_line_that_can_t_be_read_is_told_and_the_others_are_read(wrong: str, sentence: str) -> None:
    found = swf(HEADER + row() + wrong + row(job_number=2, submit_time=1.5))
    assert [(job.name, job.arrival_s) for job in found.scenario.jobs] == [("job1", 0), ("job2", 1.5)]
    assert f"{sentence}: it is left out" in found.assumed
    with pytest.raises(FormatError, match=f"^{re.escape(sentence.replace('line 4', 'line 3'))}$"):
        swf(HEADER + wrong)


def test_nothing_that_ran_and_too_much() -> None:
    with pytest.raises(FormatError, match="^the file holds no job that can be run$"):
        swf(HEADER)
    with pytest.raises(TooLarge, match="^line 1: the file holds more than 1 tasks"):
        swf(row(), most_tasks=1)
    with pytest.raises(FormatError, match="^MaxNodes: 2,000,000 must be between 1 and 1,000,000$"):
        swf("; MaxNodes: 2000000\n" + row())
