"""Why a container was placed there and then: the decision that placed it, found by running again up to it.

What is shown are the terms that the policies computed for that decision (policy.Term), beside what anybody
can see of the
candidates: sizes, what their jobs and queues hold, weights and arrival.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import quantities
from engine.codes import (
    ADMIT,
    BY_PRIORITY,
    EXECUTOR,
    KINDS,
    MASTER,
    NOT_YET,
    REDUCE,
    TEZ,
    WALKED,
    job_of,
    kind_of,
    requests_of,
)
from engine.errors import GantryError
from engine.explanation.container_names import ContainerName, name_of, stage_of_request
from engine.explanation.decision_text import decision_text
from engine.explanation.executor_asks import executor_asked
from engine.explanation.observed_run import (
    Observer,
    compared_queues,
    compares_usage,
    facts,
    fits_node,
    ground,
    queue_value,
    term_json,
    value,
)
from engine.explanation.order_rules import Tie, tie_break
from engine.explanation.refusal import refusal
from engine.explanation.sentences import admission_sentence, answer_sentence, chosen_sentence
from engine.explanation.wait_spans import span_json, wait_spans
from engine.messages import msg
from engine.resource_types import MEMORY, VCORES
from engine.rich_display import RichDisplay
from engine.schedulers.hadoop.capacity_reservation import max_reservations
from engine.schedulers.hadoop.capacity_walk import used_and_reserved
from engine.schedulers.hadoop.resources import amount_of, minus
from engine.schedulers.policy import ADMISSION_AT, ORDER_AT, QUEUE, REDUCE_START_AT, Policy, Term
from engine.schedulers.scheduler import Scheduler, as_scheduler
from engine.schedulers.view import View
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run
from engine.version import VERSION

if TYPE_CHECKING:
    import pandas as pd


class NotCompared(GantryError):
    """A measured run has no decisions."""


class Explanation(dict[str, Any], RichDisplay):
    """What `explain` tells, by the names that the command line prints as JSON."""

    def __repr__(self) -> str:
        return decision_text(self)

    def frame(self) -> pd.DataFrame:
        """A table of pandas with a row a candidate, after its own columns one a term; empty where nothing was
        compared.
        """
        import pandas as pd

        rows = self.get("candidates", [])
        return pd.DataFrame(
            [{**{key: row[key] for key in row if key != "terms"}, **row["terms"]} for row in rows]
        )


def explain(run: Run, scheduler: str | Scheduler, container: str | int) -> Explanation:
    """The decision of a run under this scheduler that placed `container` (JOB/STAGE/KIND/INDEX[/ATTEMPT], or
    its number), as the command line prints it.

    Where the node was reserved for it: the decision that reserved the node, and `starts_s`, when the
    container fitted. Of one that was never placed what keeps it (`placed` false, `waits`); of a job that was
    refused `refused` in the place of `waits`, as refusal gives it. Where others were preempted for it no
    request was compared with it, and `candidates` is empty. Raises NoSuchContainer, and NotCompared of a
    measured run. Cost: a plain run up to its start.
    """
    scheduler = as_scheduler(scheduler)
    text = name_of(run, container) if isinstance(container, int) else container
    name = ContainerName.of(run, text)
    number = name.number(run)
    if scheduler.is_measured:
        raise NotCompared(msg("explanation.explain.from_clusters_history_which_does_not", name_of=text))
    head = {"version": 1, "engine": VERSION, "scheduler": run.scheduler}
    if refused := refusal(run, name.job):
        because = msg(
            "explanation.explain.was_refused",
            job=run.workload.job_names[name.job],
            moment=quantities.moment(1000 * refused["at_s"]),
            because=refused["reason"],
        )
        refusal_told = {"placed": False, "refused": refused, "because": because}
        return Explanation({**head, "container": name.text, **refusal_told})
    decision = _Decision(run, scheduler, number) if number is not None else None
    wait = wait_spans(run, scheduler, text, *([decision] if decision else []))
    head["container"] = wait.container
    waits = {"waits": [span_json(span) for span in wait.spans], "killed_for": wait.killed_for}
    if number is None or decision is None:
        because = msg(
            "explanation.explain.never_started",
            name=wait.container,
            moment=quantities.moment(wait.spans[-1].start),
            because=wait.spans[-1].rule.because,
        )
        return Explanation({**head, "placed": False, **waits, "because": because})
    seen = decision.seen
    starts_s = int(run.containers.start[number]) / 1000
    if not seen:
        node = run.workload.node_names[run.containers.node[number]]
        seen = {"at_s": starts_s, "node": node, "facts": [], "terms": [], "candidates": [], "queues": []}
        because = _given(run, number)
    else:
        seen |= {"starts_s": starts_s} if seen["at_s"] != starts_s else {}
        because = chosen_sentence(seen, scheduler.order.policy, decision.tie)
    asked, admitted = _earlier(run, scheduler, number, decision.earlier)
    if run.containers.kind[number] == MASTER and decision.runs_since > 0:
        admitted = admission_sentence(
            admitted, decision.runs_since / 1000, run.workload.job_users[run.containers.job[number]]
        )
    told = {"asked": asked, "admitted": admitted, "because": because}
    return Explanation({**head, "container": name_of(run, number), "placed": True, **seen, **waits, **told})


class _Decision(Observer):
    """The decision that placed a container, or reserved its node. earlier: what reduce start or admission
    answered its job, by ms; runs_since: ms, 0 where the job had not to wait for others to leave; tie: of a
    decision in which nothing that is compared differed.
    """

    def __init__(self, run: Run, scheduler: Scheduler, number: int) -> None:
        self.run, self.scheduler, self.number = run, scheduler, number
        self.job, self.kind = run.containers.job[number], run.containers.kind[number]
        self.begin()

    def begin(self) -> None:
        self.seen: dict[str, Any] = {}
        self.earlier: dict[int, dict[str, Any]] = {}
        self.runs_since = 0
        self.tie: Tie | None = None
        self.is_placed = False

    def see(self, answer: Answer) -> None:
        if self.is_placed or answer.placed > self.number:
            return
        if answer.place == ORDER_AT and answer.answer >= 0 and _is_of(self.run, self.number, answer):
            self._see_order(answer)
        elif answer.place == ORDER_AT or answer.first != self.job:
            return
        elif answer.place == REDUCE_START_AT and answer.answer != NOT_YET and self.kind == REDUCE:
            self._see_earlier(answer, self.scheduler.reduce_start.policy)
        elif answer.place == ADMISSION_AT and answer.answer == ADMIT and self.kind == MASTER:
            self._see_earlier(answer, self.scheduler.admission.policy)

    def _see_order(self, answer: Answer) -> None:
        run, number, view = self.run, self.number, answer.view
        fits = fits_node(view, answer.first, int(view.candidates[answer.answer]))
        # else it reserves, or waits for a nearer node
        self.is_placed = answer.placed == number and fits and view.now == run.containers.start[number]
        self.runs_since = int(view.job_runnable_since[self.job])
        if self.is_placed or not fits:
            offered = view.candidates[: answer.second]
            policy = self.scheduler.order.policy
            self.seen.update(_decision(run, policy, view, answer.first, offered, answer.answer))
            self.tie = tie_break(run, self.scheduler, view, offered.tolist(), int(offered[answer.answer]))

    def _see_earlier(self, answer: Answer, policy: Policy) -> None:
        at = int(answer.view.now)
        self.earlier[at] = {
            "rule": policy.name,
            "at_s": at / 1000,
            "ground": ground(policy, answer.view),
            "facts": facts(policy, answer.view, answer.first),
        }


def _given(run: Run, number: int) -> str:
    node, job = (
        run.workload.node_names[run.containers.node[number]],
        run.workload.job_names[run.containers.job[number]],
    )
    at = quantities.moment(int(run.containers.start[number]))
    name = name_of(run, number)
    return msg(
        "explanation.explain.was_compared_with_nothing_was_starved", name=name, job=job, node=node, at=at
    )


def _is_of(run: Run, number: int, answer: Answer) -> bool:
    """Did an order choose this container's request for its node?"""
    c = run.containers
    return (
        c.node[number] == answer.first
        and requests_of(answer.view, c, number) == answer.view.candidates[answer.answer]
    )


