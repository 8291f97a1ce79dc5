"""Applications without a job history, as demand: by hand, and a real batch of Spark's beside its record."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest

from engine import simulate
from engine.commands.streams import read_inputs
from engine.errors import FormatError
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.formats.time_window import Part
from engine.scenario.history.history_scenario import scenario_from_history
from engine.scenario.history.records import HeldSample, History, NodeRecord, OtherApplicationRecord
from engine.scenario.model import Job
from engine.scenario.scenario_limits import MAX_STAGES
from tests.engine.scenario.history.job_histories import history_of, ms, plain_job, told
from tests.phrases import phrase


def application(
    *samples: tuple[float, int, int, int], submit: float = 0, start: float = 2, end: float = 60, **named: Any
) -> OtherApplicationRecord:
    """samples: (seconds, containers, MB, vcores)."""
    held = tuple(HeldSample(ms(at), *amounts) for at, *amounts in samples)
    fields = {"id": "application_1_0007", "name": "etl", "user": "eve", "queue": "a", "type": "SPARK"}
    totals = {"memory_mb_s": 116_000, "vcore_s": 116, "submit_ms": ms(submit)}
    times = {"start_ms": ms(start), "end_ms": ms(end)}
    return OtherApplicationRecord(**{**fields, **totals, **times, "samples": held, **named})


def alone(
    *others: OtherApplicationRecord, max_tasks: int | None = None, part: Any = None
) -> ImportedScenario:
    """On two nodes, with no MapReduce job."""
    history = History(others=list(others))
    history.nodes["n1"], history.nodes["n2"] = (NodeRecord(name, "r", 8192, 8) for name in ("n1", "n2"))
    return scenario_from_history(history, None, "title", max_tasks, **({"part": part} if part else {}))


def stages(job: Job) -> list[tuple]:
    """(start, containers, MB, vcores, seconds) of each."""
    return [
        (stage.start_s, stage.tasks, stage.memory_mb, stage.vcores, getattr(held, "values", held))
        for stage in job.stages
        for held in (stage.duration_s,)
    ]


def test_containers_begin_and_end_halfway_between_samples() -> None:
    """Launched at 2 s. Two of 2,048 MB come between 4 and 8 s, at 6; one more at 10. Between 12 and 20 s one
    has ended: the first, after 10 s. The rest end with the application, at 60.
    """
    result = alone(
        application(
            (4, 1, 1024, 1), (8, 3, 5120, 5), (12, 4, 7168, 7), (20, 3, 5120, 5), memory_mb_s=291_840
        ),
        max_tasks=3,
    )
    (job,) = result.scenario.jobs
    assert (job.framework, job.name, job.user, job.queue, job.arrival_s) == (
        "demand",
        "etl",
        "eve",
        "root.a",
        0.0,
    )
    assert (job.am.memory_mb, job.am.vcores) == (1024, 1)
    assert stages(job) == [(4.0, 2, 2048, 2, [10.0, 54.0]), (8.0, 1, 2048, 2, 50.0)]
    assert told(result, phrase("history.application_demand_of_samples", 1))
    assert result.scenario.measured is None


def test_a_run_without_waiting_holds_what_the_record_held() -> None:
    """Master 2 s to 60 s; the others 6 to 16, 6 to 60, 10 to 60, on nodes that beat each second."""
    record = application(
        (4, 1, 1024, 1), (8, 3, 5120, 5), (12, 4, 7168, 7), (20, 3, 5120, 5), submit=2, memory_mb_s=291_840
    )
    run = simulate(alone(record).scenario, "fifo")
    c = run.containers
    took = sorted(((c.end - c.start) / 1000).tolist())
    assert took == pytest.approx([10, 50, 54, 58], abs=1)
    assert run.jobs.finish.tolist() == [pytest.approx(58_000, abs=2000)]


def test_what_began_before_the_first_job_is_there_at_once_and_lasts_as_long_as_it_did() -> None:
    """The job arrives at 0; of two containers since -30 s one ended at -10, the other ends at 20."""
    history = history_of(plain_job())
    samples = ((-40, 1, 512, 1), (-20, 3, 2560, 3), (0, 2, 1536, 2), (40, 1, 512, 1))
    history.others.append(application(*samples, submit=-50, start=-45))
    _, job = scenario_from_history(history, None, "").scenario.jobs
    assert (job.arrival_s, stages(job)) == (0.0, [(0.0, 1, 1024, 1, 20.0)])


def test_totals_alone_are_held_in_the_mean_in_as_few_containers_as_nodes_allow() -> None:
    """1,160,000 MB-s in 58 s are 20,000 MB: three of 6,667 on nodes of 8,192. 116 vcore-s are 2."""
    (job,) = alone(application(memory_mb_s=1_160_000)).scenario.jobs
    assert (job.am, job.arrival_s, stages(job)) == (None, 2.0, [(0.0, 3, 6667, 1, 58.0)])


def test_a_master_that_no_sample_shows_alone_is_of_the_mean_size() -> None:
    (job,) = alone(application((10, 4, 4096, 4), memory_mb_s=221_184)).scenario.jobs
    assert (job.am.memory_mb, stages(job)) == (1024, [(4.0, 3, 1024, 1, 54.0)])


@pytest.mark.parametrize(
    ("samples", "max_tasks"),
    [
        (((10, 1, 2000, 1),), None),
        (((10, 0, 0, 0),), None),
        (((10, 2, 2148, 2),), 0),
        (((50, 2, 2000, 2), (55, 2, 2000, 2)), None),
    ],
)
def test_samples_of_a_master_alone_of_too_many_or_of_the_last_part_leave_the_mean(
    samples: tuple, max_tasks: int | None
) -> None:
    result = alone(application(*samples), max_tasks=max_tasks)
    assert stages(result.scenario.jobs[0]) == [(0.0, 1, 2000, 2, 58.0)]
    assert told(result, phrase("history.application_demand_of_totals", 1))


def test_a_container_that_fits_no_node_leaves_the_mean_from_the_masters_launch_on() -> None:
    """Nodes have 8,192 MB: one of 9,000 is gone from the record."""
    result = alone(application((4, 1, 1024, 1), (8, 2, 10_024, 2), memory_mb_s=544_000))
    (job,) = result.scenario.jobs
    assert (job.am, job.arrival_s, stages(job)) == (None, 0.0, [(2.0, 2, 4690, 1, 58.0)])
    assert told(result, phrase("history.application_demand_of_totals", 1))


def test_more_steps_than_stages_may_be_are_thinned_out() -> None:
    samples = ((2 + 0.01 * number, 1 + number % 2, 1024 * (1 + number % 2), 1) for number in range(3000))
    (job,) = alone(application(*samples)).scenario.jobs
    assert 0 < len(job.stages) <= MAX_STAGES


def test_applications_alone_have_a_part_too_and_one_that_held_something() -> None:
    others = [application(submit=at, start=at, end=at + 50, id=f"application_1_000{at}") for at in (0, 5, 9)]
    result = alone(*others, part=Part(since_s=4, until_s=8))
    assert [job.model_extra["x_id"][-1] for job in result.scenario.jobs] == ["5"]
    with pytest.raises(FormatError, match="^" + phrase("history.history_holds_no_job_ran") + "$"):
        alone(application(end=1))


def test_masters_of_others_count_where_a_queue_has_a_limit_for_them() -> None:
    """Two nodes of 8,192 MB: a master of 6,000 MB and the job's of 1,536 hold a third of what the queue has
    to itself; two of 6,000 more than half.
    """
    for masters, share in ((1, None), (2, 0.827)):
        history = history_of(plain_job(queue="a"))
        history.nodes["n1:8042"], history.nodes["n2:8042"] = (
            NodeRecord(f"n{number}:8042", "r", 8192, 8) for number in (1, 2)
        )
        history.others += [application((4, 1, 6000, 1), (8, 2, 7000, 2), memory_mb_s=396_000)] * masters
        (queue,) = scenario_from_history(history, None, "").scenario.queues
        assert (queue.name, queue.max_am_share) == ("root.a", share)


@pytest.fixture(scope="module")
def spark_batch(shared, tmp_path_factory):
    """The folder of a real batch, and its ResourceManager's answers `apps`, one each second, in one file."""
    folder = shared("data/mini-spark/fair")
    lines = gzip.decompress((folder / "samples.jsonl.gz").read_bytes()).splitlines()
    answers = [json.dumps(json.loads(line)["apps"]) for line in lines]
    return folder, tmp_path_factory.mktemp("answers"), answers


