"""A reduce before its master asked for it: slow start, then the reduce-start rule (WAIT-2)."""

from __future__ import annotations

import math

import numpy as np

from engine import quantities
from engine.codes import FINISHED, MAP, NONE, REDUCE, request_of
from engine.explanation.container_names import ContainerName
from engine.explanation.observed_run import Observer
from engine.messages import msg
from engine.schedulers.policy import REDUCE_START_AT
from engine.schedulers.reduce_start.ramp_up import resource_limit
from engine.schedulers.scheduler import Scheduler
from engine.simulation.policy_binding import Answer
from engine.simulation.run import Run
from engine.simulation.waiting.rule import WaitingRule, WaitSpan, amount, with_range

RAMP_UP_LIMIT = "yarn.app.mapreduce.am.job.reduce.rampup.limit"


class ReduceStart(Observer):
    """From when its maps were asked for (begun, ms) until the reduce was (asked, NONE: never): until as many
    maps have finished as slow start says, then until the reduce-start rule let it.
    """

    def __init__(self, run: Run, scheduler: Scheduler, name: ContainerName, begun: int, asked: int) -> None:
        self.run, self.scheduler, self.job, self.task = run, scheduler, name.job, name.task
        self.begun, self.asked = begun, asked
        part, work, c = scheduler.reduce_start, run.workload, run.containers
        self.share = part.number("at", float(work.job_slowstart[self.job])) if self.has_slow_start else 0.0
        self.maps = int(work.job_maps[self.job])
        self.needed = math.ceil(self.share * self.maps - 1e-9)
        of_stage = (c.job == self.job) & (c.stage == name.stage) & (c.kind == MAP) & (c.outcome == FINISHED)
        ends = np.sort(c.end[of_stage])
        self.reached = begun
        if self.needed > 0:
            self.reached = int(ends[self.needed - 1]) if self.needed <= len(ends) else NONE
        self.begin()

    @property
    def has_slow_start(self) -> bool:
        return self.scheduler.reduce_start.policy.name in ("ramp-up", "slowstart")

    def begin(self) -> None:
        self.withheld: WaitingRule | None = None
        self.limits: list[float] = []  # what was left to reduces, of the resource that is told

    def see(self, answer: Answer) -> None:
        """What ramp-up had computed that it leaves to reduces, where that was not enough."""
        if (
            answer.place != REDUCE_START_AT
            or answer.first != self.job
            or self.scheduler.reduce_start.policy.name != "ramp-up"
            or self.reached == NONE
            or answer.view.now < self.reached
        ):
            return
        view = answer.view
        request = request_of(view, self.job, REDUCE)
        requested = int(view.request_waiting[request] + view.request_held[request])
        count = max(requested, self.task) + 1  # reduces are asked for in their order
        resources = zip(
            ("MB", "vcores"),
            (view.for_reduces[self.job], view.for_reduces_vcores[self.job]),
            resource_limit(view, self.job),
            (view.request_asked_memory[request], view.request_asked_vcores[request]),
            strict=True,
        )
        short = [
            (unit, float(limit), float(of), float(size) * count)
            for unit, limit, of, size in resources
            if limit < size * count
        ]
        if short and self.withheld is None:
            self.withheld = self._ramp_up(*short[0], float(view.completed[self.job]))
        if self.withheld is not None:
            self.limits += [limit for unit, limit, *_ in short if unit == self.withheld.unit]

    def _ramp_up(self, unit: str, limit: float, of: float, asked: float, completed: float) -> WaitingRule:
        name = self.run.workload.job_names[self.job]
        text = msg(
            "explanation.reduce_start_waits.ramp_up_leaves_reduces",
            job=name,
            limit=amount(limit, unit),
            of=amount(of, unit),
            share=quantities.percent(completed),
            asked=amount(asked, unit),
        )
        decides = completed >= self.scheduler.reduce_start.number("limit")  # else it is how far the maps are
        return WaitingRule("reduce-start", name, limit, asked, unit, RAMP_UP_LIMIT if decides else "", text)

    def spans(self) -> list[WaitSpan]:
        """Those before it was asked for, none where it was asked for at once."""
        if self.asked != NONE and self.begun >= self.asked:
            return []
        if not self.has_slow_start:
            return [WaitSpan(self.begun, self.asked, self._policy_rule())]
        if self.reached == NONE or (self.asked != NONE and self.reached >= self.asked):
            return [WaitSpan(self.begun, self.asked, self._slow_start())]
        spans = [
            WaitSpan(self.begun, self.reached, self._slow_start()),
            WaitSpan(self.reached, self.asked, with_range(self.withheld or self._policy_rule(), self.limits)),
        ]
        return [span for span in spans if span.start != span.end]

    def _policy_rule(self) -> WaitingRule:
        rule = self.scheduler.reduce_start
        return WaitingRule(
            "reduce-start",
            self.run.workload.job_names[self.job],
            None,
            None,
            "",
            RAMP_UP_LIMIT if rule.policy.name == "ramp-up" else str(rule),
            msg("explanation.reduce_start_waits.reduce_start_has_not_asked", rule=str(rule)),
        )

    def _slow_start(self) -> WaitingRule:
        return WaitingRule(
            "slow-start",
            self.run.workload.job_names[self.job],
            float(self.needed),
            0.0,
            "maps",
            "mapreduce.job.reduce.slowstart.completedmaps",
            msg(
                "explanation.reduce_start_waits.reduces_are_asked_for_once",
                needed=f"{self.needed:,}",
                maps=quantities.count(self.maps, "maps"),
                share=quantities.number(self.share),
            ),
        )
