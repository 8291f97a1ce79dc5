"""Scenario -> Physics: what delays, stretches and ends attempts, as the kernel reads it. Where disabled, its
arrays are empty or zero and nothing is drawn.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.codes import INFINITE
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Cluster, Job, Master, Scenario
from engine.simulation.durations import CONSTANT, LAW_SIZE, job_keys, law
from engine.simulation.workload import Workload

SPECULATION = {"none": 0, "maps": 1, "reduces": 2, "both": 3}


class Physics(NamedTuple):
    """Read only. Laws are (kind, first, second) of durations.law; times in ms."""

    job_key: np.ndarray  # uint64, of a job's draws; 0 where nothing but durations is drawn
    startup_law: np.ndarray  # LAW_SIZE a job
    job_heartbeat_ms: np.ndarray  # between heartbeats of its master, 0 without
    job_linger: np.ndarray  # how long its master outlives it
    launch_law: np.ndarray
    stragglers: np.ndarray  # share, factor, tail: 0 for none
    shuffle_latency: int  # ms
    fetch_weight: float
    failures: np.ndarray  # probability, at which part of the work or -1 for any, how often a task may
    absent_nodes: np.ndarray  # not there at first: they join later, or are lost at 0
    outage_at: np.ndarray  # when nodes are lost, come back or join; in the order of time, then of nodes
    outage_node: np.ndarray
    outage_is_back: np.ndarray  # int8
    job_speculates: np.ndarray  # bits: 1 for maps, 2 for reduces
    replication: int  # copies of a block, 0 where maps have none
    # how many times as long a map computes on its block's node, on its rack, elsewhere
    distance_factor: np.ndarray
    node_rack: np.ndarray  # numbered by first appearance
    rack_nodes: np.ndarray  # nodes rack by rack
    rack_place: np.ndarray  # where a node stands there
    rack_begin: np.ndarray  # where a rack begins there, and the end


def physics(scenario: Scenario, work: Workload) -> Physics:
    """The arrays of a scenario. Cost: linear in jobs and nodes; where nothing is asked for, of the number of
    jobs they are made once.
    """
    cluster = scenario.cluster
    if not _is_needed(scenario):
        return _disabled(len(work.job_group))

    def per_job(value: Callable[[Job], float | tuple], kind: type = np.int64) -> np.ndarray:
        return np.array([value(job) for job in scenario.jobs], kind)[work.job_group]

    has_random = [_has_random_attempts(cluster, job) for job in scenario.jobs]
    stragglers, failures = cluster.stragglers, cluster.failures
    absent, outages = _node_changes(cluster, work)
    locality = cluster.locality
    names = {name: rack for rack, name in enumerate(dict.fromkeys(work.node_racks))}
    racks = np.array([names[name] for name in work.node_racks], np.int64)
    by_rack = np.argsort(racks, kind="stable")
    return Physics(
        job_key=job_keys(scenario, work, has_random)
        if any(has_random)
        else np.zeros(len(work.job_group), np.uint64),
        startup_law=per_job(_startup_law, np.float64).reshape(-1),
        job_heartbeat_ms=per_job(master_heartbeat_ms),
        job_linger=per_job(lambda job: milliseconds(job.am.linger_s) if job.am else 0),
        launch_law=np.array(law(cluster.launch_s)[:LAW_SIZE], np.float64),
        stragglers=np.array(
            [stragglers.share, stragglers.factor, stragglers.tail or 0.0] if stragglers else [0.0, 1.0, 0.0]
        ),
        shuffle_latency=work.shuffle_latency_ms,
        fetch_weight=float(cluster.fetch_weight),
        failures=np.array(
            [failures.probability, -1.0 if failures.at is None else failures.at, failures.max_attempts]
            if failures
            else [0.0, 0.0, 0.0]
        ),
        absent_nodes=np.array(absent, np.int64),
        outage_at=np.array([at for at, _, _ in outages], np.int64),
        outage_node=np.array([node for _, node, _ in outages], np.int64),
        outage_is_back=np.array([is_back for _, _, is_back in outages], np.int8),
        job_speculates=per_job(lambda job: SPECULATION[job.speculation]),
        replication=locality.replication if locality else 0,
        distance_factor=np.array(
            [1.0, locality.rack_factor, locality.off_rack_factor] if locality else [1.0, 1.0, 1.0]
        ),
        node_rack=racks,
        rack_nodes=by_rack.astype(np.int64),
        rack_place=np.argsort(by_rack, kind="stable").astype(np.int64),
        rack_begin=np.searchsorted(racks[by_rack], np.arange(len(names) + 1)).astype(np.int64),
    )


def _startup_law(job: Job) -> tuple:
    return law(job.am.startup_s)[:LAW_SIZE] if job.am else (CONSTANT, 0.0, 0.0)


def _is_needed(scenario: Scenario) -> bool:
    """Does the scenario use any of these effects?"""
    cluster = scenario.cluster
    delays = cluster.launch_s != 0.0 or cluster.shuffle_latency_s > 0 or cluster.fetch_weight > 0
    befalls = cluster.stragglers or cluster.failures or cluster.varies or cluster.locality
    return bool(delays or befalls) or any(
        job.speculation != "none" or job.executors or job.held_containers or (job.am and _is_special(job.am))
        for job in scenario.jobs
    )


def _is_special(master: Master) -> bool:
    return master.heartbeat_s > 0 or master.linger_s > 0 or not isinstance(master.startup_s, (int, float))


@functools.lru_cache(maxsize=4)
def _disabled(jobs: int) -> Physics:
    """The arrays of so many jobs without any of these effects."""
    empty, each = np.zeros(0, np.int64), np.zeros(jobs, np.int64)
    return Physics(
        job_key=np.zeros(jobs, np.uint64),
        startup_law=np.zeros(LAW_SIZE * jobs),
        job_heartbeat_ms=each,
        job_linger=each,
        launch_law=np.zeros(LAW_SIZE),
        stragglers=np.array([0.0, 1.0, 0.0]),
        shuffle_latency=0,
        fetch_weight=0.0,
        failures=np.zeros(3),
        absent_nodes=empty,
        outage_at=empty,
        outage_node=empty,
        outage_is_back=np.zeros(0, np.int8),
        job_speculates=each,
        replication=0,
        distance_factor=np.ones(3),
        node_rack=empty,
        rack_nodes=empty,
        rack_place=empty,
        rack_begin=empty,
    )


def _node_changes(cluster: Cluster, work: Workload) -> tuple[list[int], list[tuple[int, int, bool]]]:
    """Nodes that are not there at first; then (ms, node, whether it comes or is lost) in order."""
    node_index = {name: node for node, name in enumerate(work.node_names)} if cluster.outages else {}
    joins = [(cluster.nodes[group].joins_ms, node) for node, group in enumerate(work.node_group.tolist())]
    joins = [(at, node) for at, node in joins if at > 0]
    lost = [(milliseconds(outage.lost_s), node_index[outage.node]) for outage in cluster.outages]
    back = [
        (milliseconds(outage.back_s), node_index[outage.node])
        for outage in cluster.outages
        if outage.back_s is not None
    ]
    absent = {node for _, node in joins} | {node for at, node in lost if at == 0}
    changes = [(at, node, False) for at, node in lost if at > 0]
    changes += [(at, node, True) for at, node in joins + back]
    return sorted(absent), sorted(changes)


def registered_ms(cluster: Cluster, work: Workload) -> np.ndarray:
    """int64[nodes]: when each is there for the first time, 0 from the beginning; INFINITE of one that never
    is.
    """
    registered = np.zeros(len(work.node_names), np.int64)
    if cluster.varies:
        absent, changes = _node_changes(cluster, work)
        registered[absent] = INFINITE
        for at, node, comes in reversed(changes):
            if comes and registered[node] > 0:
                registered[node] = at
    return registered


def retries(scenario: Scenario) -> bool:
    """May a task have several attempts, other than after a kill by its own job?"""
    cluster = scenario.cluster
    return (
        cluster.failures is not None
        or bool(cluster.outages)
        or any(job.speculation != "none" for job in scenario.jobs)
    )


def master_heartbeat_ms(job: Job) -> int:
    """Between heartbeats of its master; 0 where that asks and learns at once."""
    return max(1, milliseconds(job.am.heartbeat_s)) if job.am and job.am.heartbeat_s > 0 else 0


def launches(scenario: Scenario) -> bool:
    """Do tasks begin later than their containers?"""
    return scenario.cluster.launch_s != 0.0 or any(
        job.executors or job.held_containers or master_heartbeat_ms(job) for job in scenario.jobs
    )


def weighs_fetching(cluster: Cluster) -> bool:
    """Does a reduce that fetches slow its node, and its node the fetching?"""
    return cluster.fetch_weight > 0 and cluster.contention > 0


def stretches(cluster: Cluster, work: Workload) -> bool:
    """May an attempt compute for longer or shorter than its draw?"""
    return cluster.stragglers is not None or cluster.locality is not None or len(work.reduce_part) > 0


def _has_random_attempts(cluster: Cluster, job: Job) -> bool:
    """Is anything drawn for a group beside the durations of its tasks?"""
    numbers = [cluster.launch_s, *([job.am.startup_s] if job.am else [])]
    numbers += [job.executors.launch_s] if job.executors else []
    befalls = cluster.stragglers or cluster.failures or cluster.locality or job.held_containers
    return not all(isinstance(number, (int, float)) for number in numbers) or befalls is not None
