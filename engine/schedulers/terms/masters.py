"""Masters before all other requests: what haste, ffd-dp, fresh and weighted have in common (haste §III: an ApplicationMaster has the highest preference)."""

from engine.view import KINDS, MASTER

NONE = -1


def first_master(candidates, count):
    """The position of the first master among the candidates, in job order; NONE without one. Cost: one pass."""
    for position in range(count):
        if candidates[position] % KINDS == MASTER:
            return position
    return NONE


def prefers(value, best, request, rival):
    """Is a candidate met later better: by value; in a tie only as the map of the same job, whose reduce was met before it (haste: maps first)."""
    return value > best or (value == best and request // KINDS == rival // KINDS)
