"""Gantry's decisions on a script, beside Hadoop's."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from engine.errors import TooLarge
from engine.schedulers.view import PER_JOB
from engine.simulation.kernel import beats, loop
from engine.simulation.run import KILLED
from engine.simulation.simulate import simulate
from tests.hadoop.referee import Decisions
from tests.hadoop.scripts import scenario, scheduler_of


def placements(script: dict[str, Any], plain: bool | None = None) -> tuple[str, list[list[int]]]:
    """How the run ends, and [ms, node, job, kind] in the order of decisions; where maps have blocks, the task's index too.

    Where containers are killed for ever it is "endless", and nothing more is told.
    """
    try:
        run = simulate(scenario(script), scheduler_of(script), plain)
    except TooLarge:
        return "endless", []
    found = run.containers
    columns = [found.start, found.node, found.job, found.kind, *([found.index] if "racks" in script else [])]
    return run.status, [list(one) for one in zip(*(column.tolist() for column in columns))]


def kills(script: dict[str, Any], plain: bool | None = None) -> list[list[int]]:
    """[ms, node, job, kind], in order, of containers that were killed as they ran; only for other jobs where none kills its own."""
    found = simulate(scenario(script), scheduler_of(script), plain).containers
    rows = zip(found.end.tolist(), found.node.tolist(), found.job.tolist(), found.kind.tolist(), found.outcome.tolist())
    return sorted(list(one) for *one, outcome in rows if outcome == KILLED)


class Compared(NamedTuple):
    """identical: decisions that are the same before the first that is not. difference: that one in a sentence; "" when none differs."""

    identical: int
    difference: str


def compared(script: dict[str, Any], real: Decisions, plain: bool | None = None) -> Compared:
    """Gantry's decisions beside Hadoop's."""
    status, own = placements(script, plain)
    same = next((place for place, (a, b) in enumerate(zip(own, real.placements)) if a != b), min(len(own), len(real.placements)))
    if (status, own) == (real.status, real.placements):
        return Compared(same, "")
    theirs, ours = (one[same] if same < len(one) else "nothing more" for one in (real.placements, own))
    where = f"{real.id}: decision {same + 1} of {len(real.placements)}"
    return Compared(same, f"{where} is {theirs} in Hadoop and {ours} in Gantry (ms, node, job, kind); {real.status}, {status}")


def difference(script: dict[str, Any], real: Decisions, plain: bool | None = None) -> str:
    """The first decision that differs, in a sentence; "" when none does."""
    return compared(script, real, plain).difference


def reservations(script: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """[ms, node, job or -1]: each beat after which a node is reserved for another job than after the one before."""
    found: list[list[int]] = []
    last: dict[int, int] = {}
    beat, jobs_leave = beats.beat, beats.jobs_leave
    at: list[Any] = [0, None]  # the node, and the view of this run: one that needs more room for its containers begins anew

    def note(view: Any) -> None:
        if view is not at[1]:
            at[1] = view
            found.clear()
            last.clear()
        node, now = at[0], int(view.now[0])
        job = int(view.node_reserved[node]) // PER_JOB
        if last.get(node, -1) != job:
            last[node] = job
            found.append([now, node, job])

    def noted(view: Any, state: Any, node: int, *rest: Any) -> int:
        at[0] = node
        done = beat(view, state, node, *rest)
        if done == beats.PLACED and at[0] >= 0:
            note(view)
        return done

    def leave(view: Any, state: Any, *rest: Any) -> None:  # Hadoop's are noted before the job is removed
        note(view)
        jobs_leave(view, state, *rest)
        at[0] = -1

    with monkeypatch.context() as patched:
        patched.setattr(loop, "beat", noted)
        patched.setattr(beats, "jobs_leave", leave)
        simulate(scenario(script), scheduler_of(script), plain=True)
    return found
