"""What befalls the oracle's attempts: draws by attempt and purpose, and how much longer an attempt
computes.
"""

from __future__ import annotations

import math
from typing import Any

from engine.scenario.model import Scenario
from tests.oracle.workload import (
    MAP,
    REDUCE,
    WORD,
    added,
    draw_ms,
    job_key,
    number_of,
    splitmix64,
    uniform_number,
)

STARTUP, LAUNCH, STRAGGLES, TAIL, FAILS, FAILS_AT, PARTITION, BLOCK, IDLE = range(9)
CODES = {"am": 0, "reduce": 1, "map": 2, "executor": 3}


def draw(scenario: Scenario, attempt: Any, purpose: int) -> float:
    """The number in (0, 1) of an attempt (a Running) for a purpose; a master is of no iteration."""
    return draw_number(
        scenario,
        attempt.job,
        attempt.attempt,
        purpose,
        0 if attempt.kind == "am" else attempt.stage,
        attempt.kind,
        attempt.index,
    )


def draw_number(
    scenario: Scenario, job: Any, attempt: int, purpose: int, stage: int, kind: str, index: int
) -> float:
    key = splitmix64(job_key(scenario.seed, job.key_name, job.copy), (2**63 + attempt * 256 + purpose) % WORD)
    return number_of(key, stage, CODES.get(kind, CODES["map"]), index)  # of a stage as of a map


def sample_ms(scenario: Scenario, attempt: Any, purpose: int, value: Any) -> int:
    return math.floor(max(0.0, min(draw_ms(value, 0, draw(scenario, attempt, purpose)), 1e15)) + 0.5)


def duration_ms(scenario: Scenario, attempt: Any, speed: float) -> int:
    """What it computes, at least 1 ms: its work, or the part of it after which it fails."""
    exact = work_ms(scenario, attempt, speed)
    if fails(scenario, attempt):
        some = scenario.cluster.failures
        exact *= draw(scenario, attempt, FAILS_AT) if some.at is None else some.at
    return max(1, math.floor(exact + 0.5))


def fails(scenario: Scenario, attempt: Any) -> bool:
    some = scenario.cluster.failures
    return some is not None and attempt.kind != "am" and draw(scenario, attempt, FAILS) < some.probability


def work_ms(scenario: Scenario, attempt: Any, speed: float) -> float:
    """draw / speed (DRAW-2), what it would compute if it did not fail."""
    job = attempt.job
    part, code = (job.group.maps, MAP) if attempt.kind == "map" else (job.group.reduces, REDUCE)
    if attempt.kind in job.stage_kinds:
        part, code = job.group.stages[attempt.stage - 1], MAP
    u = uniform_number(scenario.seed, job.key_name, job.copy, attempt.stage, code, attempt.index)
    return draw_ms(part.duration_s, attempt.index, u) * slowdown(scenario, attempt) / speed


def slowdown(scenario: Scenario, attempt: Any) -> float:
    """How many times as long as its draw an attempt computes."""
    return straggler_factor(scenario, attempt) * (
        output_share(scenario, attempt) if attempt.kind == "reduce" else locality_factor(scenario, attempt)
    )


def output_share(scenario: Scenario, reduce: Any) -> float:
    """How much of the maps' output it has beside an even part."""
    job, given = reduce.job, reduce.job.group.partitions
    if not given:
        return 1.0
    weights = given.sizes
    if not weights:
        key = splitmix64(job_key(scenario.seed, job.key_name, job.copy), (2**63 + PARTITION) % WORD)
        by_draw = sorted(range(job.reduces), key=lambda index: number_of(key, 0, CODES["reduce"], index))
        weights = [1.0 / float(1 + by_draw.index(index)) ** given.zipf for index in range(job.reduces)]
        total = added(sorted(weights, reverse=True))
    else:
        total = added(weights)
    return weights[reduce.index] * job.reduces / total


def straggler_factor(scenario: Scenario, attempt: Any) -> float:
    some = scenario.cluster.stragglers
    if not some or draw(scenario, attempt, STRAGGLES) >= some.share:
        return 1.0
    return some.factor * (draw(scenario, attempt, TAIL) ** (-1.0 / some.tail) if some.tail else 1.0)


def locality_factor(scenario: Scenario, attempt: Any) -> float:
    """As long as on the block's node, the node's rack or elsewhere."""
    some = scenario.cluster.locality
    return (
        (1.0, some.rack_factor, some.off_rack_factor)[attempt.job.distance(attempt.index, attempt.node)]
        if some
        else 1.0
    )