def held_mb(times: np.ndarray, spans: list[tuple[float, float, int]]) -> np.ndarray:
    held = np.zeros(len(times))
    for start, end, memory_mb in spans:
        held += memory_mb * ((times >= start) & (times < end))
    return held


@pytest.mark.parametrize(("every", "held_error", "end_error"), [(1, 0.05, 0.025), (10, 0.1, 0.05)])
def test_a_real_batch_of_spark_holds_what_it_held(spark_batch, every, held_error, end_error) -> None:
    """Against every sample of the record, whatever part of them is read. The first application, of 33 s, had
    ended before the first sample, and is its mean.
    """
    folder, made, answers = spark_batch
    (made / "apps.jsonl").write_text("\n".join(answers[::every]))
    names = ("apps.json", "nodes.json", "conf/yarn-site.xml", "conf/fair-scheduler.xml")
    imported = read_inputs([str(made / "apps.jsonl"), *(str(folder / name) for name in names)])
    jobs = imported.scenario.jobs
    assert [job.framework for job in jobs] == ["demand"] * 7
    assert [bool(job.am) for job in jobs] == [False] + [True] * 6
    run = simulate(imported.scenario, imported.scheduler)
    recorded = {app["id"]: app for app in json.loads((folder / "apps.json").read_text())["apps"]["app"]}
    origin = min(app["startedTime"] for app in recorded.values())
    for job, finish in zip(jobs, run.jobs.finish.tolist()):
        took = recorded[job.model_extra["x_id"]]["finishedTime"] - origin
        assert finish == pytest.approx(took, rel=end_error)
    told_mb = {}
    for answer in answers:
        for app in (json.loads(answer)["apps"] or {}).get("app", ()):
            if app["finishedTime"] == 0:
                at = (app["startedTime"] + app["elapsedTime"] - origin) // 1000
                told_mb[at, app["id"]] = app["allocatedMB"]
    seconds = np.array(sorted({at for at, _ in told_mb}))
    record = np.array([sum(mb for (when, _), mb in told_mb.items() if when == at) for at in seconds])
    c = run.containers
    sizes = [
        (jobs[job].am if kind == 0 else jobs[job].stages[stage - 1]).memory_mb
        for job, kind, stage in zip(run.workload.job_group[c.job].tolist(), c.kind.tolist(), c.stage.tolist())
    ]
    simulated = held_mb(seconds * 1000.0 + 500, [*zip(c.start.tolist(), c.end.tolist(), sizes)])
    assert np.abs(simulated - record).sum() <= held_error * record.sum()
    assert simulated.sum() == pytest.approx(record.sum(), rel=0.02)