def _decision(
    run: Run, policy: Policy, view: View, node: int, candidates: np.ndarray, chosen: int
) -> dict[str, Any]:
    columns = [term for term in policy.terms if term.per != QUEUE]
    rows = [
        _row(run, policy, columns, view, request) | {"chosen": position == chosen}
        for position, request in enumerate(candidates.tolist())
    ]
    free = {
        "free_memory_mb": int(view.node_free_memory[node]),
        "free_vcores": int(view.node_free_vcores[node]),
    }
    return {
        "at_s": int(view.now) / 1000,
        "node": run.workload.node_names[node],
        **free,
        "facts": facts(policy, view),
        "ground": ground(policy, view),
        "terms": [term_json(term) for term in columns],
        "candidates": rows,
        "queue_terms": [term_json(term) for term in compared_queues(policy, view)],
        "queues": _queues(run, policy, view, candidates),
    }


def _row(run: Run, policy: Policy, columns: list[Term], view: View, request: int) -> dict[str, Any]:
    work = run.workload
    job = int(job_of(work, request))
    queue = int(view.job_queue[job])
    term_values = {
        term.name: None
        if term.shared and not compares_usage(policy, view, queue)
        else value(term, view, job, request)
        for term in columns
    }
    is_walked = policy.assignment.reserves == WALKED
    priority = {"priority": int(view.job_priority[job])} if is_walked and view.has_job_priorities == 1 else {}
    walked = _walked(view, request, queue) if is_walked else {}
    stage = stage_of_request(work, request)
    return {
        "job": work.job_names[job],
        "kind": KINDS[kind_of(work, request)],
        **({"framework": "tez"} if work.job_framework[job] == TEZ else {}),
        **({"stage": stage} if stage else {}),
        "waiting": int(view.request_waiting[request]),
        "memory_mb": int(view.request_memory[request]),
        "vcores": int(view.request_vcores[request]),
        "reserved_nodes": int(view.request_reserved[request]),
        **walked,
        "arrival_s": int(view.job_arrival[job]) / 1000,
        "weight": float(view.job_weight[job]),
        **priority,
        "job_used_memory_mb": int(view.job_used_memory[job]),
        "job_used_vcores": int(view.job_used_vcores[job]),
        "queue": work.queues.names[queue],
        "queue_used_memory_mb": int(view.queue_used_memory[queue]),
        "queue_used_vcores": int(view.queue_used_vcores[queue]),
        "terms": term_values,
    }


