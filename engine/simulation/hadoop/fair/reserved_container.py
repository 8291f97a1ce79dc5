"""Whether what a node is reserved for may still be given it (FSAppAttempt.assignReservedContainer,
FSAppAttempt.hasContainerForNode; RESERVE-3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MASTER, NO_LIMITS
from engine.simulation.kernel.admission import may_run
from engine.simulation.kernel.candidates import within_limits

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def may_be_assigned(v: View, s: State, request: int, now: int, admission: PolicyFunction, table: int) -> int:
    """Do the limits of queues and of masters allow the request one container more?"""
    may_start = v.request_kind[request] != MASTER or may_run(s, v.request_job[request], admission, table, now)
    return may_start and (s.limits == NO_LIMITS or within_limits(v, request, s.limits))
