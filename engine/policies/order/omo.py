"""OMO: reduces that are due first, then the last maps of a job in a batch, then fair sharing.

Paper      omo §IV-E, Algorithm 3: lazy start, batch finish, fair; among jobs whose reduces are due the one that holds the fewest containers
           It is made with lazy-start (reduce_start/lazy_start.py), which says when reduces are due; repairs are told there and in batch_finish.py
Knows      as batch finish, and how many containers jobs hold
Ties       job order
Cost       two passes over the candidates and one over the queues
"""

from engine.policies.order.batch_finish import BATCH_TERMS, BY_FAIR, GROUND, IN_A_BATCH, T_BATCH, best_batch
from engine.policies.order.sharing import RANK, pick
from engine.policies.policy import ORDER, REQUESTS, Policy, Term
from engine.policies.release import EMA, RELEASE_FACTS, WINDOW_S, close_window
from engine.view import FAIR, KINDS, MAP, MASTER, REDUCE

HELD = T_BATCH + 1  # row of request_notes
NONE = -1


def choose(view, count):
    fair = pick(FAIR, view, count)  # asked always: it must see whose holdings changed
    due = due_reduce(view, count)
    if due != NONE:
        view.notes[GROUND] = 2.0
        return due
    batch = best_batch(view, count, False)
    view.notes[GROUND] = 1.0 if batch != NONE else 0.0
    return fair if batch == NONE else batch


def due_reduce(view, count):
    """The position of the reduce whose job holds the fewest containers; NONE without a reduce."""
    notes, requests = view.request_notes, len(view.request_memory)
    best = NONE
    for position in range(count):
        request = view.candidates[position]
        if request % KINDS == REDUCE:
            first = request - REDUCE
            held = view.request_held[first + MASTER] + view.request_held[first + REDUCE] + view.request_held[first + MAP]
            notes[HELD * requests + request] = held
            if best == NONE or held < notes[HELD * requests + view.candidates[best]]:
                best = position
    return best


HELD_TERM = Term("held", "Containers held", REQUESTS, HELD, "By the job of a reduce that is due; the fewest goes first of all.", "containers", sense=-1)
OMO = Policy(
    "omo",
    "OMO",
    ORDER,
    choose,
    "omo §IV-E, Algorithm 3",
    (WINDOW_S, EMA),
    rule=(BY_FAIR, IN_A_BATCH, "its job's reduces are due, and of such jobs it holds the fewest containers"),
    ground=GROUND,
    limits="max_share",
    notes=GROUND + 1,
    job_notes=RANK,
    request_notes=HELD + 1,
    window="window_s",
    on_window=close_window,
    brings="lazy-start",
    terms=(HELD_TERM, *BATCH_TERMS),
    facts=RELEASE_FACTS,
)
