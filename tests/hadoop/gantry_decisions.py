"""Gantry's decisions on a script, beside Hadoop's."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from engine.codes import KILLED, PLACED
from engine.errors import TooLarge
from engine.schedulers.view import job_of
from engine.simulation.kernel import heartbeats, loop
from engine.simulation.simulate import simulate
from tests.hadoop.referee import Decisions
from tests.hadoop.scripts import scenario, scheduler_of


def placements(script: dict[str, Any], plain: bool | None = None) -> tuple[str, list[list[int]]]:
    """How the run ends, and [ms, node, job, kind] in the order of decisions; where maps have blocks, the
    task's index too.

    Where containers are killed for ever it is "endless", and nothing more is told.
    """
    try:
        run = simulate(scenario(script), scheduler_of(script), plain)
    except TooLarge:
        return "endless", []
    containers = run.containers
    columns = [
        containers.start,
        containers.node,
        containers.job,
        containers.kind,
        *([containers.index] if "racks" in script else []),
    ]
    return run.status, [list(one) for one in zip(*(column.tolist() for column in columns))]


def kills(script: dict[str, Any], plain: bool | None = None) -> list[list[int]]:
    """[ms, node, job, kind], in order, of containers that were killed as they ran; only for other jobs where
    none kills its own.
    """
    containers = simulate(scenario(script), scheduler_of(script), plain).containers
    rows = zip(
        containers.end.tolist(),
        containers.node.tolist(),
        containers.job.tolist(),
        containers.kind.tolist(),
        containers.outcome.tolist(),
    )
    return sorted(list(one) for *one, outcome in rows if outcome == KILLED)


class Comparison(NamedTuple):
    """identical: decisions that are the same before the first that is not. difference: that one in a
    sentence; "" when none differs.
    """

    identical: int
    difference: str


def compared(script: dict[str, Any], real: Decisions, plain: bool | None = None) -> Comparison:
    """Gantry's decisions beside Hadoop's."""
    status, own = placements(script, plain)
    identical = next(
        (place for place, (a, b) in enumerate(zip(own, real.placements)) if a != b),
        min(len(own), len(real.placements)),
    )
    if (status, own) == (real.status, real.placements):
        return Comparison(identical, "")
    theirs, ours = (
        one[identical] if identical < len(one) else "nothing more" for one in (real.placements, own)
    )
    where = f"{real.id}: decision {identical + 1} of {len(real.placements)}"
    return Comparison(
        identical,
        f"{where} is {theirs} in Hadoop and {ours} in Gantry (ms, node, job, kind); {real.status}, {status}",
    )


def difference(script: dict[str, Any], real: Decisions, plain: bool | None = None) -> str:
    """The first decision that differs, in a sentence; "" when none does."""
    return compared(script, real, plain).difference


def reservations(script: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """[ms, node, job or -1]: each heartbeat after which a node is reserved for another job than after the one
    before.
    """
    changes: list[list[int]] = []
    last: dict[int, int] = {}
    beat, jobs_leave = heartbeats.process_heartbeat, heartbeats.jobs_leave
    # the node, and the view of this run: one that needs more room for its containers begins anew
    current: list[Any] = [
        0,
        None,
    ]

    def note(view: Any) -> None:
        if view is not current[1]:
            current[1] = view
            changes.clear()
            last.clear()
        node, now = current[0], int(view.now)
        request = view.node_reserved[node]
        job = int(job_of(view, request)) if request >= 0 else -1
        if last.get(node, -1) != job:
            last[node] = job
            changes.append([now, node, job])

    def process_and_note(view: Any, state: Any, node: int, *rest: Any) -> int:
        current[0] = node
        done = beat(view, state, node, *rest)
        if done == PLACED and current[0] >= 0:
            note(view)
        return done

    def leave(view: Any, state: Any, *rest: Any) -> None:  # Hadoop's are noted before the job is removed
        note(view)
        jobs_leave(view, state, *rest)
        current[0] = -1

    with monkeypatch.context() as patched:
        patched.setattr(loop, "process_heartbeat", process_and_note)
        patched.setattr(heartbeats, "jobs_leave", leave)
        simulate(scenario(script), scheduler_of(script), plain=True)
    return changes
