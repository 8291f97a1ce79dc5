"""The recorded runs of a real cluster: they open as gantry-collect brought them, replay, and make the table
that is shown.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile

import numpy as np
import pytest

from engine.codes import EXECUTOR
from engine.prediction.prediction_accuracy import prediction_accuracy
from engine.scenario.formats.combined_files import read_files
from engine.simulation.measured_run import measured_run
from tests.hadoop.cluster.batches import applications_of, jobs_of
from tests.hadoop.cluster.prediction_accuracy import BATCHES as JUDGED
from tests.hadoop.cluster.prediction_accuracy import (
    DOCUMENT,
    MARKS,
    RECORDED,
    SAMPLES,
    TABLE,
    as_markdown,
    opened,
    row,
)

ARCHIVES = sorted(RECORDED.glob("*.tar.gz"))
REST = [path.name.removesuffix(".tar.gz") for path in ARCHIVES if "history" not in path.name]
MAX_BYTES = 1_300_000  # of all archives


def test_each_batch_is_there_under_both_schedulers_and_twice_what_the_noise_is_of():
    by_name = {
        name.rpartition("-")[0]: [
            other for other in REST if other.rpartition("-")[0] == name.rpartition("-")[0]
        ]
        for name in REST
    }
    assert sorted(by_name) == sorted(
        f"{scheduler}-{batch}" for scheduler in ("fair", "capacity") for batch in JUDGED
    )
    assert {name: len(runs) for name, runs in by_name.items()} == {
        name: 1 if name.endswith("-b") else 2 for name in by_name
    }
    assert sum(path.stat().st_size for path in ARCHIVES) < MAX_BYTES


@pytest.mark.parametrize("name", REST)
def test_a_run_opens_with_all_that_was_submitted(name):
    scheduler, _, batch = name.removesuffix(name[-2:]).partition("-")
    one = opened(name)
    assert one.scheduler.partition("(")[0].partition("+")[0] == scheduler
    assert sum(group.count for group in one.scenario.cluster.nodes) == 4
    assert {(group.memory_mb, group.vcores) for group in one.scenario.cluster.nodes} == {(4096, 4)}
    jobs = {job.name: job for job in one.scenario.jobs}
    for asked in jobs_of(batch):
        job = jobs.pop(asked.name)
        assert (job.user, job.queue) == (asked.user, f"root.{asked.queue}")
        assert (job.maps.count, job.maps.memory_mb) == (asked.maps, asked.map_mb)
        assert (job.reduces.count if job.reduces else 0) == asked.reduces
        assert not asked.reduces or (job.reduces.memory_mb, job.slowstart) == (
            asked.reduce_mb,
            asked.slowstart,
        )
    for asked in applications_of(batch):
        job = jobs.pop(asked.name)
        assert (job.framework, job.user, job.queue) == ("spark", asked.user, f"root.{asked.queue}")
        assert (job.executors.memory_mb, job.executors.vcores) == (512, 1)
        assert (job.executors.count or 0) == asked.executors
        assert bool(job.executors.dynamic) == (not asked.executors)
        asked_tasks = re.findall(r"(\d+)x\d", asked.steps)
        assert {int(tasks) for tasks in asked_tasks} <= {stage.tasks for stage in job.stages}
    assert sorted(jobs) == sorted(f"{asked.name}-order" for asked in jobs_of(batch) if asked.kind == "grep")
    told = [words for words in one.assumptions if "left out" in words or "can't" in words]
    assert not [words for words in told if "stage" not in words]  # stages that were computed before


@pytest.mark.parametrize("name", REST)
def test_no_more_ran_on_a_node_than_it_holds(name):
    run = measured_run(opened(name).scenario)
    c = run.containers
    assert not run.jobs.failed.any() and len(set(c.node.tolist())) == 4
    jobs = [run.scenario.jobs[group] for group in run.workload.job_group]
    memory = np.array(
        [
            jobs[job].executors.container.memory_mb
            if kind == EXECUTOR
            else run.workload.request_memory[3 * job + kind]
            for job, kind in zip(c.job, c.kind)
        ]
    )
    for node in range(4):
        own = c.node == node
        held = sorted(
            [(end, -mb) for end, mb in zip(c.end[own], memory[own])]
            + [(begin, mb) for begin, mb in zip(c.begin[own], memory[own])]
        )
        assert max(np.cumsum([mb for _, mb in held])) <= 4096


@pytest.mark.parametrize("name", SAMPLES)
def test_job_history_files_say_what_the_servers_say(name):
    """Binary under fair, JSON under capacity."""
    path = RECORDED / f"{name}-history.tar.gz"
    from_files, from_servers = (
        read_files([(path.name, io.BytesIO(path.read_bytes()))], title=name),
        opened(name),
    )
    with tarfile.open(path) as archive:
        begins = {archive.extractfile(one).read(11) for one in archive if one.name.endswith(".jhist")}
    assert begins == {b"Avro-Binary" if name.startswith("fair") else b"Avro-Json\n{"}
    assert from_files.scheduler == from_servers.scheduler
    one, other = (scenario.plain() for scenario in (from_files.scenario, from_servers.scenario))
    assert one["measured"]["jobs"] == other["measured"]["jobs"]
    ends = lambda record: sorted(
        zip(record["containers"]["job"], record["containers"]["start_ms"], record["containers"]["end_ms"])
    )
    assert ends(one["measured"]) == ends(other["measured"])


def test_nothing_of_the_machine_is_in_them():
    for path in ARCHIVES:
        text = gzip.decompress(path.read_bytes())
        assert not [
            word for word in (b"/root", b"/home", b"/work", b"http://proxy", b"submithost") if word in text
        ], path.name


@pytest.mark.parametrize(
    ("scheduler", "batch"), [("fair", "mixed-b"), ("capacity", "equal-b"), ("capacity", "spark-mixed")]
)
def test_the_table_is_what_the_program_finds_now(scheduler, batch):
    kept = next(
        one
        for one in json.loads(TABLE.read_text("utf-8"))["rows"]
        if (one["scheduler"], one["batch"]) == (scheduler, batch)
    )
    result = row(scheduler, batch)
    assert {
        key: pytest.approx(value, rel=1e-6) if isinstance(value, float) else value
        for key, value in kept.items()
    } == result


def test_the_page_has_the_whole_table():
    assert [(one.scheduler, one.batch) for one in prediction_accuracy().rows] == [
        (scheduler, batch) for scheduler in ("fair", "capacity") for batch in JUDGED
    ]
    assert all(one.median < 0.2 for one in prediction_accuracy().rows)


def test_the_document_has_the_whole_table():
    text = as_markdown(json.loads(TABLE.read_text("utf-8")))
    assert f"{MARKS[0]}{text}{MARKS[1]}" in DOCUMENT.read_text("utf-8"), "make cluster RECORD=1 renews it"
