"""Limits that hold back a job's ApplicationMaster (ADMISSION-1 to ADMISSION-4)."""

from __future__ import annotations

import math

import numpy as np

from engine import quantities
from engine.codes import ACTIVATE, ADMIT, BY_CAPACITY, BY_WEIGHT, MASTER, NO_QUEUES, PASS_OVER
from engine.messages import msg
from engine.schedulers.admission.am_limit import user_am_limit
from engine.schedulers.capabilities import QUEUE_SHARE
from engine.schedulers.policy import ADMISSION_AT
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.terms.masters import am_resource, am_share_of
from engine.schedulers.view import View
from engine.simulation.policy_binding import plain_answer
from engine.simulation.waiting.rule import Moment, WaitingRule, amount, capacity_property, simple_rule
from engine.simulation.workload import Workload


def master_limit(moment: Moment, request: int) -> WaitingRule | None:
    scheduler, view, state = moment.scheduler, moment.view, moment.state
    job = view.request_job[request]
    if view.request_kind[request] != MASTER or state.admitted[job] == 1 or state.admits_all == 1:
        return None
    part = scheduler.admission
    answer, seen = plain_answer(part, ADMISSION_AT, view, job, int(view.now))
    masters = part.policy.masters
    if answer == ADMIT:
        if masters.overtaking == ACTIVATE and state.is_held_back[job] == 1:
            return simple_rule("activation", moment.work.queues.names[view.job_queue[job]])
        if masters.overtaking in (PASS_OVER, ACTIVATE):
            return None
        first = _first_held_back(moment)
        return None if first in (-1, job) else simple_rule("masters-in-line", moment.work.job_names[first])
    if masters.held_by == QUEUE_SHARE:
        return _am_share(moment, job, seen)
    if masters.overtaking == ACTIVATE:
        return am_limit_rule(moment.work, scheduler, view, job, seen)
    held = (seen.masters_memory[0], seen.masters_vcores[0])
    by_vcores = hasattr(seen, "reserve_vcores") and part.given.get("resource") != "memory"
    unit = "vcores" if by_vcores or part.given.get("vcores") is not None else "MB"
    asked = view.request_vcores[request] if unit == "vcores" else view.request_memory[request]
    total = view.cluster_vcores if unit == "vcores" else view.cluster_memory
    reserve = _reserve(seen, part.given, unit, int(total))
    limit = max(float(total) - reserve, 0.0)
    return WaitingRule(
        "reserve",
        "",
        limit,
        float(held[unit == "vcores"]) + float(asked),
        unit,
        str(part),
        msg(
            "simulation.master_limits.masters_leave_reserve",
            limit=amount(limit, unit),
            reserve=amount(reserve, unit),
            held=amount(float(held[unit == "vcores"]), unit),
            asked=amount(float(asked), unit),
        ),
    )


def _reserve(seen: object, given: dict, unit: str, total: int) -> float:
    """What is kept from masters, by autoadmin or reserve."""
    predicted = getattr(seen, "reserve_vcores" if unit == "vcores" else "reserve_memory", None)
    if predicted is not None:
        return float(predicted[0])
    amount = given.get("vcores" if unit == "vcores" else "memory_mb")
    return max(float(amount or 0.0), float(given.get("fraction") or 0.0) * total)


