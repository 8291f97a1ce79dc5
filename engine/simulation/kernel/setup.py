"""Fresh tables for one run: the View that policies read and the kernel's State."""

from __future__ import annotations

import numpy as np

from engine import run_records
from engine.codes import INFINITE, KINDS
from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.run_records import Amounts, Given
from engine.schedulers.view import JOBS_IN_BLOCK, View
from engine.simulation.hadoop.fair.fair_shares import INCREMENT, INCREMENTS
from engine.simulation.hadoop.queues.hash_order import preemption_orders
from engine.simulation.kernel.clock import NODES_IN_BLOCK
from engine.simulation.kernel.state import State
from engine.simulation.physics_arrays import Physics
from engine.simulation.workload import Workload, node_slots


def view_arrays(work: Workload) -> Given:
    """What policies may know of a scenario before it runs."""
    tree = work.queues
    return View.given_arrays(
        {
            "request_job": work.request_job,
            "request_kind": work.request_kind,
            "job_first_request": work.job_first_request,
            "request_resource": work.request_resource,
            "request_asked_resource": work.asked_resource,
            "job_arrival": work.job_arrival,
            "job_queue": work.job_queue,
            "job_user": work.job_user,
            "job_weight": work.job_weight,
            "job_priority": work.job_priority,
            "job_min_resource": work.job_min_resource,
            "job_input": work.job_input,
            "job_estimate": work.job_estimate,
            "job_slowstart": work.job_slowstart,
            "job_family": work.job_family,
            "job_startup": work.job_startup,
            "job_fetch": work.job_fetch_ms,
            "job_map_mean": work.job_map_mean,
            "job_reduce_mean": work.job_reduce_mean,
            "job_maps": work.job_maps,
            "job_reduces": work.job_reduces,
            "job_iterations": work.job_iterations,
            "node_resource": work.node_resource,
            "queue_parent": tree.parent,
            "queue_bottom_up": tree.bottom_up,
            "queue_file_rank": tree.in_file,
            "queue_policy": tree.policy,
            "queue_ordering": tree.ordering,
            "queue_priority": tree.priority,
            "queue_weight": tree.weight,
            "queue_min_resource": tree.min_resource,
            "queue_max_resource": tree.max_resource,
            "queue_capacity": tree.capacity,
            "queue_max_capacity": tree.max_capacity,
            "queue_user_limit_factor": tree.user_limit_factor,
            "queue_min_user_limit": tree.min_user_limit,
            "queue_max_container_resource": tree.container_resource,
            "queue_am_share": tree.am_share,
        }
    )


def state_arrays(
    work: Workload, draws: np.ndarray, physics: Physics, applications: dict[str, np.ndarray]
) -> Given:
    """What the kernel alone knows of a scenario before it runs; applications: what its
    applications are given.
    """
    tree = work.queues
    return State.given_arrays(
        {
            "node_speed": work.node_speed,
            "slots": node_slots(work).ravel(),
            "map_base": np.cumsum(work.job_maps) - work.job_maps,
            "draws": draws,
            "draw_base": np.cumsum(work.job_tasks) - work.job_tasks,
            "reduce_base": work.reduce_base,
            "reduce_part": work.reduce_part,
            "job_owner": work.job_owner,
            "owner_max_running_jobs": work.owner_max_running_jobs,
            "queue_max_running_jobs": tree.max_running_jobs,
            "min_share_timeout": tree.min_share_timeout,
            "fair_share_timeout": tree.fair_share_timeout,
            "fair_share_threshold": tree.fair_share_threshold,
            "allows_preemption": tree.allows_preemption,
            **applications,
            **{name: value for name, value in physics._asdict().items() if isinstance(value, np.ndarray)},
        }
    )


def fresh_view(
    work: Workload,
    given: Given,
    seed: tuple[int, int],
    memory_only: bool,
    min_allocation: Amounts,
    absent: np.ndarray,
) -> View:
    """The View at time 0: nothing runs, nothing waits; min_allocation: the smallest container;
    absent: nodes that are not up yet.
    """
    jobs, nodes = len(work.job_arrival), len(work.node_memory)
    view = View.allocate(
        {
            run_records.RUN: 1,
            run_records.KIND: len(KINDS),
            run_records.NODE: nodes,
            run_records.JOB: jobs,
            run_records.JOB_BLOCK: jobs // JOBS_IN_BLOCK + 1,
            run_records.REQUEST: len(work.request_job),
            run_records.JOB_AND_ONE: jobs + 1,
            run_records.QUEUE: len(work.queues.parent),
        },
        (),
        given,
    )
    view.seed[:] = seed
    view.counts_vcores = int(not memory_only)
    view.has_job_priorities = int(work.job_priority.any())
    view.min_allocation_resource[:] = min_allocation
    view.node_free_resource[:] = work.node_resource
    view.node_free_resource[:, absent] = 0
    view.cluster_resource[:] = view.idle_resource[:] = view.node_free_resource.sum(axis=1, keepdims=True)
    view.cluster_nodes = nodes - len(absent)
    view.changed[:] = np.arange(-1, jobs)
    view.changed[0] = jobs
    limit = (view.cluster_resource * work.queues.max_capacity).astype(np.int64)
    view.queue_limit_resource[:] = limit // min_allocation * min_allocation
    return view


