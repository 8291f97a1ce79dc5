"""An exercise as data: text, scenario, what may be changed, task, hints and explanation; frozen, to and from
JSON.

The answer is not part of it: it is computed from the runs. What a field may hold besides its type, reader.py
checks.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from engine.messages import msg
from engine.scenario.field_descriptions import described
from engine.scenario.model import Scenario

VERSION = 1
DEADLOCK, LONGEST_WAIT = "deadlock", "longest_wait_s"  # of conditions, besides the keys of METRICS
MAX_TEXT, MAX_LINE, MAX_ENTRIES = 4_000, 300, 20  # letters of a paragraph text, of a line; entries of a list

Line = Annotated[str, Field(min_length=1, max_length=MAX_LINE)]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
Index = Annotated[int, Field(ge=0, lt=MAX_ENTRIES)]
Limit = Annotated[float, Field(ge=0, le=1e9)]
Tolerance = Annotated[float, Field(gt=0, le=1)]
Lines = Annotated[list[Line], Field(max_length=MAX_ENTRIES)]


class Part(BaseModel):
    """A frozen part of an exercise; unknown fields are faults."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


class Change(Part):
    """What may be changed; all else is locked."""

    path: Line = described(msg("exercises.model.path"))
    low: float | None = described(msg("exercises.model.low"), "", None)
    high: float | None = described(msg("exercises.model.high"), "", None)
    step: float | None = described(msg("exercises.model.step"), "", None)
    choices: Lines = described(msg("exercises.model.choices"), "", [])


class Predict(Part):
    """Answered before the chart appears, then compared with it."""

    kind: Literal["predict"]
    ask: Literal["first", "makespan", "next", "place"] = described(msg("exercises.model.ask"))
    scheduler: Index = described(msg("exercises.model.scheduler"), "", 0)
    container: Line | None = described(msg("exercises.model.decision"), "", None)
    tolerance: Tolerance = described(msg("exercises.model.makespan_tolerance"), "", 0.1)


class Condition(Part):
    """A metric of the run of one scheduler, and its limits."""

    metric: Line = described(msg("exercises.model.metric"))
    at_most: Limit | None = described(msg("exercises.model.at_most"), "", None)
    at_least: Limit | None = described(msg("exercises.model.at_least"), "", None)
    scheduler: Index = described(msg("exercises.model.scheduler"), "", 0)


class Cost(Part):
    """What a change costs."""

    path: Line = described(msg("exercises.model.cost_path"))
    each: Annotated[float, Field(ge=0, le=1e9)] = described(msg("exercises.model.each"))


class Reach(Part):
    """Change what may be changed until all conditions hold, at the least cost where there is one."""

    kind: Literal["reach"]
    conditions: Annotated[list[Condition], Field(min_length=1, max_length=MAX_ENTRIES)] = described(
        msg("exercises.model.conditions")
    )
    cost: Annotated[list[Cost], Field(max_length=MAX_ENTRIES)] = described(
        msg("exercises.model.cost"), "", []
    )


class Explain(Part):
    """Choose the span of a container's wait, and the rule that held it back then."""

    kind: Literal["explain"]
    container: Line = described(msg("exercises.model.waited"))
    which: Literal["longest", "first", "last"] = described(msg("exercises.model.which"), "", "longest")
    scheduler: Index = described(msg("exercises.model.scheduler"), "", 0)


class Compute(Part):
    """A number of the run, worked out by hand."""

    kind: Literal["compute"]
    quantity: Literal["fair share", "dominant share", "term"] = described(msg("exercises.model.quantity"))
    job: Line | None = described(msg("exercises.model.job"), "", None)
    request: Literal["am", "map", "reduce", "executor"] = described(msg("exercises.model.request"), "", "map")
    at_s: Annotated[float, Field(ge=0, le=1e8)] | None = described(msg("exercises.model.at_s"), "s", None)
    container: Line | None = described(msg("exercises.model.decision"), "", None)
    term: Line | None = described(msg("exercises.model.term"), "", None)
    scheduler: Index = described(msg("exercises.model.scheduler"), "", 0)
    tolerance: Tolerance = described(msg("exercises.model.number_tolerance"), "", 0.01)


Task = Annotated[Predict | Reach | Explain | Compute, Field(discriminator="kind")]


class Exercise(Part):
    """What a student is given."""

    version: Literal[1]
    title: Line = described(msg("exercises.model.title"))
    learn: Line = described(msg("exercises.model.learn"))
    text: Text = described(msg("exercises.model.text"))
    scenario: dict[str, Any] = described(msg("exercises.model.scenario"))
    schedulers: Annotated[list[Line], Field(min_length=1, max_length=MAX_ENTRIES)] = described(
        msg("exercises.model.schedulers")
    )
    change: Annotated[list[Change], Field(max_length=MAX_ENTRIES)] = described(
        msg("exercises.model.change"), "", []
    )
    task: Task = described(msg("exercises.model.task"))
    hints: Lines = described(msg("exercises.model.hints"), "", [])
    explanation: Text = described(msg("exercises.model.explanation"))

    @cached_property
    def checked_scenario(self) -> Scenario:
        """The scenario; ScenarioError with all its faults."""
        return Scenario.of(self.scenario)

    def json(self) -> str:  # type: ignore[override]  # as of a scenario
        """As the file has it; what has its default is left out."""
        return json.dumps(self.model_dump(exclude_defaults=True), indent=2, ensure_ascii=False) + "\n"

    def __hash__(self) -> int:
        return hash(self._text)

    @cached_property
    def _text(self) -> str:
        return self.json()