def _am_share(moment: Moment, job: int, seen: object) -> WaitingRule:
    """FSLeafQueue.canRunAppAM: the first resource of which masters would hold too much."""
    view = moment.view
    request = int(view.job_first_request[job]) + MASTER
    queue = view.job_queue[job]
    part, limit = moment.scheduler.admission.number("limit"), 0.5
    asked = (int(view.request_memory[request]), int(view.request_vcores[request]))
    subject = "" if view.queue_scheme == NO_QUEUES else moment.work.queues.names[queue]
    if subject:
        part = float(am_share_of(view, queue, part))
        asked = am_resource(view, job)
    shares = (seen.share_memory[0], seen.share_vcores[0])  # type: ignore[attr-defined]
    held = (seen.masters_memory[0], seen.masters_vcores[0])  # type: ignore[attr-defined]
    place = next(
        place
        for place in (0, 1)
        if held[place] + asked[place] > math.ceil(shares[place] * np.float32(part)) or place == 1
    )
    unit = ("MB", "vcores")[place]
    limit = math.ceil(shares[place] * np.float32(part))
    texts = {"part": quantities.number(part), "share": amount(shares[place], unit)}
    fair_share = (view.queue_fair_memory, view.queue_fair_vcores)[place][queue]
    if view.queue_scheme == BY_WEIGHT and fair_share == 0:
        of_share = msg("simulation.master_limits.part_of_available", **texts)
    elif view.queue_scheme == BY_WEIGHT:
        of_share = msg("simulation.master_limits.part_of_fair_share", **texts)
    elif view.queue_scheme == BY_CAPACITY:
        of_share = msg("simulation.master_limits.part_of_guarantee", **texts)
    else:
        of_share = msg("simulation.master_limits.part_of_cluster", **texts)
    return WaitingRule(
        "am-share",
        subject,
        float(limit),
        float(held[place] + asked[place]),
        unit,
        "maxAMShare" if view.queue_scheme == BY_WEIGHT else str(moment.scheduler.admission),
        _masters_text(subject, float(limit), of_share, float(held[place]), float(asked[place]), unit),
    )


def am_limit_rule(work: Workload, scheduler: Scheduler, view: View, job: int, seen: object) -> WaitingRule:
    """AbstractLeafQueue.activateApplications: the queue's limit of masters, then the user's; seen: what
    am-limit computed for its answer.
    """
    queue, user = view.job_queue[job], work.job_users[job]
    subject = work.queues.names[queue]
    part = am_share_of(view, queue, scheduler.admission.number("limit"))
    asked = am_resource(view, job)
    limits = (seen.most_memory[0], seen.most_vcores[0])  # type: ignore[attr-defined]
    held = (seen.masters_memory[0], seen.masters_vcores[0])  # type: ignore[attr-defined]
    rule, of_what = "am-limit", msg("simulation.master_limits.part_of_queue", part=quantities.number(part))
    setting = capacity_property(subject, "maximum-am-resource-percent")
    if not _exceeds(view, held[0] + asked[0], held[1] + asked[1], limits):
        limits = user_am_limit(view, queue, np.float32(part), limits)
        held = (seen.of_user_memory[0], seen.of_user_vcores[0])  # type: ignore[attr-defined]
        rule, of_what = "user-am-limit", msg("simulation.master_limits.part_of_user", user=user)
        setting = capacity_property(subject, "user-limit-factor")
    place = 0 if held[0] + asked[0] > limits[0] else 1
    unit = ("MB", "vcores")[place]
    return WaitingRule(
        rule,
        subject if rule == "am-limit" else user,
        float(limits[place]),
        float(held[place] + asked[place]),
        unit,
        setting,
        _masters_text(subject, float(limits[place]), of_what, float(held[place]), float(asked[place]), unit),
    )


def _masters_text(subject: str, limit: float, of_what: str, held: float, asked: float, unit: str) -> str:
    owner = (
        msg("simulation.master_limits.masters_of", subject=subject)
        if subject
        else msg("simulation.master_limits.all_masters")
    )
    return msg(
        "simulation.master_limits.masters_may_hold",
        owner=owner,
        limit=amount(limit, unit),
        of_what=of_what,
        held=amount(held, unit),
        asked=amount(asked, unit),
    )


def _first_held_back(moment: Moment) -> int:
    """The job whose master is next in line, where no master overtakes; -1 without one."""
    view, state = moment.view, moment.state
    waiting = np.flatnonzero(view.request_waiting[view.job_first_request[:-1] + MASTER] > 0)
    in_line = waiting[(state.admitted[waiting] == 0) & (view.job_runnable_since[waiting] >= 0)]
    return int(in_line[0]) if len(in_line) else -1


def _exceeds(view: View, memory: int, vcores: int, limit: tuple[int, int]) -> bool:
    return bool(memory > limit[0] or (view.counts_vcores == 1 and vcores > limit[1]))
