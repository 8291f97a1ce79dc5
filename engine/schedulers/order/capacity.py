"""Capacity: next is the queue that uses the least of its guarantee; in it the earliest job.

In Hadoop  CapacityScheduler with PriorityUtilizationQueueOrderingPolicy; leaves fifo unless their policy says fair or drf
Knows      memory and vcores held and guaranteed; maximum capacities, held by the engine
Ties       the larger guarantee, then the queue listed first; jobs in job order
Cost       one pass over the candidates and one over the queues
"""

from engine.schedulers.policy import ORDER, RESOURCES, Policy
from engine.schedulers.terms.queue_sharing import QUEUE_MEMORY, pick, rank_terms
from engine.schedulers.view import CAPACITY


def choose(view, count):
    return pick(CAPACITY, view, count)


CAPACITY_ORDER = Policy(
    "capacity",
    "Capacity",
    ORDER,
    choose,
    "Hadoop CapacityScheduler",
    (RESOURCES,),
    rule="its queue uses the least of its guarantee, and its job comes first there",
    limits="max_capacity",
    memory=QUEUE_MEMORY,
    terms=rank_terms("Share", "Of a job in a queue that shares: what it holds for its weight."),
)
