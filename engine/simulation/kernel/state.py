"""The kernel's own arrays beside the View: clocks, what runs where, and the containers it writes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FAR = 2**62  # a time that never comes
ENDED = FAR + 1  # row_end of a container that has ended and was not seen yet
BLOCK = 64  # nodes to a block of `awake`


class State(NamedTuple):
    """Arrays the kernel keeps for itself. A row is the list of containers on a node, `width` entries a node."""

    times: np.ndarray  # tournament tree: earliest end of each node, then the timer of each job
    awake: np.ndarray  # int8, a node that may be given something on its next beat
    awake_in_block: np.ndarray
    left: np.ndarray  # int8, a node that waits until something changes
    dirty: np.ndarray  # nodes whose tasks' speed may have changed in this instant
    is_dirty: np.ndarray  # int8
    is_changed: np.ndarray  # int8, a job is in View.changed
    touched: np.ndarray  # jobs that may have something to ask for
    is_touched: np.ndarray  # int8
    waiting_memory: np.ndarray  # what a container of View.waiting must find free on a node
    waiting_vcores: np.ndarray
    row_container: np.ndarray
    row_request: np.ndarray  # the request it was placed for, so that its end reads nothing far away
    row_end: np.ndarray
    row_left: np.ndarray  # float64 ms of work left at k = 1, -1 before it computes
    row_since: np.ndarray  # when row_left was true
    row_count: np.ndarray
    node_speed: np.ndarray
    map_slots: np.ndarray
    reduce_slots: np.ndarray
    used_map_slots: np.ndarray  # the scheduler's view, as node_free_*
    used_reduce_slots: np.ndarray
    unseen_memory: np.ndarray  # of containers that ended and were not seen yet
    unseen_vcores: np.ndarray
    unseen_map_slots: np.ndarray
    unseen_reduce_slots: np.ndarray
    unseen: np.ndarray  # how many
    tasks: np.ndarray  # k of the contention rule
    settled_tasks: np.ndarray  # k when the previous instant was over
    fit_vcores: np.ndarray  # request_vcores, or zeros when only memory must fit
    fetch_latest: np.ndarray  # shuffle.after_map
    draws: np.ndarray
    draw_base: np.ndarray  # where a job's draws begin
    reduce_base: np.ndarray  # where a job's reduces begin in the next two
    reduce_container: np.ndarray  # -1 while not placed
    reduce_attempt: np.ndarray
    first_reduce: np.ndarray  # no unplaced reduce below this
    asked_reduces: np.ndarray  # int8, asked for in this iteration
    barred: np.ndarray  # int8, killed reduces: none again until all maps are placed
    reduces_first: np.ndarray  # int8, its waiting reduces go before its maps
    admitted: np.ndarray  # int8, its master may start
    window_ms: np.ndarray  # of the order's windows and the reduce-start rule's, 0 without
    window_end: np.ndarray  # of the one that runs
    window_calm: np.ndarray  # int8, its last end changed nothing: the next matters after something has happened
    window_saw: np.ndarray  # `happened` at its last end
    master_container: np.ndarray
    suspects: np.ndarray  # jobs with waiting maps, running reduces and no running map, in job order
    is_suspect: np.ndarray  # int8
    suspect_room: np.ndarray  # a node that had room for a map of it, -1 unknown
    suspect_checked: np.ndarray  # `ends` when it was found to have nothing to kill
    per_node: np.ndarray  # scratch of the kill rule, zeros between uses
    sizes: np.ndarray  # lengths and totals, see the names below
    container_job: np.ndarray
    container_stage: np.ndarray
    container_kind: np.ndarray
    container_index: np.ndarray
    container_attempt: np.ndarray
    container_node: np.ndarray
    container_requested: np.ndarray
    container_start: np.ndarray
    container_shuffle_end: np.ndarray
    container_end: np.ndarray
    container_outcome: np.ndarray
    job_maps_end: np.ndarray
    job_shuffle_end: np.ndarray


# State.sizes
SIZES = 22
(
    LEAVES, WIDTH, TOUCHED, TOUCH_ALL, DIRTY, SUSPECTS, CONTAINERS, LEFT, ENDS, HAPPENED,
    LEAST_MEMORY, LEAST_VCORES, MOST_MEMORY, MOST_VCORES, MASTERS, HELD, ARRIVED, FIRST_UNFINISHED, UNFINISHED, LAST, LOOKED, MARKS,
) = range(SIZES)  # fmt: skip

# How a reduce-start rule is looked at (State.sizes[LOOKED]).
ON_ENDS, ON_CHANGES, ON_WINDOWS = range(3)  # when a map of the job ends; when anything it can read changes; at the end of its windows

_KINDS = {
    "int8": "awake left is_dirty is_changed is_touched asked_reduces barred reduces_first admitted window_calm is_suspect container_kind container_outcome",
    "int32": "container_job container_stage container_index container_attempt container_node",
    "float64": "row_left node_speed fetch_latest draws",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
FIELDS = {name: _KIND_OF.get(name, "int64") for name in State._fields}
