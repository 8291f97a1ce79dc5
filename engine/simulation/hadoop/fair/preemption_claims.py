"""Resources that were preempted on a node for a starved job, which is served first there
(FSSchedulerNode.getPreemptionList, FairScheduler.assignPreemptedContainers).

A claim is of one job on one node; they stand in the order in which they were made. `claimed_memory` and
`claimed_vcores` are a node's sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.run_records import CONTAINER, NODE, PREEMPTS, Amounts, Ints, Record, amounts, array, number
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.simulation.hadoop.fair.starvation import is_below
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


def add_claim(s: State, node: int, job: int, memory: int, vcores: int) -> None:
    claim = find_claim(s, node, job)
    if claim < 0:
        claim = s.claim_count
        s.claim_count += 1
        s.claim_node[claim], s.claim_job[claim] = node, job
        s.claim_memory[claim] = s.claim_vcores[claim] = 0
        s.node_claims[node] += 1
    change_claim(s, claim, memory, vcores)
    wake(s, node)


def change_claim(s: State, claim: int, memory: int, vcores: int) -> None:
    s.claim_memory[claim] += memory
    s.claim_vcores[claim] += vcores
    s.claimed_memory[s.claim_node[claim]] += memory
    s.claimed_vcores[s.claim_node[claim]] += vcores


def drop_claim(s: State, claim: int) -> None:
    change_claim(s, claim, -s.claim_memory[claim], -s.claim_vcores[claim])
    s.node_claims[s.claim_node[claim]] -= 1
    s.claim_count -= 1
    for i in range(claim, s.claim_count):
        s.claim_node[i], s.claim_job[i] = s.claim_node[i + 1], s.claim_job[i + 1]
        s.claim_memory[i], s.claim_vcores[i] = s.claim_memory[i + 1], s.claim_vcores[i + 1]


def reduce_claim(v: View, s: State, node: int, request: int, job: int) -> None:
    """A container of the job starts on the node: its claim is less by that."""
    claim = find_claim(s, node, job) if s.node_claims[node] > 0 else -1
    if claim >= 0:
        change_claim(
            s,
            claim,
            -min(s.claim_memory[claim], v.request_memory[request]),
            -min(s.claim_vcores[claim], v.request_vcores[request]),
        )
        if s.claim_memory[claim] == 0 and s.claim_vcores[claim] == 0:
            drop_claim(s, claim)


def is_still_starved(v: View, s: State, job: int) -> bool:
    """Does it lack anything, of its fair share now or of what it lacked when last looked at?"""
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[v.job_queue[job]])
    lacks_min_share = s.min_share_starved_memory[job] > 0 or s.min_share_starved_vcores[job] > 0
    lacks_fair_share = is_below(
        v,
        policy,
        v.job_used_memory[job],
        v.job_used_vcores[job],
        v.job_fair_memory[job],
        v.job_fair_vcores[job],
    )
    return lacks_min_share or (lacks_fair_share and (s.starved_memory[job] > 0 or s.starved_vcores[job] > 0))


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
        job, request = (
            s.container_job[container],
            v.job_first_request[s.container_job[container]] + s.container_kind[container],
        )
        s.is_marked[container] = 0
        s.marked_memory[job] -= v.request_memory[request]
        s.marked_vcores[job] -= v.request_vcores[request]
