"""SWIM's workloads: tasks and times made of bytes, and what is told of it."""

from __future__ import annotations

import gzip
import io
import re

import pytest

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.readers import ImportedScenario, detect, read
from engine.scenario.formats.swim import BLOCK, MEBIBYTE, map_count, reduce_count
from engine.scenario.formats.time_window import Part
from engine.scenario.presets import sample
from tests.conftest import ROOT
from tests.phrases import phrase

FACEBOOK = ROOT.parent / "shared" / "data" / "FB-2009_samples_24_times_1hr_0.tsv"
NODES = (
    b'{"rack": "r", "nodes": [{"node": "n1", "memory-mb": 8192, "vcores": 8}, {"node": "n2", "memory-mb": '
    b'8192, "vcores": 8}]}'
)


def swim(data: bytes | str, nodes: bytes | None = None, **options: int) -> ImportedScenario:
    return read(
        "swim",
        io.BytesIO(data.encode() if isinstance(data, str) else data),
        nodes and io.BytesIO(nodes),
        "made",
        **options,
    )


def line(*columns: object) -> str:
    return "\t".join(map(str, columns)) + "\n"


def test_the_sample_is_read_as_the_format_s_file_says() -> None:
    result = swim(sample("swim.tsv").read_bytes())
    sift, count, move = result.scenario.jobs
    assert [(job.name, job.arrival_s, job.queue, job.user) for job in result.scenario.jobs] == [
        ("sift", 0, "root.default", "default"),
        ("count", 12, "root.default", "default"),
        ("move", 30, "root.default", "default"),
    ]
    assert (
        sift.maps.count,
        sift.reduces.count,
        sift.input_mb,
        sift.shuffle_mb_per_map,
        sift.model_extra["x_output_mb"],
    ) == (3, 3, 384, 128 / 3, 64)
    assert (sift.maps.duration_s, sift.reduces.duration_s) == (1 + 12.8, 1 + 6.4)
    assert (count.maps.count, count.reduces.count, count.maps.duration_s) == (1, 1, 1.1)
    assert (move.maps.count, move.reduces, move.maps.duration_s) == (10, None, 1 + 25.6)
    assert {
        (job.maps.memory_mb, job.maps.vcores, job.am.memory_mb, job.slowstart) for job in result.scenario.jobs
    } == {(1024, 1, 1536, 0.05)}
    assert [(node.count, node.memory_mb, node.vcores) for node in result.scenario.cluster.nodes] == [
        (600, 8192, 8)
    ]
    assert result.assumptions == [
        phrase("formats.file_names_no_node_as", 600, "FB-2009"),
        phrase("formats.jobs_tell_bytes_alone_map", 3, 128, 64),
        phrase("formats.jobs_tell_no_times_each", 3, 1, 0.1),
        phrase("formats.jobs_name_no_sizes_no", 3, 1024, 1, 1536, 0.05),
        phrase("formats.job_shuffles_nothing_maps_alone", 1, 1),
        phrase("formats.nodes_name_no_memory_mb_hadoops", 600, 8192),
        phrase("formats.nodes_name_no_vcores_vcores_hadoops", 600, 8),
    ]


def test_tasks_are_as_many_as_hdfs_and_the_replay_script_make() -> None:
    assert [map_count(amount) for amount in (0, 1, BLOCK, BLOCK + 1, 10 * BLOCK)] == [1, 1, 1, 2, 10]
    half = 32 * MEBIBYTE
    assert [reduce_count(shuffle, half, 600) for shuffle in (0, 1, half, 2 * half, 5 * half)] == [
        0,
        1,
        1,
        2,
        3,
    ]
    assert [reduce_count(number * 2 * half, 0, 600) for number in (600, 601)] == [600, 120]
    assert reduce_count(10 * 2 * half, 0, 3) == 1


def test_a_job_that_makes_its_data_up_has_maps_for_its_output() -> None:
    result = swim(line("made", 0, 0, 10, 0, 4 * BLOCK) + line("sorted", 0, 0, 10, 10, 4 * BLOCK))
    assert [job.maps.count for job in result.scenario.jobs] == [4, 1]
    assert phrase("formats.job_has_more_output_than", 1, 128) in result.assumptions


def test_a_nodes_file_is_the_cluster_and_bounds_the_reduces() -> None:
    result = swim(line("a", 5, 5, 0, 50 * 2**26, 0), NODES)
    assert [node.name for node in result.scenario.cluster.nodes] == ["n1", "n2"]
    assert result.scenario.jobs[0].reduces.count == 1
    assert phrase("formats.job_has_so_much_for", 1) in result.assumptions
    assert not any("600" in sentence for sentence in result.assumptions)


