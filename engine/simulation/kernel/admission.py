"""Masters that stand in line until an admission rule lets them start (model 11).

PASS_OVER      asked anew each time a node could take the master; nothing is set aside
the others     a master admitted stays so, and its room counts from then on; asked when the job arrives, and on every beat
               for the first in line, if it fits the node
"""

from __future__ import annotations

from engine.kernel.clock import wake_left
from engine.kernel.requests import ask, find_extremes
from engine.kernel.state import HAPPENED, HELD
from engine.kernel.usage import count_admitted
from engine.policies.policy import NO_OVERTAKING, PASS_OVER
from engine.speed import call, helper
from engine.view import ADMIT, KINDS, MASTER


@helper
def may_run(s, job, line, admission, table, now):
    """Is the job's master, which fits a node, a candidate there?"""
    if s.admitted[job] == 1:
        return True
    return line == PASS_OVER and call(admission, table, job, now) == ADMIT


@helper
def admit(v, s, job):
    s.admitted[job] = 1
    s.sizes[HELD] -= 1
    s.sizes[HAPPENED] += 1
    count_admitted(v, job, 1)
    find_extremes(v, s)
    wake_left(s)


@helper
def arrive(v, s, job, line, admission, table, now):
    """A job asks for its master."""
    ask(v, s, KINDS * job + MASTER, 1, now)
    if line != PASS_OVER:
        alone = s.sizes[HELD] == 0
        s.sizes[HELD] += 1
        if (alone or line != NO_OVERTAKING) and call(admission, table, job, now) == ADMIT:
            admit(v, s, job)


@helper
def admit_in_line(v, s, node, admission, table, now):
    """On a node's beat the masters in line are asked for in turn, until one does not fit the node or must go on waiting."""
    i = 0
    while s.sizes[HELD] > 0 and i < v.waiting_count[0]:
        request = v.waiting[i]
        job = request // KINDS
        if request % KINDS == MASTER and s.admitted[job] == 0:
            fits = v.node_free_memory[node] >= v.request_memory[request] and v.node_free_vcores[node] >= s.fit_vcores[request]
            if not fits or call(admission, table, job, now) != ADMIT:
                break
            admit(v, s, job)
        i += 1
