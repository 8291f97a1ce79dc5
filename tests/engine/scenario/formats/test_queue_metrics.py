"""Queue metrics over time as jobs: the demand of each queue is what was sampled."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

from engine import FormatError, Run, Scenario, read, sample, simulate
from engine.errors import TooLarge
from engine.scenario.formats import queue_metrics
from engine.scenario.formats.scenario_builder import ImportedScenario
from tests.phrases import phrase

BEAN = "Hadoop:service=ResourceManager,name=QueueMetrics"
SIZES = {"Containers": 1, "MB": 1024, "VCores": 1}
BATCH = {
    "version": 1,
    "cluster": {"nodes": [{"count": 3, "memory_mb": 8192, "vcores": 8}], "heartbeat_ms": 1000},
    "queues": [{"name": "root.etl", "weight": 2}, {"name": "root.adhoc"}],
    "jobs": [
        {
            "name": f"job{number}",
            "queue": ("root.etl", "root.adhoc")[number % 2],
            "arrival_s": 13 * number,
            "maps": {"count": 5 + 3 * number, "memory_mb": 1024, "vcores": 1, "duration_s": 20 + number},
        }
        for number in range(8)
    ],
}


def metrics(
    submitted: list[int], allocated: list[int], held: list[int], pending: list[int], queue: str = "root.a"
) -> list[dict]:
    """Samples 10 s apart of one queue, whose containers are of 1024 MB and one vcore."""
    return [
        {
            "sampled_ms": 10_000 * index,
            "beans": [
                {
                    "name": BEAN,
                    "tag.Queue": queue,
                    "AppsSubmitted": submitted[index],
                    "AggregateContainersAllocated": allocated[index],
                    **{f"Allocated{unit}": size * held[index] for unit, size in SIZES.items()},
                    **{f"Pending{unit}": size * pending[index] for unit, size in SIZES.items()},
                },
                {"name": BEAN, "tag.Queue": "root", "AvailableMB": 16_384, "AvailableVCores": 16},
            ],
        }
        for index in range(len(submitted))
    ]


def imported(samples: list[dict], **options: int) -> ImportedScenario:
    text = "".join(json.dumps(one) + "\n" for one in samples)
    return read("queue-jmx", io.BytesIO(text.encode()), **options)


def rows(result: ImportedScenario) -> list[tuple]:
    return [
        (job.name, job.count, job.arrival_s, job.maps.count, job.maps.duration_s)
        for job in result.scenario.jobs
    ]


@pytest.mark.parametrize(
    ("kind", "name"), [("queue-jmx", "queue-jmx.jsonl"), ("queue-prometheus", "queue-range.json")]
)
def test_the_samples_are_read_as_the_format_s_file_says(kind: str, name: str) -> None:
    result = read(kind, io.BytesIO(sample(name).read_bytes()))
    # etl asks for 8 containers between 0 and 10 s. Those allocated pass 4 at 10 s and 8 at 20 s, on the mean
    # 10 s; those released pass 4 at 30 s and 8 at 40 s, from 20 s on, on the mean 30 s.
    # adhoc's 3 of two applications are allocated from 10 to 20 s and released from 30 to 40 s.
    assert rows(result) == [
        ("etl-1", 1, 5.0, 8, 20.0),
        ("adhoc-1", 1, 15.0, 1, 20.0),
        ("adhoc-1-more", 1, 15.0, 2, 20.0),
        ("etl-2", 1, 25.0, 4, 10.0),
    ]
    assert {(job.queue, job.maps.memory_mb, job.maps.vcores, job.am) for job in result.scenario.jobs} == {
        ("root.etl", 1024, 1, None),
        ("root.adhoc", 2048, 2, None),
    }
    assert [(group.count, group.memory_mb, group.vcores) for group in result.scenario.cluster.nodes] == [
        (4, 8192, 8)
    ]
    assert phrase("queue_metrics.samples_apart", 10) in result.assumptions[0]


def test_what_was_there_before_and_what_had_not_ended() -> None:
    # 4 held and 2 pending at first; 4 released by 10 s, the 2 allocated by then; one more is asked for by
    # 20 s and never allocated
    result = imported(metrics([3, 3, 3], [9, 11, 11], [4, 2, 2], [2, 0, 1]))
    # of the 6 there: 4 from 0 s to on the mean 5 s; 2 from on the mean 5 s to the end at 20 s
    first = (4 * 5 + 2 * 15) / 6
    assert rows(result) == [("a-1", 1, 0.0, 6, round(first, 3)), ("a-2", 1, 15.0, 1, round(first, 3))]
    assert result.assumptions[:4] == [
        phrase("queue_metrics.there_at_first"),
        phrase("queue_metrics.without_application"),
        phrase("queue_metrics.not_ended"),
        phrase("queue_metrics.never_allocated"),
    ]


def test_the_longest_part_between_restarts_counts() -> None:
    before, after = (
        metrics([7, 8], [70, 80], [0, 10], [0, 0]),
        metrics([0, 1, 1], [0, 2, 2], [0, 2, 0], [0] * 3),
    )
    result = imported(before + [{**one, "sampled_ms": 20_000 + one["sampled_ms"]} for one in after])
    # 2 allocated between 20 and 30 s, on the mean 25 s, released on the mean at 35 s
    assert rows(result) == [("a-1", 1, 5.0, 2, 10.0)]
    assert result.assumptions[0] == phrase("queue_metrics.begin_anew")


def test_withdrawn_requests_are_left_out() -> None:
    result = imported(metrics([0, 1, 1, 1], [0, 2, 2, 2], [0, 2, 2, 0], [0, 5, 0, 0]))
    assert rows(result) == [("a-1", 1, 5.0, 2, 20.0)]


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        (metrics([0], [0], [0], [0]), phrase("queue_metrics.one_sample")),
        (metrics([0, 1], [0, 0], [0, 0], [0, 3]), phrase("queue_metrics.none_allocated")),
        (
            [{**one, "beans": one["beans"][:1]} for one in metrics([0, 1], [0, 1], [0, 1], [0, 0])],
            phrase("formats.trace_names_no_node_nodes"),
        ),
    ],
)
def test_what_shows_no_demand_is_refused(samples: list[dict], words: str) -> None:
    with pytest.raises(FormatError) as fault:
        imported(samples)
    assert str(fault.value) == words


def test_more_values_than_are_held_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_metrics, "MAX_VALUES", 19)
    with pytest.raises(TooLarge):
        imported(metrics([0, 1], [0, 2], [0, 2], [0, 0]))


def of_queue(run: Run, queue: str) -> np.ndarray:
    """Which jobs are of a queue."""
    return run.workload.job_queue == run.workload.queues.names.index(queue)


def sampled(run: Run, step_ms: int) -> list[dict]:
    """What QueueMetrics would have said of a run."""
    c = run.containers
    times = np.arange(0, int(c.end.max()) + 2 * step_ms, step_ms)
    answers = [{"sampled_ms": int(time), "beans": []} for time in times]
    for queue in ("root.etl", "root.adhoc"):
        jobs = of_queue(run, queue)
        own = jobs[c.job]
        asked, begun, ended = (
            (moments[own][:, None] <= times).sum(axis=0) for moments in (c.requested, c.start, c.end)
        )
        submitted = (run.jobs.arrival[jobs][:, None] <= times).sum(axis=0)
        counted = (submitted, begun, begun - ended, asked - begun)
        for answer, bean in zip(answers, metrics(*(curve.tolist() for curve in counted), queue)):
            answer["beans"] += bean["beans"]
    return answers


def demand(run: Run, queue: str, times: np.ndarray) -> np.ndarray:
    """How many containers of a queue have been asked for by each time."""
    own = of_queue(run, queue)[run.containers.job]
    return (run.containers.requested[own][:, None] <= times).sum(axis=0)


def held_s(run: Run, queue: str) -> float:
    """Container-seconds of a queue."""
    own = of_queue(run, queue)[run.containers.job]
    return float((run.containers.end - run.containers.start)[own].sum()) / 1000


@pytest.mark.parametrize("step_ms", [1_000, 10_000])
def test_a_known_batch_comes_back(step_ms: int) -> None:
    run = simulate(Scenario.of(BATCH), "fair")
    data = imported(sampled(run, step_ms)).scenario.plain()
    data |= {key: BATCH[key] for key in ("cluster", "queues")}
    again = simulate(Scenario.of(data), "fair")
    samples = np.arange(0, int(run.containers.end.max()), step_ms)
    for queue in ("root.etl", "root.adhoc"):
        # asked for by each sample: the very number
        assert demand(again, queue, samples).tolist() == demand(run, queue, samples).tolist()
        # the curve of what is held is straight between samples: half a step at both ends of 68 containers
        assert held_s(again, queue) == pytest.approx(
            held_s(run, queue), rel=0.002 if step_ms == 1000 else 0.05
        )
    assert abs(again.containers.end.max() - run.containers.end.max()) <= 2 * step_ms + 2000
