"""The fair share of a job or queue at a moment, as FairScheduler computes it, and how it is worked out: from
root down, each queue's share is divided among its children that have jobs (ComputeFairShares; UPDATE-1).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from engine import quantities
from engine.codes import FIFO, INFINITE
from engine.messages import msg
from engine.scenario.queue_validation import DEFAULT_QUEUE
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.schedulers.view import View
from engine.simulation.hadoop.fair.fair_shares import compute_shares
from engine.simulation.kernel.state import State
from engine.simulation.simulate import PreparedRun
from engine.simulation.waiting.rule import upwards


class Sharer(NamedTuple):
    """Who shares in what its parent has: MB at least and at most, and its fair share of memory."""

    name: str
    weight: float
    minimum: float
    maximum: float
    share: float


class Level(NamedTuple):
    """A queue, its fair share of memory, those who share it, and which of them leads to what is asked for.
    idle: the weights of its children that have no job that runs, by name.
    """

    queue: str
    total: float
    sharers: list[Sharer]
    chosen: int
    is_fifo: bool
    idle: dict[str, float]


def fair_levels(prepared: PreparedRun, name: str) -> list[Level]:
    """From root down to a job or queue of this name; [] where it has no job that runs then. The run can't go
    on afterwards.
    """
    view, state, work = prepared.view, prepared.state, prepared.work
    state.preempts = 1  # so that jobs are given theirs too
    view.job_fair_memory[:] = 0
    compute_shares(view, state)
    names = work.queues.names
    if name in work.job_names:
        job = work.job_names.index(name)
        if view.job_is_active[job] == 0:
            return []
        return [*_queue_levels(view, state, names, int(view.job_queue[job])), _leaf(prepared, job)]
    queue = names.index(name)
    return _queue_levels(view, state, names, queue) if state.queue_active_jobs[queue] else []


def _queue_levels(view: View, state: State, names: Sequence[str], queue: int) -> list[Level]:
    path = list(upwards(view, queue))[::-1]
    levels = []
    for parent, child in zip(path, path[1:]):
        children = np.flatnonzero(view.queue_parent == parent).tolist()
        active = [one for one in children if state.queue_active_jobs[one] > 0]
        sharers = [
            Sharer(
                names[one],
                float(view.queue_weight[one]),
                float(view.queue_min_memory[one]),
                float(view.queue_max_memory[one]),
                float(view.queue_fair_memory[one]),
            )
            for one in active
        ]
        total = float(view.queue_fair_memory[parent])
        idle = {names[one]: float(view.queue_weight[one]) for one in children if one not in active}
        levels.append(Level(names[parent], total, sharers, active.index(child), False, idle))
    return levels


def _leaf(prepared: PreparedRun, job: int) -> Level:
    view, state, work = prepared.view, prepared.state, prepared.work
    queue = int(view.job_queue[job])
    jobs = np.flatnonzero((view.job_queue == queue) & (view.job_is_active == 1)).tolist()
    sharers = [
        Sharer(
            work.job_names[one],
            float(view.job_weight[one]),
            0.0,
            float(INFINITE),
            float(view.job_fair_memory[one]),
        )
        for one in jobs
    ]
    is_fifo = leaf_policy(state.default_queue_policy, view.queue_policy[queue]) == FIFO
    total = float(view.queue_fair_memory[queue])
    return Level(work.queues.names[queue], total, sharers, jobs.index(job), is_fifo, {})


def share_of(levels: list[Level]) -> float:
    """MB of what the levels lead to."""
    last = levels[-1]
    return last.sharers[last.chosen].share


def steps(levels: list[Level]) -> tuple[str, ...]:
    """A sentence or more a level; a level of one that has all is not told, unless it is the last."""
    told = []
    for place, level in enumerate(levels):
        alone = len(level.sharers) == 1 and level.sharers[0].share == level.total
        if not alone or place == len(levels) - 1:
            told += _level_steps(level)
    return tuple(told)


def _level_steps(level: Level) -> list[str]:
    chosen, total = level.sharers[level.chosen], _memory(level.total)
    texts = {"queue": level.queue, "total": total, "name": chosen.name, "share": _memory(chosen.share)}
    if level.is_fifo:
        return [msg("exercises.worked_shares.fifo", first=level.sharers[0].name, **texts)]
    if len(level.sharers) == 1 and chosen.share == level.total:
        return [msg("exercises.worked_shares.alone", **texts)]
    among = ", ".join(
        msg("exercises.worked_shares.sharer", name=one.name, weight=quantities.number(one.weight))
        for one in level.sharers
    )
    found = [msg("exercises.worked_shares.among", queue=level.queue, total=total, sharers=among)]
    fixed = [one for one in level.sharers if _limit_of(one)]
    found += [
        msg("exercises.worked_shares.at_minimum", name=one.name, share=_memory(one.share))
        if _limit_of(one) == "minimum"
        else msg("exercises.worked_shares.at_maximum", name=one.name, share=_memory(one.share))
        for one in fixed
    ]
    if chosen in fixed:
        return found
    left = level.total - sum(one.share for one in fixed)
    weights = sum(one.weight for one in level.sharers if one not in fixed)
    found.append(
        msg(
            "exercises.worked_shares.by_weight",
            left=_memory(left),
            weight=quantities.number(chosen.weight),
            weights=quantities.number(weights),
            **texts,
        )
    )
    return found


def _limit_of(one: Sharer) -> str:
    """Does its minimum or its maximum share hold it, "" where its weight decides."""
    if one.share == one.maximum:
        return "maximum"
    return "minimum" if one.share == one.minimum and (one.minimum > 0 or one.weight == 0) else ""


def _memory(mb: float) -> str:
    """In GB from 1 GB on, to four digits."""
    return f"{quantities.number(mb / 1024)} GB" if mb >= 1024 else f"{quantities.number(mb)} MB"


def by_weight(levels: list[Level], weight: str, counted: Collection[str] = ()) -> float:
    """What a usual mistake makes of it, in MB. weight: "equal", everyone has the same; "free", without
    minimum and maximum shares. counted: idle queues that have a part too.
    """
    share = levels[0].total
    for level in levels:
        weights = [1.0 if weight == "equal" else one.weight for one in level.sharers]
        idle = sum(of_idle for name, of_idle in level.idle.items() if name in counted)
        share *= weights[level.chosen] / (sum(weights) + idle or 1.0)
    return share


def idle_queues(levels: list[Level]) -> list[list[str]]:
    """Which idle queues may be counted by mistake: those that the scenario has, and root.default too."""
    idle = [name for level in levels for name in level.idle]
    own = [name for name in idle if name != DEFAULT_QUEUE]
    return [names for names in ([own, idle] if own != idle else [idle]) if names]
