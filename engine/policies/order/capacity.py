"""Capacity: next is the queue that uses the least of its guarantee; in it the earliest job.

In Hadoop  CapacityScheduler with PriorityUtilizationQueueOrderingPolicy; leaves fifo unless their policy says fair or drf
Knows      memory and vcores held and guaranteed; maximum capacities, held by the engine
Ties       the larger guarantee, then the queue listed first; jobs in job order
Cost       one pass over the candidates and one over the queues
"""

from engine.policies.order.sharing import RANK, pick
from engine.policies.policy import ORDER, RESOURCES, Policy
from engine.view import CAPACITY


def choose(
    parameters, candidates, count, cluster_memory, cluster_vcores,
    job_queue, job_weight, job_min_memory, job_min_vcores, job_used_memory, job_used_vcores, changed,
    queue_parent, queue_bottom_up, queue_in_file, queue_policy, queue_weight, queue_min_memory, queue_min_vcores, queue_max_memory,
    queue_capacity, queue_used_memory, queue_used_vcores, queue_waiting_memory, queue_best, queue_demand, queue_keys, notes,
):  # fmt: skip
    return pick(
        CAPACITY, parameters[0] == 1.0, candidates, count, cluster_memory, cluster_vcores,
        job_queue, job_weight, job_min_memory, job_min_vcores, job_used_memory, job_used_vcores, changed,
        queue_parent, queue_bottom_up, queue_in_file, queue_policy, queue_weight, queue_min_memory, queue_min_vcores, queue_max_memory,
        queue_capacity, queue_used_memory, queue_used_vcores, queue_waiting_memory, queue_best, queue_demand, queue_keys, notes,
    )  # fmt: skip


CAPACITY_ORDER = Policy(
    "capacity",
    "Capacity",
    ORDER,
    choose,
    "Hadoop CapacityScheduler",
    (RESOURCES,),
    rule="its queue uses the least of its guarantee, and its job comes first there",
    limits="max_capacity",
    job_notes=RANK,
)
