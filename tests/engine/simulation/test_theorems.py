"""What must hold whatever befalls a cluster: physics that is on but does nothing changes nothing, Little's
law, and parts that sum to the capacity.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given

from engine.analysis.capacity.split import capacity_split
from engine.analysis.queueing import jobs_waiting
from engine.codes import NONE
from engine.scenario.model import Scenario
from engine.schedulers.view import MASTER
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.examples import examples
from tests.physics import physical
from tests.strategies import BUSY, SMALL, named_schedulers, scenarios

NEUTRAL = {
    "fetch_weight": 0.0,
    "shuffle_latency_s": 0.0,
    "launch_s": {"dist": "uniform", "low": 0.0, "high": 0.0},
    "stragglers": {"share": 0.0, "factor": 9.0, "tail": 1.5},
    "failures": {"probability": 0.0},
}
HELD = ("master", "launching", "map", "fetching", "waiting", "computing")


def with_nothing_happening(scenario: Scenario) -> Scenario:
    """The parts that draw, weigh and retry are on, and no draw, weight or time makes a difference."""
    plain = scenario.plain()
    plain["cluster"] |= NEUTRAL
    for job in plain["jobs"]:
        job["partitions"] = {"zipf": 0.0}
    return Scenario.of(plain)


@examples(12, 100)
@given(scenario=scenarios(SMALL) | scenarios(BUSY), scheduler=named_schedulers())
def test_physics_that_do_nothing_give_the_same_containers(scenario, scheduler):
    assert result_of(simulate(with_nothing_happening(scenario), scheduler)) == result_of(
        simulate(scenario, scheduler)
    )


@given(scenario=scenarios())
def test_fields_left_at_their_defaults_leave_the_digest_as_it_was(scenario):
    of_clusters, of_jobs = ("launch_s", "failures", "outages", "fetch_weight"), ("partitions", "speculation")
    assert not any(f'"{name}'.encode() in scenario.canonical for name in (*of_clusters, *of_jobs))
    assert with_nothing_happening(scenario).digest != scenario.digest


@examples(7, 60)
@given(scenario=physical(), scheduler=named_schedulers())
def test_littles_law_and_parts_that_sum(scenario, scheduler):
    """L = lambda W: what is held at a time, added up over time, is the size of each container times its time;
    so for jobs that wait.
    """
    run = simulate(scenario, scheduler)
    if run.until_ms == run.first_ms:
        return
    split, c = capacity_split(run), run.containers
    assert (split.memory.parts.sum(axis=1) == split.memory.capacity).all()
    assert (split.vcores.parts.sum(axis=1) == split.vcores.capacity).all()
    end = np.minimum(np.where(c.end == NONE, run.until_ms, c.end), run.until_ms)
    size = run.workload.request_memory[3 * c.job.astype(np.int64) + c.kind]
    assert sum(split.memory.totals[part] for part in HELD) == (size * np.maximum(end - c.start, 0)).sum()
    if (run.jobs.start != NONE).all():
        waiting = jobs_waiting(run)
        lengths = np.diff(np.append(waiting.at, waiting.at[-1]))
        assert (waiting.level * lengths).sum() == (run.jobs.start - run.jobs.arrival).sum()
    assert (c.kind[c.attempt > 1] != MASTER).all() or scenario.cluster.outages


@examples(7, 60)
@given(scenario=physical(), scheduler=named_schedulers())
def test_every_task_of_a_job_that_finished_has_finished_once_for_each_time_its_output_was_lost(
    scenario, scheduler
):
    run = simulate(scenario, scheduler)
    for job in np.flatnonzero((run.jobs.finish != NONE) & ~run.jobs.failed).tolist():
        c = run.containers
        of_job = (c.job == job) & (c.outcome == 0) & (c.kind != MASTER)
        tasks = {
            (int(s), int(k), int(i)) for s, k, i in zip(c.stage[of_job], c.kind[of_job], c.index[of_job])
        }
        work = run.workload
        assert len(tasks) == int((work.job_maps[job] + work.job_reduces[job]) * work.job_iterations[job])
        assert len(tasks) == of_job.sum() or scenario.cluster.outages
