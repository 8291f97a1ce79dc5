"""Dynamic priority over Capacity: between queues as `capacity`, inside a queue the job with the highest score.

Paper      dynamic-priority §5.2, new_Capacity: the score first, then the base scheduler (priority.py)
Knows      as priority.py, and what capacity knows of queues
Ties, cost as priority.py
"""

from engine.policies.order.priority import K1, ROWS, SCORE_TERMS, SPLIT_MB, best_by_score, score_waiting
from engine.policies.order.sharing import QUEUE_TERMS, down_the_tree
from engine.policies.policy import ORDER, Policy
from engine.view import CAPACITY


def choose(view, count, parameters):
    score_waiting(view, parameters, True)
    best_by_score(view, count, True)
    return down_the_tree(CAPACITY, view)


PRIORITY_CAPACITY = Policy(
    "priority-capacity",
    "Dynamic priority, Capacity",
    ORDER,
    choose,
    "dynamic-priority §5.2, new_Capacity",
    (K1, SPLIT_MB),
    rule="its queue comes first under capacity, and its job has the highest score there",
    limits="max_capacity",
    job_notes=ROWS,
    terms=(*SCORE_TERMS, *QUEUE_TERMS),
)
