"""A task before its stage's containers were asked for: that comes after others, or is later demand
(STAGES-2, STAGES-6).
"""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.analysis.stage_times import stage_values
from engine.codes import NONE, TASK
from engine.explanation.container_names import ContainerName
from engine.messages import msg
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Job
from engine.simulation.run import Run
from engine.simulation.waiting.rule import WaitingRule, WaitSpan


def stage_spans(run: Run, name: ContainerName, asked: int) -> list[WaitSpan]:
    """From when its job's master asked for the first tasks until its own were asked for (asked, ms; NONE:
    never); none where that was at once.
    """
    requested = [
        since - stage_values(run, own.job, own.stage, _start_ms)
        for own, since in _tasks_of(run, name.job)
        if len(own.job)
    ]
    if not requested:
        return []
    begun = int(np.concatenate(requested).min())
    return [] if asked != NONE and begun >= asked else [WaitSpan(begun, asked, _rule(run, name, asked))]


def _tasks_of(run: Run, job: int):
    """Of its tasks that were placed, and of those that never were: which, and when they were asked for."""
    c, waiting = run.containers, run.waiting
    placed, never = (np.flatnonzero((of.job == job) & (of.kind == TASK)) for of in (c, waiting))
    yield type(c)(*(column[placed] for column in c)), c.requested[placed]
    yield type(waiting)(*(column[never] for column in waiting)), waiting.since[never]


def _start_ms(job: Job) -> list[int]:
    return [milliseconds(stage.start_s) for stage in job.stages]


def _rule(run: Run, name: ContainerName, asked: int) -> WaitingRule:
    job = run.scenario.jobs[run.workload.job_group[name.job]]
    stage, names = job.stages[name.stage - 1], job.stage_names
    if not stage.after:
        after = quantities.duration(1000 * stage.start_s)
        text = msg("explanation.stage_waits.asked_for_later", stage=names[name.stage - 1], after=after)
        return WaitingRule("stage-start", names[name.stage - 1], 1000 * stage.start_s, None, "ms", "", text)
    share = quantities.percent(stage.slow_start) if stage.slow_start < 1 else "all"
    text = msg(
        "explanation.stage_waits.comes_after",
        stage=names[name.stage - 1],
        sources=" and ".join(stage.after),
        share=share,
    )
    return WaitingRule("earlier-stages", ", ".join(stage.after), None, None, "", "", text)
