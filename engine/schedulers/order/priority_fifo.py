"""Dynamic priority over FIFO: of all waiting jobs the one with the highest score.

Paper      dynamic-priority Eq. 1, 2, Algorithm 1, Table 1 (priority.py)
Knows, ties, cost  as priority.py; queues are not known
"""

from engine.policies.order.priority import K1, ROWS, SCORE_TERMS, SPLIT_MB, best_by_score, score_waiting
from engine.policies.policy import ORDER, Policy


def choose(view, count, parameters):
    score_waiting(view, parameters, False)
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
    job_notes=ROWS,
    terms=SCORE_TERMS,
)
