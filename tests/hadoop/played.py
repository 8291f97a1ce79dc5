"""Gantry's decisions on a script, beside Hadoop's."""

from __future__ import annotations

from typing import Any

from engine.simulation.simulate import simulate
from tests.hadoop.referee import Decisions
from tests.hadoop.scripts import NAMES, scenario


def placements(script: dict[str, Any], plain: bool | None = None) -> tuple[str, list[list[int]]]:
    """How the run ends, and [ms, node, job, kind] in the order of decisions."""
    run = simulate(scenario(script), NAMES[script["scheduler"]], plain)
    found = run.containers
    return run.status, [list(one) for one in zip(found.start.tolist(), found.node.tolist(), found.job.tolist(), found.kind.tolist())]


def difference(script: dict[str, Any], real: Decisions, plain: bool | None = None) -> str:
    """The first decision that differs, in a sentence; "" when none does."""
    status, own = placements(script, plain)
    if (status, own) == (real.status, real.placements):
        return ""
    same = next((place for place, (a, b) in enumerate(zip(own, real.placements)) if a != b), min(len(own), len(real.placements)))
    theirs, ours = (one[same] if same < len(one) else "nothing more" for one in (real.placements, own))
    return f"{real.id}: decision {same + 1} of {len(real.placements)} is {theirs} in Hadoop and {ours} in Gantry (ms, node, job, kind); {real.status}, {status}"
