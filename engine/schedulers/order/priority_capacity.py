"""Dynamic priority over Capacity: between queues as `capacity`, inside a queue the job with the highest
score.

Paper      dynamic-priority §5.2, new_Capacity: the score first, then the base scheduler
           (terms/job_priority.py)
Jobs       as terms/job_priority.py
Knows      as terms/job_priority.py, and what capacity knows of queues
Ties, cost as terms/job_priority.py
"""

from engine.schedulers.hadoop.queue_sharing import QUEUE_TERMS, choose_leaf
from engine.schedulers.indexes.first_by_score import CAPACITY_INDEX
from engine.schedulers.policy import BY_CAPACITY, ORDER, Assignment, Defaults, Policy, Queues
from engine.schedulers.terms.job_priority import (
    K1,
    SCORE_MEMORY,
    SCORE_TERMS,
    SPLIT_MB,
    best_by_score,
    score_waiting,
)
from engine.schedulers.view import CAPACITY


def choose(view, count, k1, split_mb):
    score_waiting(view, k1, split_mb, True)
    best_by_score(view, count, True)
    return choose_leaf(CAPACITY, view)


PRIORITY_CAPACITY = Policy(
    "priority-capacity",
    "Dynamic priority, Capacity",
    ORDER,
    choose,
    "dynamic-priority §5.2, new_Capacity",
    (K1, SPLIT_MB),
    rule="its queue comes first under capacity, and its job has the highest score there",
    queues=Queues(BY_CAPACITY),
    defaults=Defaults(admission="am-limit"),
    terms=(*SCORE_TERMS, *QUEUE_TERMS),
    memory=SCORE_MEMORY,
    index=CAPACITY_INDEX,
    assignment=Assignment(weighs_tasks=True),
)
