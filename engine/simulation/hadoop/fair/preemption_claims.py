"""Resources that were preempted on a node for a starved job, which is served first there
(FSSchedulerNode.getPreemptionList, FairScheduler.assignPreemptedContainers).

A claim is of one job on one node; they stand in the order in which they were made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import container_request
from engine.resource_types import RESOURCE_COUNT
from engine.run_records import CONTAINER, NODE, PREEMPTS, Amounts, Ints, Record, amounts, array, number
from engine.schedulers.amounts import add, assign, clear, is_nothing
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.simulation.hadoop.fair.fair_shares import is_below
from engine.simulation.kernel.clock import wake, wake_parked

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Claims(Record):
    """What is kept for the jobs that containers are killed for."""

    claim_node: Ints = array(CONTAINER, "", "the node on which it is kept", when=PREEMPTS)
    claim_job: Ints = array(CONTAINER, "", "the job it is kept for", when=PREEMPTS)
    claim_resource: Amounts = amounts(CONTAINER, "how much", when=PREEMPTS)
    claim_count: int = number("", "of the claims")
    node_claims: Ints = array(NODE, "", "how many", when=PREEMPTS)
    claimed_resource: Amounts = amounts(NODE, "kept on a node for all jobs", when=PREEMPTS)


def find_claim(s: State, node: int, job: int) -> int:
    """Where it stands; -1 without one."""
    for i in range(s.claim_count):
        if s.claim_node[i] == node and s.claim_job[i] == job:
            return i
    return -1


def has_claim(s: State, node: int, job: int) -> bool:
    return s.preempts == 1 and s.node_claims[node] > 0 and find_claim(s, node, job) >= 0


def add_claim(s: State, node: int, job: int, sizes: Amounts, size: int) -> None:
    """A size more is kept on the node for the job."""
    claim = find_claim(s, node, job)
    if claim < 0:
        claim = s.claim_count
        s.claim_count += 1
        s.claim_node[claim], s.claim_job[claim] = node, job
        clear(s.claim_resource, claim)
        s.node_claims[node] += 1
    add(s.claim_resource, claim, sizes, size, 1)
    add(s.claimed_resource, node, sizes, size, 1)
    wake(s, node)


def drop_claim(s: State, claim: int) -> None:
    add(s.claimed_resource, s.claim_node[claim], s.claim_resource, claim, -1)
    s.node_claims[s.claim_node[claim]] -= 1
    s.claim_count -= 1
    for i in range(claim, s.claim_count):
        s.claim_node[i], s.claim_job[i] = s.claim_node[i + 1], s.claim_job[i + 1]
        assign(s.claim_resource, i, s.claim_resource, i + 1)


def reduce_claim(v: View, s: State, node: int, request: int, job: int) -> None:
    """A container of the job starts on the node: its claim is less by that."""
    claim = find_claim(s, node, job) if s.node_claims[node] > 0 else -1
    if claim >= 0:
        for resource in range(RESOURCE_COUNT):
            taken = min(s.claim_resource[resource, claim], v.request_resource[resource, request])
            s.claim_resource[resource, claim] -= taken
            s.claimed_resource[resource, node] -= taken
        if is_nothing(s.claim_resource, claim):
            drop_claim(s, claim)


def is_still_starved(v: View, s: State, job: int) -> bool:
    """Does it lack anything, of its fair share now or of what it lacked when last looked at?"""
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[v.job_queue[job]])
    return not is_nothing(s.min_share_starved_resource, job) or (
        not is_nothing(s.starved_resource, job)
        and is_below(v, policy, v.job_used_resource, job, v.job_fair_resource, job)
    )


def drop_claims(v: View, s: State, node: int, drops_all: int) -> None:
    """Claims on a node of jobs that have left or are starved no more; all of them when the node is lost."""
    claim = 0
    while claim < s.claim_count:
        job = s.claim_job[claim]
        if s.claim_node[claim] == node and (
            drops_all or v.job_is_active[job] == 0 or not is_still_starved(v, s, job)
        ):
            drop_claim(s, claim)
            s.event_count += 1
            wake_parked(s)
        else:
            claim += 1


def unmark(v: View, s: State, container: int) -> None:
    """It is to be killed no more: it has ended, and its use is given back."""
    if s.preempts == 1 and s.is_marked[container] == 1:
        job, request = s.container_job[container], container_request(v, s, container)
        s.is_marked[container] = 0
        add(s.marked_resource, job, v.request_resource, request, -1)
