"""Dynamic priority over FIFO: of all waiting jobs the one with the highest score.

Paper      dynamic-priority Eq. 1, 2, Algorithm 1, Table 1 (terms/job_priority.py)
Knows, ties, cost  as terms/job_priority.py; queues are not known
"""

from engine.schedulers.policy import ORDER, Policy
from engine.schedulers.terms.job_priority import (
    K1,
    SCORE_MEMORY,
    SCORE_TERMS,
    SPLIT_MB,
    best_by_score,
    first_by_score,
    score_waiting,
)
from engine.schedulers.view import LEAVE, UNLISTED


def choose(view, node, count, k1, split_mb):
    if count == UNLISTED:
        return 0 if first_by_score(view, node, k1, split_mb, False) > 0 else LEAVE
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
    walks=True,
)
