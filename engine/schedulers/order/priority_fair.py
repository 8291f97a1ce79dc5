"""Dynamic priority over Fair sharing: between queues as `fair`, inside a queue the job with the highest
score.

Paper      dynamic-priority §5.2, new_Fair: the score first, then the base scheduler (terms/job_priority.py)
Jobs       as terms/job_priority.py
Knows      as terms/job_priority.py, and what fair knows of queues
Ties, cost as terms/job_priority.py
"""

from engine.schedulers.hadoop.queue_sharing import QUEUE_TERMS, choose_leaf
from engine.schedulers.indexes.first_by_score import FAIR_INDEX
from engine.schedulers.policy import BY_WEIGHT, ORDER, Assignment, Defaults, Policy, Queues
from engine.schedulers.terms.job_priority import (
    K1,
    SCORE_MEMORY,
    SCORE_TERMS,
    SPLIT_MB,
    best_by_score,
    score_waiting,
)
from engine.schedulers.view import FAIR


def choose(view, count, k1, split_mb):
    score_waiting(view, k1, split_mb, True)
    best_by_score(view, count, True)
    return choose_leaf(FAIR, view)


PRIORITY_FAIR = Policy(
    "priority-fair",
    "Dynamic priority, Fair sharing",
    ORDER,
    choose,
    "dynamic-priority §5.2, new_Fair",
    (K1, SPLIT_MB),
    rule="its queue comes first under fair, and its job has the highest score there",
    queues=Queues(BY_WEIGHT),
    defaults=Defaults(admission="am-share"),
    terms=(*SCORE_TERMS, *QUEUE_TERMS),
    memory=SCORE_MEMORY,
    index=FAIR_INDEX,
    assignment=Assignment(weighs_tasks=True),
)
