"""Where the capacity goes (ACCOUNT-1): for each resource and instant, parts that sum to the capacity.

A function of a finished Run alone. What is not in the Run is settled like this:
- A container's end is seen at its node's next beat, at once with heartbeat 0.
- Wanted idle is min(free, demand); demand is what has been asked for and not placed, a master from its job's
  arrival on, so that masters held back count. Reduces withdrawn by a kill count again when they are asked for
  again.
- "Fits one, but was not given" is the demand that the nodes' free resources could take now, size by size: the
  smaller of the containers of a size that wait and that fit the free resources of all nodes (memory, vcores,
  slots), at most the wanted idle. Two sizes may count the same resources.
- A reduce fetches one map's output after another and waits for maps when it has fetched what there is
  (engine.capacity.fetching).
- A container launches from its start until its task begins. A node that is lost holds nothing and has no free
  resources: all of its capacity is lost, and what has ended on it is seen then at the latest.
- Under resources=memory more vcores can be held than there are; unwanted idle vcores are then negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.analysis.capacity.accounting import (
    ALL_COLUMNS,
    BASE_COLUMNS,
    FITS_NO_NODE,
    IDLE,
    IS_AWAITING_HEARTBEAT,
    IS_COMPUTING,
    IS_DOWN,
    IS_EXECUTOR_IDLE,
    IS_FETCHING,
    IS_HELD_IDLE,
    IS_LAUNCHING,
    IS_MAP,
    IS_MASTER,
    IS_SLOTS_FREE,
    IS_TASK,
    IS_WAITING,
    LAUNCH_COLUMNS,
    RUNNING_PARTS,
    UNASSIGNED,
    WASTED_LATER,
    WASTED_NON_REDUCES,
    ContainerArrays,
    NodeArrays,
    RequestArrays,
    ShapeArrays,
    TaskArrays,
    fill_amounts,
)
from engine.analysis.capacity.events import Events, requested_ms, run_events
from engine.analysis.executor_use import slots_of_jobs
from engine.analysis.stage_times import has_sources, stage_values
from engine.codes import EXECUTOR, FINISHED, NONE, REDUCE, RUNNING, TASK, TEZ, kind_of, requests_of
from engine.messages import msg
from engine.simulation.run import Run
from engine.simulation.workload import node_slots

CHUNK = 65_536  # pieces that are widened at a time, to bound the memory of a long run


class Part(NamedTuple):
    """One use of capacity. column: of ResourceSplit.figures."""

    key: str
    title: str
    column: int


PARTS = (
    Part("master", "ApplicationMasters", IS_MASTER),
    Part("launching", msg("analysis.split.containers_launching"), IS_LAUNCHING),
    Part("map", "Maps", IS_MAP),
    Part("task", msg("analysis.split.tasks_of_stages"), IS_TASK),
    Part("slots_free", msg("analysis.split.slots_free"), IS_SLOTS_FREE),
    Part("executor_idle", msg("analysis.split.executors_idle"), IS_EXECUTOR_IDLE),
    Part("held_idle", msg("analysis.split.containers_held_idle"), IS_HELD_IDLE),
    Part("fetching", msg("analysis.split.fetching_input"), IS_FETCHING),
    Part("waiting", msg("analysis.split.waiting_for_input"), IS_WAITING),
    Part("computing", msg("analysis.split.reduces_computing"), IS_COMPUTING),
    Part("unseen", msg("analysis.split.freed_awaiting_heartbeat"), IS_AWAITING_HEARTBEAT),
    Part("fits_no_node", msg("analysis.split.free_but_fragmented"), FITS_NO_NODE),
    Part("not_given", msg("analysis.split.free_but_unassigned"), UNASSIGNED),
    Part("unwanted", msg("analysis.split.idle_no_request_waits"), IDLE),
    Part("down", msg("analysis.split.lost_nodes"), IS_DOWN),
)
COLUMNS = np.array([*(part.column for part in PARTS), WASTED_LATER, WASTED_NON_REDUCES])


@dataclass(frozen=True)
class ResourceSplit:
    """One resource: `parts` [pieces, PARTS] sum to `capacity` in each piece; `wasted` [pieces], held by what
    is killed, fails or is lost later, is within them.

    `figures` [pieces, columns of the accounting] are both side by side: int32, or int64 where that is too
    small; where nothing launches, is wasted but by reduces or lost, the columns from BASE_COLUMNS on are left
    out, where there are neither executors nor tasks of stages those from LAUNCH_COLUMNS on. lengths:
    int64[pieces] in ms.
    """

    capacity: int
    figures: np.ndarray
    lengths: np.ndarray

    @property
    def parts(self) -> np.ndarray:
        """What each part of PARTS holds."""
        return ordered_columns(self.figures)[:, : len(PARTS)]

    @property
    def wasted(self) -> np.ndarray:
        """What is held by containers that are killed, fail or are lost later."""
        return self.figures[:, WASTED_LATER]

    @cached_property
    def totals(self) -> dict[str, int]:
        """Resource-milliseconds of each part by key, exact; they sum to capacity x (end - first arrival)."""
        totals = self._over_time(self.figures)
        return {part.key: totals[part.column] if part.column < len(totals) else 0 for part in PARTS}

    @cached_property
    def wasted_total(self) -> int:
        """Resource-milliseconds held by containers until they were killed, failed or were lost."""
        return self._over_time(self.wasted[:, None])[0]

    def _over_time(self, amounts: np.ndarray) -> list[int]:
        largest = float(max(-int(amounts.min(initial=0)), int(amounts.max(initial=0)))) * float(
            self.lengths.sum()
        )
        exact = np.int64 if largest < 2.0**62 else object
        totals = [0] * amounts.shape[1]
        for first in range(0, len(amounts), CHUNK):
            chunk = slice(first, first + CHUNK)
            sums = self.lengths[chunk].astype(exact) @ amounts[chunk].astype(exact)
            totals = [before + int(added) for before, added in zip(totals, sums)]
        return totals


@dataclass(frozen=True)
class CapacitySplit:
    """times: int64[pieces + 1] in ms, from the first arrival to the end of the run; between two of them
    nothing changes. Memory in MB.
    """

    times: np.ndarray
    memory: ResourceSplit
    vcores: ResourceSplit


def ordered_columns(figures: np.ndarray) -> np.ndarray:
    """[rows, PARTS + 2]: figures in the order of PARTS, then what is wasted later, and what of that is not
    reduces'.
    """
    if figures.shape[1] < ALL_COLUMNS:
        figures = np.concatenate(
            [figures, np.zeros((len(figures), ALL_COLUMNS - figures.shape[1]), figures.dtype)], axis=1
        )
    return figures[:, COLUMNS]


def capacity_split(run: Run) -> CapacitySplit:
    """Where the capacity of a run goes. Cost: O(containers log containers), and per change the sizes that
    wait.
    """
    work, c = run.workload, run.containers
    events = run_events(run)
    starts, times = _piece_boundaries(events, run.first_ms, run.until_ms)
    shapes, request_shape = _shapes(run)
    end = np.where(c.end == NONE, run.until_ms, c.end)
    launches, readers = events.begin > c.start, events.readers
    held = slice(readers.own, None)  # a container each behind the others, of a request behind the others
    holder, requests, held_count = (
        readers.container[held],
        len(work.request_kind),
        len(readers.job) - readers.own,
    )
    wasted = (c.outcome != FINISHED) & (c.outcome != RUNNING)
    if ((c.kind == EXECUTOR) | (c.kind == TASK)).any():
        columns = ALL_COLUMNS
    elif launches.any() or run.scenario.cluster.varies or (c.kind[wasted] != REDUCE).any():
        columns = LAUNCH_COLUMNS
    else:
        columns = BASE_COLUMNS
    shape, integer_type = (len(starts) - 1, columns), _integer_type(run)
    memory: np.ndarray = np.empty(shape, integer_type)
    vcores: np.ndarray = np.empty(shape, integer_type)
    yes, no = np.ones(held_count, bool), np.zeros(held_count, bool)
    request = requests_of(work, c)
    containers = ContainerArrays(
        request=np.append(request, requests + request[holder]),
        node=np.append(c.node, c.node[holder]).astype(np.int64),
        iteration=events.iteration,
        has_waited=np.append(requested_ms(run) < c.start, no),
        launches=np.append(launches, no),
        has_begun=np.append(~launches | (events.begin < end), yes),
        has_computed=np.append((c.shuffle_end != NONE) & (c.shuffle_end < end), no),
        outcome=np.append(c.outcome, c.outcome[holder]).astype(np.int64),
    )
    tasks = events.slot_use
    fill_amounts(
        starts,
        events.code,
        events.who,
        containers,
        TaskArrays(tasks.container, tasks.busy, tasks.before, slots_of_jobs(run)[c.job[tasks.container]]),
        events.pending.request,
        events.pending.count,
        _request_arrays(run, request_shape, held_count > 0),
        ShapeArrays(work.request_memory[shapes], work.request_vcores[shapes], kind_of(work, shapes)),
        NodeArrays(work.node_memory.copy(), work.node_vcores.copy(), node_slots(work).T.copy()),
        not run.memory_only,
        events.iterations,
        memory,
        vcores,
    )
    lengths = np.diff(times)
    both = (
        ResourceSplit(int(capacity.sum()), figures, lengths)
        for capacity, figures in ((work.node_memory, memory), (work.node_vcores, vcores))
    )
    return CapacitySplit(times, *both)


def _request_arrays(run: Run, shape: np.ndarray, with_readers: bool) -> RequestArrays:
    """Of all requests, and with_readers behind them once more as those of tasks that read in their
    containers.
    """
    work, kind, part = run.workload, run.workload.request_kind, _running_parts(run)
    if not with_readers:
        return RequestArrays(work.request_memory.copy(), work.request_vcores.copy(), shape, kind.copy(), part)
    return RequestArrays(
        np.tile(work.request_memory, 2),
        np.tile(work.request_vcores, 2),
        np.tile(shape, 2),
        np.append(kind, np.full_like(kind, TASK)),
        np.append(part, np.full_like(part, IS_FETCHING)),
    )


def _running_parts(run: Run) -> np.ndarray:
    """int64[requests]: the part that containers are in once their tasks have begun."""
    work = run.workload
    parts = np.array(RUNNING_PARTS)[work.request_kind]
    tasks = np.flatnonzero(work.request_kind == TASK)
    job = work.request_job[tasks]
    reads = stage_values(run, job, tasks - work.job_first_request[job] - TASK + 1, has_sources)
    parts[tasks[reads == 1]] = IS_FETCHING
    parts[(work.request_kind == EXECUTOR) & (work.job_framework[work.request_job] == TEZ)] = IS_HELD_IDLE
    return parts


def _integer_type(run: Run) -> type:
    """int32 where all that can be held or asked for at once fits, as it does in any cluster of today; half
    the memory of a long run.
    """
    work = run.workload
    tasks = np.bincount(requests_of(work, run.containers), minlength=len(work.request_job))
    for kind, count in enumerate((np.ones_like(work.job_maps), work.job_reduces, work.job_maps)):
        tasks = np.where(work.request_kind == kind, count[work.request_job], tasks)
    max_amount = max(float(size.astype(float) @ tasks) for size in (work.request_memory, work.request_vcores))
    max_amount = max(max_amount, float(work.node_memory.sum()), float(work.node_vcores.sum()))
    return np.int32 if max_amount < 2**31 else np.int64


def _piece_boundaries(events: Events, first: int, until: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the events of each piece begin, their number at the end; and the times of the pieces, the end of
    the run at the end.
    """
    if first >= until:
        return np.zeros(1, np.int64), np.array([first])
    begins = np.flatnonzero(np.diff(events.times, prepend=first - 1))
    return np.append(begins, len(events.times)), np.append(events.times[begins], until)


def _shapes(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """A request of each distinct (memory, vcores, kind), and the number of each request's."""
    work = run.workload
    sizes = np.stack([work.request_memory, work.request_vcores, work.request_kind])
    _, shapes, of_request = np.unique(sizes, axis=1, return_index=True, return_inverse=True)
    return shapes, of_request.ravel()
