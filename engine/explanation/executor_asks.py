"""Why an executor was asked for: what its driver wanted when it was (SPARK-5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import quantities
from engine.messages import msg
from engine.simulation.run import Run


def executor_asked(run: Run, number: int) -> dict[str, Any] | None:
    """As `explain` tells why a container was asked for: the last change of the driver's target before the
    executor's request; number: of its container. None where the run does not have what drivers wanted.
    """
    if run.targets is None:
        return None
    c, targets = run.containers, run.targets
    job, requested = int(c.job[number]), int(c.requested[number])
    before = np.flatnonzero((targets.job == job) & (targets.time <= requested))
    if not len(before):
        return None
    change = int(before[-1])
    earlier = int(targets.executors[before[-2]]) if len(before) > 1 else 0
    wanted = quantities.count(int(targets.executors[change]), "executors")
    moment = quantities.moment(int(targets.time[change]))
    waiting = int(targets.waiting[change])
    if targets.executors[change] <= earlier:
        text = msg("explanation.executor_asks.in_place_of_another", wanted=wanted, moment=moment)
    elif waiting:
        text = msg(
            "explanation.executor_asks.tasks_waited",
            wanted=wanted,
            earlier=earlier,
            moment=moment,
            waiting=quantities.count(waiting, "tasks"),
            running=f"{int(targets.running[change]):,}" if targets.running[change] else "none",
        )
    else:
        text = msg("explanation.executor_asks.first_target", wanted=wanted, moment=moment)
    return {"rule": "executors", "at_s": requested / 1000, "facts": [], "because": text}