def fit_resource(work: Workload, view: View) -> Amounts:
    """What a container of each request must find free on a node."""
    counts = np.where(np.arange(RESOURCE_COUNT) == MEMORY, 1, view.counts_vcores)
    return work.request_resource * counts[:, None]


def _input_tasks(given: Given) -> int:
    """Tasks of stages that read blocks."""
    base = given.arrays.get("stage_block_base")
    return 0 if base is None else int(given.arrays["stage_tasks"][base >= 0].sum())


def fresh_state(
    work: Workload,
    view: View,
    given: Given,
    physics: Physics,
    parts: dict[str, np.ndarray],
    conditions: set[str],
    sizes: dict[str, int],
) -> State:
    """The State at time 0. parts: the arrays that its scheduler's parts are given (monitor_arrays.py,
    shortlist_arrays.py) and the flag that cancels it; conditions: what only some runs have; sizes: how many
    containers, places on a node (WIDTH), spans and groups there may be.
    """
    jobs, nodes, queues = len(work.job_arrival), len(work.node_memory), len(work.queues.parent)
    leaves = 1 << max(1, (nodes + jobs - 1).bit_length())
    maps, reduces = int(work.job_maps.sum()), int(work.job_reduces.sum())
    preempts = run_records.PREEMPTS in conditions
    copies = physics.replication
    state = State.allocate(
        {
            run_records.RUN: 1,
            run_records.KIND: len(KINDS),
            run_records.NODE: nodes,
            run_records.NODE_BLOCK: nodes // NODES_IN_BLOCK + 1,
            run_records.ROW: nodes * sizes[run_records.WIDTH],
            run_records.TIMER: 2 * leaves,
            run_records.JOB: jobs,
            run_records.JOB_GROUP: int(work.job_group.max()) + 1,
            run_records.REQUEST: len(work.request_job),
            run_records.QUEUE: queues,
            run_records.SHARER: max(jobs, queues),
            run_records.MAP_TASK: maps,
            run_records.REDUCE_TASK: reduces,
            run_records.TASK: maps + reduces,
            run_records.TASK_BLOCK: (maps + _input_tasks(given)) * copies,
            run_records.STAGE: len(given.arrays.get("stage_tasks", ())),
            run_records.SOURCE: len(given.arrays.get("stage_source", ())),
            run_records.POOL: len(given.arrays.get("pool_weight", ())),
            run_records.EXCLUSION: len(given.arrays.get("exclusion_ms", ())),
            run_records.DRAW: int(work.job_tasks.sum()),
            **sizes,
        },
        conditions | ({run_records.MAPS_ARE_KEPT} if copies or run_records.RETRIES in conditions else set()),
        given,
        State.given_arrays(
            {
                **parts,
                **preemption_orders(work, preempts),
            }
        ),
    )
    state.tree_leaves, state.row_width, state.unfinished_jobs = leaves, sizes[run_records.WIDTH], jobs
    state.launches, state.retries = run_records.LAUNCHES in conditions, run_records.RETRIES in conditions
    state.speculates, state.skewed = run_records.SPECULATES in conditions, run_records.SKEWED in conditions
    state.weighs_fetching, state.preempts = run_records.FETCHES in conditions, preempts
    state.has_master_heartbeats = int(state.job_heartbeat_ms.any())
    slots = node_slots(work)
    state.total_slots[:] = np.where(slots < INFINITE, slots, 0).sum(axis=0)
    state.limits_slots = int((slots < INFINITE).any())
    state.threshold_resource[:] = INCREMENTS * INCREMENT[:, None]
    state.shuffle_latency, state.fetch_weight = physics.shuffle_latency, physics.fetch_weight
    state.replication = copies
    state.is_down[physics.absent_nodes] = 1
    if preempts:
        state.last_at_fair_share[:] = work.job_arrival
    return state
