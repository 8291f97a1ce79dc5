"""What waits at a moment of a run, and what keeps it (WAIT-1): one look at the state, without what was
decided before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import DEADLOCK, INFINITE, PAUSED, job_of, kind_of
from engine.explanation.observed_run import run_until
from engine.messages import msg
from engine.schedulers.scheduler import Scheduler
from engine.simulation.run import Run
from engine.simulation.simulate import moment_of
from engine.simulation.waiting.waiting_rule import waiting_rule


class WaitingRequest(NamedTuple):
    """A request (job and kind as indices) of so many containers, the first asked for at `since` ms.

    rule: of waiting_rule, "" where a node could take it. because: a clause.
    """

    job: int
    kind: int
    count: int  # type: ignore[assignment]  # hides tuple.count
    since: int
    rule: str
    setting: str
    because: str


def waiting_at(run: Run, scheduler: Scheduler, at_ms: int) -> list[WaitingRequest]:
    """What waits when the instant at `at_ms` is over, in job order; of a deadlock, from its end on, what
    waits for ever. Cost: a run up to then, and a pass over the nodes for each request.
    """
    is_over = run.status == "deadlock" and at_ms >= run.at_ms
    prepared, ended = run_until(run, scheduler, INFINITE if is_over else at_ms + 1)
    if ended not in (PAUSED, DEADLOCK):
        return []
    view, moment = prepared.view, moment_of(prepared)
    found = []
    for request in np.flatnonzero(view.request_waiting).tolist():
        rule = waiting_rule(moment, request)
        found.append(
            WaitingRequest(
                int(job_of(view, request)),
                int(kind_of(view, request)),
                int(view.request_waiting[request]),
                int(view.request_asked_at[request]),
                rule.rule if rule else "",
                rule.setting if rule else "",
                rule.because if rule else msg("explanation.waiting_at.node_could_take_it"),
            )
        )
    return found
