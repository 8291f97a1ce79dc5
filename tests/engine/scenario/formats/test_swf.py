"""Standard Workload Format: rigid jobs as containers, and what is told of it."""

from __future__ import annotations

import gzip
import io
import re

import pytest

from engine.errors import FormatError, TooLarge
from engine.scenario.formats import scenario_builder
from engine.scenario.formats.readers import ImportedScenario, detect, read
from engine.scenario.formats.swf import FIELDS
from engine.scenario.formats.time_window import Part
from engine.scenario.presets import sample
from tests.phrases import phrase

HEADER = "; MaxNodes: 4\n; MaxProcs: 32\n"


def swf(text: str, **options: int) -> ImportedScenario:
    return read("swf", io.BytesIO(text.encode()), None, "made", **options)


def row(**given: object) -> str:
    own = {"job number": 1, "submit time": 0, "run time": 10, "allocated processors": 2, "status": 1}
    return (
        " ".join(
            str((own | {key.replace("_", " "): value for key, value in given.items()}).get(name, -1))
            for name in FIELDS
        )
        + "\n"
    )


def test_the_sample_is_read_as_the_format_s_file_says() -> None:
    result = read("swf", io.BytesIO(sample("cluster-log.swf").read_bytes()))
    one, three, four = result.scenario.jobs
    assert [
        (job.name, job.arrival_s, job.user, job.queue, job.estimate_s) for job in result.scenario.jobs
    ] == [
        ("job1", 0, "user1", "root.queue1", 900),
        ("job3", 90, "user2", "root.queue1", 180),
        ("job4", 200, "user1", "root.queue1", 60),
    ]
    assert [
        (job.maps.count, job.maps.memory_mb, job.maps.vcores, job.maps.duration_s)
        for job in (one, three, four)
    ] == [
        (16, 512, 1, 600),
        (32, 256, 1, 120),
        (1, 1024, 1, 0.5),
    ]
    assert all(job.am is None and job.reduces is None for job in result.scenario.jobs)
    assert [(node.count, node.memory_mb, node.vcores) for node in result.scenario.cluster.nodes] == [
        (4, 8 * 1024, 8)
    ]
    assert result.assumptions == [
        phrase("formats.jobs_rigid_map_for_each", 3),
        phrase("formats.job_has_no_run_time", 1),
        phrase("formats.job_has_failed_what_they", 1),
        phrase("formats.job_has_run_time_less", 1, 0, 0.5),
        phrase("formats.job_tells_no_memory_mb", 1, 1024),
        phrase("formats.time_log_utc", 0, "2010-01-01", "00:00"),
        phrase("formats.nodes_name_no_memory_mb_so", 4, 8192),
        phrase("formats.nodes_name_no_vcores_vcores_part", 4, 8),
        phrase("formats.queue_has_no_weight_and", 1),
    ]


def test_it_is_known_by_its_header_or_by_its_fields() -> None:
    assert (
        detect(b"; Version: 2.2\n")
        == detect(row().encode())
        == detect(gzip.compress(("; words\n" + row()).encode()))
        == "swf"
    )
    assert detect(b"; words alone\n") is None and detect(b"1 2 3\n") is None


def test_processors_and_memory_come_from_what_was_held_else_asked_for() -> None:
    text = row(requested_processors=8, used_memory=1025) + row(
        job_number=2, allocated_processors=-1, requested_processors=8, requested_memory=4096
    )
    result = swf(HEADER + text)
    assert [(job.maps.count, job.maps.memory_mb) for job in result.scenario.jobs] == [(2, 2), (8, 4)]
    assert phrase("formats.job_tells_no_processors_held", 1) in result.assumptions


def test_parts_of_a_job_and_what_never_ran_are_left_out_and_cancelled_ones_ran_as_long_as_they_did() -> None:
    rows = [row(job_number=number, status=status) for number, status in enumerate((1, 2, 3, 4, 5, 0))]
    result = swf(
        HEADER + "".join(rows) + row(job_number=9, status=5, run_time=0) + row(job_number=10, run_time=-1)
    )
    assert [job.name for job in result.scenario.jobs] == ["job0", "job4", "job5"]
    assert phrase("formats.lines_parts_job_status_whose", 3, 2, 4) in result.assumptions
    assert phrase("formats.jobs_have_no_run_time", 2) in result.assumptions
    assert phrase("formats.job_has_been_cancelled_what", 1) in result.assumptions


