"""A run as it is known at an instant, for a chart that must not show what comes after."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import Run
from engine.dashboard import NONE, RUNNING


def run_so_far(run: Run, until_ms: int) -> Run:
    """The containers that had started before; what ended later still runs, as in a deadlock at `until_ms`.
    What starts at that instant is not among them, for that is asked. The scenario and the workload are those
    of the whole run.
    """
    known = lambda times: np.where(times <= until_ms, times, NONE)
    c = run.containers
    started = c.start < until_ms
    containers = type(c)(*(column[started] for column in c))
    containers = containers._replace(
        shuffle_end=known(containers.shuffle_end),
        end=known(containers.end),
        outcome=np.where(containers.end <= until_ms, containers.outcome, RUNNING).astype(c.outcome.dtype),
        begin=np.minimum(containers.begin, until_ms),
    )
    jobs = run.jobs._replace(
        **{key: known(getattr(run.jobs, key)) for key in ("start", "maps_end", "shuffle_end", "finish")}
    )
    fetches = run.fetches
    if fetches is not None:
        begun = fetches.start < until_ms
        place = np.cumsum(started) - 1  # of each container among those that have started
        fetches = fetches._replace(
            container=place[fetches.container[begun]],
            start=fetches.start[begun],
            end=known(fetches.end[begun]),
        )
    return replace(
        run,
        status="deadlock",
        at_ms=until_ms,
        because=None,
        containers=containers,
        jobs=jobs,
        fetches=fetches,
    )
