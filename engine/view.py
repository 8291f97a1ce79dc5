"""View: all that a policy may know, one line a field, with its unit.

A policy names the fields it reads as its parameters. All are one-dimensional arrays, int64 unless said
otherwise; memory in MB, times in ms. What a policy sees of usage is the scheduler's view: a container
counts from its placement until its node's beat after its end. Finished counts are known at once.
A request is one of three a job can have: 3 * job + MASTER, REDUCE or MAP.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MASTER, REDUCE, MAP = 0, 1, 2
KINDS = 3

LEAVE = -1  # an order's answer: give this node nothing until something changes
ASK, NOT_YET = 0, -1  # a reduce-start rule's answers
ADMIT, HOLD = 0, -1  # an admission rule's answers

OWN, FIFO, FAIR, DRF, CAPACITY = range(5)  # queue_policy


class View(NamedTuple):
    now: np.ndarray  # [1] the clock
    cluster_memory: np.ndarray  # [1] of all nodes together
    cluster_vcores: np.ndarray  # [1]
    candidates: np.ndarray  # requests that fit the node now, in job order; within a job master, reduces, maps
    request_memory: np.ndarray  # size of one container of a request
    request_vcores: np.ndarray
    request_waiting: np.ndarray  # containers asked for and not placed
    request_asked: np.ndarray  # when it was asked for
    job_arrival: np.ndarray
    job_queue: np.ndarray  # its leaf, an index of queue_*
    job_weight: np.ndarray  # float64
    job_min_memory: np.ndarray  # min_share, 0 without
    job_min_vcores: np.ndarray
    job_input: np.ndarray  # float64, input_mb, -1 without
    job_estimate: np.ndarray  # estimate_s in ms, -1 without
    job_slowstart: np.ndarray  # float64, a share of the maps
    job_maps: np.ndarray  # tasks of one iteration
    job_reduces: np.ndarray
    job_iterations: np.ndarray
    job_iteration: np.ndarray  # the running one, from 1; 0 before it has begun
    job_placed_maps: np.ndarray  # of the running iteration
    job_placed_reduces: np.ndarray
    job_finished_maps: np.ndarray
    job_finished_reduces: np.ndarray
    job_running_maps: np.ndarray
    job_running_reduces: np.ndarray
    job_used_memory: np.ndarray
    job_used_vcores: np.ndarray
    changed: np.ndarray  # [0] how many jobs' holdings changed since the order was last asked, then those jobs; all at first
    node_memory: np.ndarray
    node_vcores: np.ndarray
    node_free_memory: np.ndarray
    node_free_vcores: np.ndarray
    queue_parent: np.ndarray  # -1 for root, which is queue 0
    queue_bottom_up: np.ndarray  # queues, deepest first, then by name
    queue_in_file: np.ndarray  # rank of first appearance
    queue_policy: np.ndarray  # OWN, FIFO, FAIR or DRF
    queue_weight: np.ndarray  # float64
    queue_min_memory: np.ndarray
    queue_min_vcores: np.ndarray
    queue_max_memory: np.ndarray
    queue_max_vcores: np.ndarray
    queue_capacity: np.ndarray  # float64, guaranteed share of the cluster
    queue_max_capacity: np.ndarray  # float64
    queue_used_memory: np.ndarray
    queue_used_vcores: np.ndarray
    queue_waiting_memory: np.ndarray  # of leaves: containers waiting x their size
    queue_waiting_vcores: np.ndarray
    queue_best: np.ndarray  # scratch of an order, one a queue
    queue_demand: np.ndarray  # scratch
    queue_keys: np.ndarray  # float64 scratch, three a queue
    parameters: np.ndarray  # float64, the policy's parameters in their order; a choice is its index
    notes: np.ndarray  # float64, the policy's own memory, zeros at the start: Policy.notes, then Policy.job_notes a job


FLOATS = {"job_weight", "job_input", "job_slowstart", "queue_weight", "queue_capacity", "queue_max_capacity", "queue_keys", "parameters", "notes"}
FIELDS = {name: "float64" if name in FLOATS else "int64" for name in View._fields}
