"""capacity's choice by the jobs that its walk meets (hadoop/capacity_walk.py): each one's first request is a
candidate.
"""

from engine.schedulers.hadoop.capacity_walk import walk
from engine.schedulers.hadoop.queue_sharing import rank_changed_jobs
from engine.schedulers.policy import Index
from engine.schedulers.view import CAPACITY, LEAVE, UNLISTED


def find(view, node, reservations, user_limits, node_locality_delay, rack_locality_additional_delay):
    rank_changed_jobs(CAPACITY, view, True)
    choice = walk(
        view, node, UNLISTED, reservations, user_limits, node_locality_delay, rack_locality_additional_delay
    )
    return LEAVE if choice == LEAVE else view.candidates[choice]


WALKED_JOBS = Index(find)
