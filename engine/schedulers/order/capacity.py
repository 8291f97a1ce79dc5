"""Capacity: next is the queue that uses the least of its guarantee; in it the earliest job.

In Hadoop  CapacityScheduler with PriorityUtilizationQueueOrderingPolicy; leaves fifo unless their ordering
           says fair, or their policy fair or drf
Knows      memory and vcores held and guaranteed, maximum capacities
Knows too  priorities: of queues where their parent's ordering asks for it, of jobs in leaves that are fifo
Ties       the larger guarantee, then the queue listed first; jobs in job order
Cost       as hadoop/capacity_walk.py
"""

from engine.schedulers.hadoop.capacity_walk import WALK_MEMORY, walk
from engine.schedulers.hadoop.queue_sharing import rank_changed_jobs, rank_terms
from engine.schedulers.indexes.walked_jobs import WALKED_JOBS
from engine.schedulers.policy import (
    ALWAYS,
    BY_CAPACITY,
    CAPACITY_PREEMPTION,
    COUNTED,
    NODE_LOCALITY_DELAY,
    OFF_SWITCH,
    ORDER,
    QUEUE_LIMIT,
    RACK_LOCALITY_DELAY,
    RESERVATIONS,
    RESOURCES,
    USER_LIMITS,
    WALKED,
    Assignment,
    Defaults,
    Policy,
    Queues,
)
from engine.schedulers.view import CAPACITY


def choose(view, node, count, reservations, user_limits, node_locality_delay, rack_locality_additional_delay):
    rank_changed_jobs(CAPACITY, view, True)
    return walk(
        view, node, count, reservations, user_limits, node_locality_delay, rack_locality_additional_delay
    )


CAPACITY_ORDER = Policy(
    "capacity",
    "Capacity",
    ORDER,
    choose,
    "Hadoop CapacityScheduler",
    (
        RESOURCES,
        RESERVATIONS,
        USER_LIMITS,
        NODE_LOCALITY_DELAY,
        RACK_LOCALITY_DELAY,
        OFF_SWITCH,
        *CAPACITY_PREEMPTION,
    ),
    rule=(
        "its queue stands first, by priority and by how little it uses of its guarantee, and its job "
        "comes first there"
    ),
    queues=Queues(BY_CAPACITY, headroom=QUEUE_LIMIT),
    assignment=Assignment(stops_job=ALWAYS, reserves=WALKED, delays=COUNTED),
    defaults=Defaults(admission="am-limit"),
    memory=WALK_MEMORY,
    index=WALKED_JOBS,
    terms=rank_terms("Share", "In a queue that shares: what the job holds for its weight."),
)
