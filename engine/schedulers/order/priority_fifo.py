"""Dynamic priority over FIFO: of all waiting jobs the one with the highest score.

Paper      dynamic-priority Eq. 1, 2, Algorithm 1, Table 1 (terms/job_priority.py)
Jobs, knows, ties, cost  as terms/job_priority.py; queues are not known
"""

from engine.schedulers.indexes.first_by_score import FIFO_INDEX
from engine.schedulers.policy import ORDER, Assignment, Policy
from engine.schedulers.terms.job_priority import (
    K1,
    SCORE_MEMORY,
    SCORE_TERMS,
    SPLIT_MB,
    best_by_score,
    score_waiting,
)


def choose(view, count, k1, split_mb):
    score_waiting(view, k1, split_mb, False)
    best_by_score(view, count, False)
    return view.queue_best[0]


PRIORITY_FIFO = Policy(
    "priority-fifo",
    "Dynamic priority, FIFO",
    ORDER,
    choose,
    "dynamic-priority Eq. 1, 2, Algorithm 1",
    (K1, SPLIT_MB),
    rule="its job has the highest score",
    terms=SCORE_TERMS,
    memory=SCORE_MEMORY,
    index=FIFO_INDEX,
    assignment=Assignment(weighs_tasks=True),
)