@pytest.mark.parametrize(
    ("header", "nodes", "sentence"),
    [
        ("; MaxProcs: 6\n", (6, 1), None),
        ("; MaxNodes: 6\n", (6, 1), None),
        (
            "; MaxNodes: 4 (two kinds)\n;MaxProcs: 10\n",
            (4, 3),
            phrase("formats.processors_no_equal_parts_for", 10, 4, 3),
        ),
        ("", (2, 1), phrase("formats.header_tells_neither_maxnodes_nor", 2)),
        ("; MaxProcs: 1\n", (1, 1), phrase("formats.job_held_processors_more_than", 2, 1)),
    ],
)
def test_the_cluster_is_what_the_header_says(
    header: str, nodes: tuple[int, int], sentence: str | None
) -> None:
    result = swf(header + row())
    [group] = result.scenario.cluster.nodes
    assert (group.count, group.vcores) == nodes
    assert sentence is None or sentence in result.assumptions


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("1 2 3\n", phrase("formats.line_fields_where_must_be", 4, 3, 18)),
        ("7\n", phrase("formats.line_field_where_must_be", 4, 1, 18)),
        (row(submit_time=-1), phrase("formats.line_submit_time_must_be", 4, -1, 0)),
        (row(run_time=-3), phrase("formats.line_run_time_must_be", 4, -3, 0, "100,000,000", -1)),
        (row(run_time="nan"), phrase("formats.line_run_time_must_be_number", 4, "'nan'")),
        (row(allocated_processors=10**8), phrase("formats.line_more_than_processors", 4, "10,000,000")),
        (row(user="a\0b"), phrase("formats.line_nul_which_no_text", 4)),
        ("1 " * 10**6 + "\n", phrase("formats.line_line_more_than_bytes", 4, "65,536")),
    ],
)
def test_a_line_that_can_t_be_read_is_told_and_the_others_are_read(wrong: str, sentence: str) -> None:
    result = swf(HEADER + row() + wrong + row(job_number=2, submit_time=1.5))
    assert [(job.name, job.arrival_s) for job in result.scenario.jobs] == [("job1", 0), ("job2", 1.5)]
    assert f"{sentence}: " + phrase("formats.left_out") in result.assumptions
    with pytest.raises(FormatError, match=f"^{re.escape(sentence.replace('line 4', 'line 3'))}$"):
        swf(HEADER + wrong)


def test_a_log_of_years_begins_with_its_first_job() -> None:
    rows = "".join(row(job_number=number, submit_time=10**8 - 900 + 300 * number) for number in range(6))
    assert [job.arrival_s for job in swf(rows).scenario.jobs] == [0, 300, 600, 900, 1200, 1500]


def test_of_a_log_longer_than_a_scenario_the_fullest_part_is_read() -> None:
    """A job of 1970, and one 4 years after the others."""
    times = (0, 1.2e9, 1.21e9, 1.3e9, 1.33e9)
    result = swf("".join(row(job_number=number, submit_time=f"{at:.0f}") for number, at in enumerate(times)))
    assert [(job.name, job.arrival_s) for job in result.scenario.jobs] == [
        ("job1", 0),
        ("job2", 1e7),
        ("job3", 1e8),
    ]
    assert result.assumptions[0] == phrase("formats.jobs_left_out_too_far_from_others", 2, "100,000,000", 3)


def test_of_more_jobs_than_a_scenario_holds_the_first_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario_builder, "MAX_JOB_GROUPS", 3)
    log = "".join(row(job_number=number, submit_time=100 * number) for number in range(8))
    parts = [swf(log, part=Part(skip)) for skip in (0, 3, 6)]
    assert [[job.name for job in part.scenario.jobs] for part in parts] == [
        ["job0", "job1", "job2"],
        ["job3", "job4", "job5"],
        ["job6", "job7"],
    ]
    assert {part.scenario.jobs[0].arrival_s for part in parts} == {0}
    assert [part.assumptions[0] for part in parts[:2]] == [
        phrase("formats.jobs_left_out_after_first", 5, 3, 3),
        phrase("formats.jobs_left_out_after_first", 2, 3, 6),
    ]


def test_nothing_that_ran_and_too_much() -> None:
    with pytest.raises(FormatError, match="^" + phrase("formats.file_holds_no_job_can") + "$"):
        swf(HEADER)
    with pytest.raises(TooLarge, match="^" + phrase("formats.line_file_holds_more_than_tasks", 1, 1) + "$"):
        swf(row(), max_tasks=1)
    with pytest.raises(
        FormatError,
        match="^" + phrase("formats.maxnodes_must_be_between_and", "2,000,000", 1, "1,000,000") + "$",
    ):
        swf("; MaxNodes: 2000000\n" + row())
