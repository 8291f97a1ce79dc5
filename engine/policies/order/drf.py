"""Dominant resource fairness: next is who has the smallest dominant share for its weight.

In Hadoop  FairScheduler with DominantResourceFairnessPolicy, its special case for two resources
Paper      Ghodsi et al., Dominant Resource Fairness, NSDI 2011
Knows      memory and vcores held, weights and minimum shares of queues and jobs; max_share limits, held by the engine
Ties       jobs in job order; queues by name
Cost       one pass over the candidates and one over the queues
"""

from engine.policies.order.sharing import RANK, pick
from engine.policies.policy import ORDER, RESOURCES, Policy
from engine.view import DRF


def choose(
    candidates, count, cluster_memory, cluster_vcores,
    job_queue, job_weight, job_min_memory, job_min_vcores, job_used_memory, job_used_vcores, changed,
    queue_parent, queue_bottom_up, queue_in_file, queue_policy, queue_weight, queue_min_memory, queue_min_vcores, queue_max_memory,
    queue_capacity, queue_used_memory, queue_used_vcores, queue_waiting_memory, queue_best, queue_demand, queue_keys, notes,
):  # fmt: skip
    return pick(
        DRF, False, candidates, count, cluster_memory, cluster_vcores,
        job_queue, job_weight, job_min_memory, job_min_vcores, job_used_memory, job_used_vcores, changed,
        queue_parent, queue_bottom_up, queue_in_file, queue_policy, queue_weight, queue_min_memory, queue_min_vcores, queue_max_memory,
        queue_capacity, queue_used_memory, queue_used_vcores, queue_waiting_memory, queue_best, queue_demand, queue_keys, notes,
    )  # fmt: skip


DRF_ORDER = Policy(
    "drf",
    "Dominant resource fairness",
    ORDER,
    choose,
    "Hadoop FairScheduler, DominantResourceFairnessPolicy",
    (RESOURCES,),
    rule="its queue, and in it its job, has the smallest dominant share for its weight",
    limits="max_share",
    job_notes=RANK,
)