def test_packed_with_input_paths_and_ends_of_windows() -> None:
    data = gzip.compress(b"job0\t1\t1\t10\t0\t5\tinputPath1\t\t\r\njob1\t1\t0\t10\t0\t5\tinputPath2\t\t\r\n")
    assert detect(data) == "swim"
    result = swim(data)
    assert [job.name for job in result.scenario.jobs] == ["job0", "job1"]
    assert phrase("formats.jobs_name_input_path_left", 2) in result.assumptions


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("x\t1\t2\n", phrase("formats.line_columns_where_must_be", 2, 3, 6)),
        ("x\n", phrase("formats.line_column_where_must_be", 2, 1, 6)),
        (line("x", -1, 0, 0, 0, 0), phrase("formats.line_submit_time_must_be", 2, -1, 0)),
        (line("x", 1, 0, -7, 0, 0), phrase("formats.line_map_input_bytes_must", 2, -7, 0)),
        (line("x", 1, 0, "1e3", 0, 0), phrase("formats.line_map_input_bytes_must_be", 2, "'1e3'")),
        (line("x", 1, 0, 0, "9" * 90, 0), phrase("formats.line_shuffle_bytes_must_be", 2, f"'{'9' * 57}…'")),
        (line("x\0y", 1, 0, 0, 0, 0), phrase("formats.line_nul_which_no_text", 2)),
        ("x\t" * 10**6 + "\n", phrase("formats.line_line_more_than_bytes", 2, "65,536")),
        (line(*["1"] * 10_000, "z"), None),
    ],
)
def test_a_line_that_can_t_be_read_is_told_and_the_others_are_read(wrong: str, sentence: str | None) -> None:
    result = swim(line("a", 0, 0, 1, 0, 0) + wrong + line("b", 9, 9, 1, 0, 0))
    names = [job.name for job in result.scenario.jobs]
    if sentence is None:
        assert names == ["a", "1", "b"]
    else:
        assert names == ["a", "b"] and f"{sentence}: " + phrase("formats.left_out") in result.assumptions
        with pytest.raises(FormatError, match=f"^{re.escape(sentence.replace('line 2', 'line 1'))}$"):
            swim(wrong)


def test_many_wrong_lines_are_one_sentence() -> None:
    result = swim("x\n" * 3 + line("a", 0, 0, 1, 0, 0) + "y\t1")
    assert result.assumptions[0].endswith(phrase("formats.left_out_and_so_more", 3))
    assert result.assumptions[0].startswith("line 1: got 1 column")


def test_a_last_line_without_an_end_may_be_cut_off() -> None:
    assert (
        phrase("formats.line_has_no_end_may", 2)
        in swim(line("a", 0, 0, 1, 0, 0) + line("b", 0, 0, 1, 0, 6710)[:-2]).assumptions
    )


def test_a_line_without_an_end_is_neither_kept_nor_waited_for() -> None:
    """100 MB in one line, in a file that holds a job behind it."""

    class Long(io.RawIOBase):
        left = 1600

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return (
                b"x" * 65_536
                if self.left > 0
                else (b"\n" + line("a", 0, 0, 1, 0, 0).encode() if not self.left else b"")
            )

    result = read("swim", Long())
    assert [job.name for job in result.scenario.jobs] == ["a"]
    assert phrase("formats.line_line_more_than_bytes_left", 1, "65,536") in result.assumptions


def test_names_from_everywhere() -> None:
    result = swim(
        line("a/b", 0, 0, 1, 0, 0)
        + line("a/b", 0, 0, 1, 0, 0)
        + line("  ", 0, 0, 1, 0, 0)
        + line("名前" * 200, 0, 0, 1, 0, 0)
    )
    assert [job.name for job in result.scenario.jobs] == ["a_b", "a_b.2", "job3", ("名前" * 200)[:180]]
    assert swim(b"\xff\xfe\t0\t0\t1\t0\t0\n").scenario.jobs[0].name == "\ufffd\ufffd"


def test_limits_hold() -> None:
    with pytest.raises(TooLarge, match="^" + phrase("formats.line_file_holds_more_than_tasks", 1, 10) + "$"):
        swim(line("b", 0, 0, 100 * BLOCK, 0, 0), max_tasks=10)
    jobs = line("a", 5, 0, 1, 0, 0) + line("b", 9, 0, 100 * BLOCK, 0, 0) + line("c", 10, 0, 1, 0, 0)
    assert [job.name for job in swim(jobs, max_tasks=10).scenario.jobs] == ["a"]
    assert [(job.name, job.arrival_s) for job in swim(jobs, part=Part(1)).scenario.jobs] == [
        ("b", 0),
        ("c", 1),
    ]
    with pytest.raises(TooLarge, match=phrase("formats.more_than_bytes_text", 20)):
        swim(line("a", 0, 0, 1, 0, 0) * 9, max_bytes=20)


@pytest.mark.skipif(
    not FACEBOOK.exists(),
    reason="Facebook's sample stands in the folder shared beside the project, which is not here",
)
def test_facebook_s_day() -> None:
    result = read("swim", FACEBOOK.open("rb"))
    assert len(result.scenario.jobs) == 5_894
    assert sum(job.maps.count for job in result.scenario.jobs) == 243_250
    assert sum(job.reduces is None for job in result.scenario.jobs) == 4_448
