"""Why an order passed a request over: which number put another ahead, or why it gave a node nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import quantities
from engine.codes import BY_PRIORITY, FAIR, MAP, MASTER, NODE_LOCAL, WALKED, job_of, kind_name, kind_of
from engine.explanation.observed_run import (
    compared_queues,
    compares_usage,
    display_value,
    fits_node,
    ground,
    unit,
)
from engine.messages import msg
from engine.schedulers.hadoop.capacity_delay import known_locality
from engine.schedulers.hadoop.capacity_walk import used_and_reserved
from engine.schedulers.hadoop.resources import amount_of, minus
from engine.schedulers.policy import JOB, REQUEST, Policy, Term
from engine.schedulers.scheduler import Scheduler
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run
from engine.simulation.waiting.node_rules import NODE_LOCALITY_DELAY_PROPERTY, delayed_map
from engine.simulation.waiting.rule import WaitingRule


class _Compared(NamedTuple):
    """A number of two queues; direction: 1, the larger goes first, or -1."""

    what: str
    unit: str
    own: float
    theirs: float
    direction: int


class Tie(NamedTuple):
    """The first request that equalled the chosen one, of which job and kind; because: the clause of what put
    it behind.
    """

    job: str
    kind: str
    because: str


KIND_WORDS = {
    "am": "an ApplicationMaster",
    "map": "a map",
    "reduce": "a reduce",
    "executor": "an executor",
    "task": "a task",
    "container": "a container",
}


def left_free(run: Run, scheduler: Scheduler, answer: Answer, request: int) -> WaitingRule:
    """The order gave the node nothing: under capacity, as a job ahead in the leaf stops it, which asks for
    more than the leaf may use, or for a slot that the node lacks (AbstractLeafQueue.assignContainers).
    """
    view, names = answer.view, run.workload.job_names
    node = run.workload.node_names[answer.first]
    if scheduler.order.policy.assignment.reserves == WALKED:
        queue = run.workload.queues.names[view.job_queue[job_of(view, request)]]
        over_limit = _stops_leaf(view, request)
        if over_limit is not None:
            other, limit, asked, unit_name = over_limit
            return WaitingRule(
                "leaf-at-limit",
                names[job_of(view, other)],
                limit,
                asked,
                unit_name,
                f"yarn.scheduler.capacity.{queue}.capacity",
                msg(
                    "explanation.order_rules.queue_stopped_at_job_ahead",
                    queue=queue,
                    kind=KIND_WORDS[kind_name(run.workload, other)],
                    job=names[job_of(view, other)],
                    asked=quantities.quantity(asked, unit_name),
                    limit=quantities.quantity(limit, unit_name),
                ),
            )
        if _is_delayed(view, request):
            return delayed_map(
                names[job_of(view, request)],
                int(view.job_missed_opportunities[job_of(view, request)]),
                scheduler.order.number("node_locality_delay"),
                NODE_LOCALITY_DELAY_PROPERTY,
            )
        without_slot = _without_slot(answer, request)
        if without_slot is not None:
            text = msg(
                "explanation.order_rules.queue_stopped_without_slot",
                queue=queue,
                kind=KIND_WORDS[kind_name(run.workload, without_slot)],
                job=names[job_of(view, without_slot)],
                node=node,
            )
            job = names[job_of(view, without_slot)]
            return WaitingRule("leaf-without-slot", job, None, None, "", "", text)
    return WaitingRule(
        "left-free",
        node,
        None,
        None,
        "",
        str(scheduler.order),
        msg("explanation.order_rules.order_left_node", order=scheduler.order.policy.title, node=node),
    )


def _is_delayed(view: Any, request: int) -> bool:
    """Does its map wait for a nearer node (RegularContainerAllocator.canAssign)?"""
    job = job_of(view, request)
    return bool(
        kind_of(view, request) == MAP
        and view.job_block_locations[job] > 0
        and known_locality(view, job) != NODE_LOCAL
    )


def _without_slot(answer: Answer, request: int) -> int | None:
    """The first request of the leaf that the node has memory and vcores for, and that is no candidate."""
    view, offered = answer.view, answer.view.candidates[: answer.second]
    leaf = view.job_queue[job_of(view, request)]
    for other in view.waiting_requests[: view.waiting_count].tolist():
        is_of_leaf = view.job_queue[job_of(view, other)] == leaf
        is_task_of_leaf = is_of_leaf and kind_of(view, other) != MASTER
        if is_task_of_leaf and fits_node(view, answer.first, other) and other not in offered:
            return other
    return None


def _stops_leaf(view: Any, request: int) -> tuple[int, float, float, str] | None:
    """(request, what is left of the leaf's limit, what it asks for, unit) of the first waiting request of the
    leaf that is more than its limit leaves; None where none is.
    """
    leaf = view.job_queue[job_of(view, request)]
    left = minus(amount_of(view.limit_resource, leaf), used_and_reserved(view, leaf))
    for other in view.waiting_requests[: view.waiting_count].tolist():
        job = job_of(view, other)
        if view.job_queue[job] != leaf or view.job_is_active[job] == 0:
            continue
        if view.request_memory[other] > left[0]:
            return other, float(left[0]), float(view.request_memory[other]), "MB"
        if view.counts_vcores == 1 and view.request_vcores[other] > left[1]:
            return other, float(left[1]), float(view.request_vcores[other]), "vcores"
    return None


def ahead(run: Run, scheduler: Scheduler, view: Any, request: int, chosen: int) -> WaitingRule:
    """Which number put another request ahead: of their queues, then of the jobs, then their order."""
    work, job, other = run.workload, int(job_of(view, request)), int(job_of(view, chosen))
    name = work.job_names[other]
    kind = KIND_WORDS[kind_name(work, chosen)]
    if other == job:
        text = (
            msg("explanation.order_rules.earlier_tasks_of_job", kinds=f"{kind.rpartition(' ')[2]}s", job=name)
            if chosen == request
            else msg("explanation.order_rules.own_kind_first", kind=kind, job=name)
        )
        return WaitingRule("own-tasks", name, None, None, "", "", text)
    is_master = kind_of(work, chosen) == MASTER and kind_of(work, request) != MASTER
    if scheduler.order.policy.masters_first and is_master:
        text = msg("explanation.order_rules.masters_come_first", kind=kind, job=name)
        return WaitingRule("order", name, None, None, "", str(scheduler.order), text)
    queues = _siblings(view, int(view.job_queue[job]), int(view.job_queue[other]))
    if queues[0] != queues[1] and compared_queues(scheduler.order.policy, view):
        return _ahead_by_queue(run, scheduler, view, queues, {"kind": kind, "job": name})
    compared = _compared_jobs(scheduler, view, request, chosen)
    if compared is None:
        return _ahead_in_order_of_jobs(run, view, job, other, kind)
    term, own, theirs = compared
    text = msg(
        "explanation.order_rules.ahead_by_number",
        kind=kind,
        job=name,
        what=term.title.lower(),
        theirs=quantities.quantity(theirs, unit(term)),
        own=quantities.quantity(own, unit(term)),
    )
    return WaitingRule("order", name, theirs, own, unit(term), str(scheduler.order), text)


def tie_break(run: Run, scheduler: Scheduler, view: Any, candidates: list[int], chosen: int) -> Tie | None:
    """Where the chosen request equals those of all other jobs in what the order compares; None where a number
    or another rule decided.
    """
    others = [request for request in candidates if job_of(view, request) != job_of(view, chosen)]
    is_tie = others and ground(scheduler.order.policy, view) == 0
    if not is_tie or not all(_ties(scheduler.order.policy, view, other, chosen) for other in others):
        return None
    because = ahead(run, scheduler, view, others[0], chosen).because
    work = run.workload
    return Tie(work.job_names[job_of(work, others[0])], kind_name(work, others[0]), because)


def _ties(policy: Policy, view: Any, request: int, chosen: int) -> bool:
    """Is there no difference between requests of two jobs in what the order compares of them?"""
    if policy.masters_first and MASTER in (kind_of(view, chosen), kind_of(view, request)):
        return kind_of(view, request) == kind_of(view, chosen)
    job, other = job_of(view, request), job_of(view, chosen)
    queues = _siblings(view, int(view.job_queue[job]), int(view.job_queue[other]))
    if queues[0] != queues[1] and compared_queues(policy, view):
        return all(one.own == one.theirs for one in _queue_numbers(policy, view, queues))
    terms = [term for term in policy.terms if term.per in (JOB, REQUEST) and term.direction]
    if any(term.shared for term in terms) and not compares_usage(policy, view, int(view.job_queue[job])):
        return False
    pairs = [_values(term, view, request, chosen) for term in terms]
    return any(own is not None for own, _ in pairs) and all(own == theirs for own, theirs in pairs)


def _ahead_in_order_of_jobs(run: Run, view: Any, job: int, other: int, kind: str) -> WaitingRule:
    """By priority, then arrival, then place in the batch, where nothing else decided."""
    name = run.workload.job_names[other]
    theirs, own = int(view.job_priority[other]), int(view.job_priority[job])
    if view.has_job_priorities == 1 and theirs > own:
        text = msg(
            "explanation.order_rules.ahead_by_priority", kind=kind, job=name, theirs=f"{theirs}", own=f"{own}"
        )
        return WaitingRule("order", name, float(theirs), float(own), "", "mapreduce.job.priority", text)
    theirs, own = int(view.job_arrival[other]), int(view.job_arrival[job])
    texts = {"kind": kind, "job": name, "theirs": quantities.moment(theirs), "own": quantities.moment(own)}
    if theirs < own:
        text = msg("explanation.order_rules.ahead_by_arrival", **texts)
        return WaitingRule("order", name, theirs / 1000, own / 1000, "s", "", text)
    text = msg("explanation.order_rules.ahead_in_batch", **texts)
    return WaitingRule("order", name, float(other + 1), float(job + 1), "", "", text)


def _ahead_by_queue(
    run: Run, scheduler: Scheduler, view: Any, queues: tuple[int, int], ahead_of: dict[str, str]
) -> WaitingRule:
    """The number in which a queue, theirs, comes before its sibling, ours; ahead_of: the words of both."""
    names, (own_queue, queue) = run.workload.queues.names, queues
    policy, texts = scheduler.order.policy, {**ahead_of, "queue": names[queue], "own_queue": names[own_queue]}
    numbers = _queue_numbers(policy, view, queues)
    better = [one for one in numbers if one.direction * (one.theirs - one.own) > 0]
    if not better:
        differs = any(one.own != one.theirs for one in numbers)
        text = (
            msg("explanation.order_rules.order_chose", order=policy.title, **texts)
            if differs
            else msg("explanation.order_rules.queues_tie", **texts)
        )
        return WaitingRule("order", ahead_of["job"], None, None, "", str(scheduler.order), text)
    what, unit_name, own, theirs, _ = better[0]
    text = msg(
        "explanation.order_rules.ahead_by_queue",
        what=what,
        theirs=quantities.quantity(theirs, unit_name),
        own=quantities.quantity(own, unit_name),
        **texts,
    )
    return WaitingRule("order", ahead_of["job"], theirs, own, unit_name, str(scheduler.order), text)


def _queue_numbers(policy: Policy, view: Any, queues: tuple[int, int]) -> list[_Compared]:
    """What their parent compares of two siblings, in its order."""
    numbers = [_of_queues(policy, view, queues, term) for term in compared_queues(policy, view)]
    ordering = view.queue_ordering[view.queue_parent[queues[1]]]
    if policy.assignment.reserves == WALKED and ordering == BY_PRIORITY:
        own, theirs = (float(view.queue_priority[one]) for one in queues)
        numbers.insert(0, _Compared("priority", "", own, theirs, 1))
    return numbers


def _of_queues(policy: Policy, view: Any, queues: tuple[int, int], term: Term) -> _Compared:
    """What a queue's number is under the policy of its parent."""
    own, theirs = (display_value(term, float(getattr(view, term.name)[queue])) or 0.0 for queue in queues)
    what, unit_name = term.title.lower(), unit(term)
    if term.name == "queue_first":
        own_policy = view.queue_policy[view.queue_parent[queues[1]]]
        ranks_by = own_policy or (policy.ranked.by if policy.ranked else 0)
        if policy.assignment.reserves == WALKED:
            what, unit_name = msg("explanation.order_rules.used_capacity"), "share"
        elif view.queue_needy[queues[1]] < 0:
            what, unit_name = msg("explanation.order_rules.share_of_minimum"), "share"
        elif ranks_by == FAIR:
            what, unit_name = msg("explanation.order_rules.memory_for_weight"), "MB"
        else:
            what, unit_name = msg("explanation.order_rules.dominant_share_for_weight"), "share"
    return _Compared(what, unit_name, own, theirs, term.direction)


def _compared_jobs(
    scheduler: Scheduler, view: Any, request: int, chosen: int
) -> tuple[Term, float, float] | None:
    """(the term, ours, theirs) in which the chosen one is first better; None where it is in none."""
    policy, leaf = scheduler.order.policy, int(view.job_queue[job_of(view, request)])
    if compared_queues(policy, view) and not compares_usage(policy, view, leaf):
        return None
    for term in policy.terms:
        if term.per not in (JOB, REQUEST) or not term.direction:
            continue
        own, theirs = _values(term, view, request, chosen)
        if own is None or theirs is None or own == theirs:
            continue
        return (term, own, theirs) if term.direction * (theirs - own) > 0 else None
    return None


def _values(term: Term, view: Any, request: int, chosen: int) -> tuple[float | None, float | None]:
    """A term of two requests, or of their jobs."""
    values = getattr(view, term.name)
    entries = (job_of(view, one) if term.per == JOB else one for one in (request, chosen))
    own, theirs = (display_value(term, float(values[entry])) for entry in entries)
    return own, theirs


def _siblings(view: Any, queue: int, other: int) -> tuple[int, int]:
    """The ancestors of two queues that their nearest common parent compares; the queue itself twice where
    they are one.
    """
    path, other_path = _path(view, queue), _path(view, other)
    depth = 0
    while depth < min(len(path), len(other_path)) - 1 and path[depth] == other_path[depth]:
        depth += 1
    return path[depth], other_path[depth]


def _path(view: Any, queue: int) -> list[int]:
    """From root down to the queue."""
    path = [queue]
    while view.queue_parent[path[-1]] >= 0:
        path.append(int(view.queue_parent[path[-1]]))
    return path[::-1]
