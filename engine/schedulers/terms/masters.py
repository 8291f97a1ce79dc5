"""Masters before all other requests: what haste, ffd-dp, fresh and weighted have in common (haste §III: an ApplicationMaster has the highest preference)."""

from engine.schedulers.view import MASTER, job_of, kind_of

NONE = -1


def first_master(candidates, count):
    """The position of the first master among the candidates, in job order; NONE without one. Cost: one pass."""
    for position in range(count):
        if kind_of(candidates[position]) == MASTER:
            return position
    return NONE


def highest(values, candidates, count):
    """The position of the highest value; of equals the first, but the map of a job whose reduce stands before it (haste: maps first)."""
    best = 0
    for position in range(1, count):
        if is_higher(values, candidates[position], candidates[best]):
            best = position
    return best


def is_higher(values, request, rival):
    """Is a request's value above that of a rival listed before it? Of equals the rival stays, but for a map of its job."""
    return values[request] > values[rival] or (values[request] == values[rival] and job_of(request) == job_of(rival))
