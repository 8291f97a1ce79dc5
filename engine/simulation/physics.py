"""Scenario -> Physics: what delays, stretches and ends attempts, as the kernel reads it. Off, its arrays are empty or zero and nothing is drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.scenario.model import Cluster, Job, Scenario
from engine.simulation.durations import CONSTANT, job_keys, law
from engine.simulation.workload import Workload


class Physics(NamedTuple):
    """Read only. Laws are (kind, first, second) of durations.law; times in ms."""

    job_key: np.ndarray  # uint64, of a job's draws; 0 where nothing but durations is drawn
    startup_law: np.ndarray  # three a job
    launch_law: np.ndarray
    stragglers: np.ndarray  # share, factor, tail: 0 for none
    replication: np.ndarray  # one number: copies of a block, 0 where maps have none
    distance_factor: np.ndarray  # how many times as long a map computes on its block's node, on its rack, elsewhere
    node_rack: np.ndarray  # numbered by first appearance
    rack_nodes: np.ndarray  # nodes rack by rack
    rack_place: np.ndarray  # where a node stands there
    rack_begin: np.ndarray  # where a rack begins there, and the end


def physics(scenario: Scenario, work: Workload) -> Physics:
    """The arrays of a scenario. Cost: linear in jobs."""
    cluster = scenario.cluster
    laws = [law(job.am.startup_s)[:3] if job.am else (CONSTANT, 0.0, 0.0) for job in scenario.jobs]
    draws = [_draws(cluster, job) for job in scenario.jobs]
    some, blocks = cluster.stragglers, cluster.locality
    names = {name: rack for rack, name in enumerate(dict.fromkeys(work.node_racks))}
    racks = np.array([names[name] for name in work.node_racks], np.int64)
    by_rack = np.argsort(racks, kind="stable")
    return Physics(
        job_key=job_keys(scenario, work, draws) if any(draws) else np.zeros(len(work.job_group), np.uint64),
        startup_law=np.array(laws, np.float64)[work.job_group].reshape(-1),
        launch_law=np.array(law(cluster.launch_s)[:3], np.float64),
        stragglers=np.array([some.share, some.factor, some.tail or 0.0] if some else [0.0, 1.0, 0.0]),
        replication=np.array([blocks.replication if blocks else 0], np.int64),
        distance_factor=np.array([1.0, blocks.rack_factor, blocks.off_rack_factor] if blocks else [1.0, 1.0, 1.0]),
        node_rack=racks,
        rack_nodes=by_rack.astype(np.int64),
        rack_place=np.argsort(by_rack, kind="stable").astype(np.int64),
        rack_begin=np.searchsorted(racks[by_rack], np.arange(len(names) + 1)).astype(np.int64),
    )


def launches(cluster: Cluster) -> bool:
    """Do tasks begin later than their containers?"""
    return cluster.launch_s != 0.0


def stretches(cluster: Cluster) -> bool:
    """May an attempt compute for longer or shorter than its draw?"""
    return cluster.stragglers is not None or cluster.locality is not None


def _draws(cluster: Cluster, job: Job) -> bool:
    """Is anything drawn for a group beside the durations of its tasks?"""
    numbers = [cluster.launch_s, *([job.am.startup_s] if job.am else [])]
    return not all(isinstance(number, (int, float)) for number in numbers) or cluster.stragglers is not None or cluster.locality is not None