def _walked(view: Any, request: int, queue: int) -> dict[str, int]:
    """What an order that walks down the queues asks of a request beside its place: may it reserve one more
    node, does its queue's limit leave room?
    """
    left = minus(amount_of(view.limit_resource, queue), used_and_reserved(view, queue))
    return {
        "most_reserved_nodes": int(max_reservations(view, request)),
        "queue_left_memory_mb": int(left[MEMORY]),
        "queue_left_vcores": int(left[VCORES]),
    }


def _queues(run: Run, policy: Policy, view: View, candidates: np.ndarray) -> list[dict[str, Any]]:
    """The queues on the way to the candidates, parents before children, with what they were compared by."""
    terms = compared_queues(policy, view)
    queues: set[int] = set()
    for queue in view.job_queue[job_of(view, candidates)].tolist() if terms else []:
        while view.queue_parent[queue] >= 0:
            queues.add(queue)
            queue = int(view.queue_parent[queue])

    def row(queue: int) -> dict[str, Any]:
        has_priority = (
            policy.assignment.reserves == WALKED
            and view.queue_ordering[view.queue_parent[queue]] == BY_PRIORITY
        )
        priority = {"priority": int(view.queue_priority[queue])} if has_priority else {}
        return {
            "name": run.workload.queues.names[queue],
            **priority,
            "terms": {term.name: queue_value(term, view, queue) for term in terms},
        }

    return [row(queue) for queue in sorted(queues)]


def _earlier(
    run: Run, scheduler: Scheduler, number: int, earlier: dict[int, dict[str, Any]]
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """(why the reduce or executor was asked for then, why the master was admitted); None where the container
    is of another kind or no rule decided.
    """
    kind = run.containers.kind[number]
    if kind == EXECUTOR:
        return executor_asked(run, number), None
    if kind == REDUCE:
        rule, asked = scheduler.reduce_start.policy, int(run.containers.requested[number])
        known_answer, at = earlier.get(asked), asked / 1000
        if known_answer is None:
            known_answer = {"rule": rule.name, "at_s": at, "facts": []}
            return known_answer | {
                "because": (
                    msg(
                        "explanation.explain.asked_for_again_at_reduces_had",
                        moment=quantities.moment(1000 * at),
                    )
                )
            }, None
        return known_answer | {
            "because": answer_sentence(
                msg("explanation.explain.asked_for"), known_answer, rule, str(scheduler.reduce_start)
            )
        }, None
    answers = list(earlier.values())
    if kind == MASTER and answers and scheduler.admission.policy.facts:
        known_answer = answers[-1]
        return None, known_answer | {
            "because": answer_sentence(
                "admitted", known_answer, scheduler.admission.policy, str(scheduler.admission)
            )
        }
    return None, None
