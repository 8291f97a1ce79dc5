"""An exercise as data: text, scenario, what may be changed, task, hints and explanation; frozen, to and from
JSON.

The answer is not part of it: it is computed from the runs.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from engine.scenario.model import Scenario

VERSION = 1
DEADLOCK, LONGEST_WAIT = "deadlock", "longest_wait_s"  # of conditions, besides the keys of METRICS
MAX_TEXT, MAX_LINE, MAX_ENTRIES = 4_000, 300, 20  # letters of a paragraph text, of a line; entries of a list

Line = Annotated[str, Field(min_length=1, max_length=MAX_LINE)]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
Index = Annotated[int, Field(ge=0, lt=MAX_ENTRIES)]


class Part(BaseModel):
    """A frozen part of an exercise; unknown fields are faults."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


class Change(Part):
    """What may be changed; all else is locked. path: as `--set` takes it, or `schedulers[0]`.

    low, high, step: of a number; choices: schedulers, or the words of a field.
    """

    path: Line
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: list[Line] = Field(default=[], max_length=MAX_ENTRIES)


class Predict(Part):
    """Answered before the chart appears. ask: which job ends `first`, the `makespan`, which job is `next` at
    the decision that placed `container`, or `place`: node and request of that decision.

    scheduler: index; tolerance: share of the makespan.
    """

    kind: Literal["predict"]
    ask: Literal["first", "makespan", "next", "place"]
    scheduler: Index = 0
    container: Line | None = None
    tolerance: Annotated[float, Field(gt=0, le=1)] = 0.1


class Condition(Part):
    """A metric of the run of one scheduler, and its limits. metric: a key of METRICS, `deadlock` or
    `longest_wait_s`; at_most, at_least: in the metric's unit.
    """

    metric: Line
    at_most: float | None = None
    at_least: float | None = None
    scheduler: Index = 0


class Cost(Part):
    """What a change costs: `each` a unit that the number at `path` is above its value in the scenario."""

    path: Line
    each: Annotated[float, Field(ge=0)]


class Reach(Part):
    """Change what may be changed until all conditions hold; with `cost`: at the least cost."""

    kind: Literal["reach"]
    conditions: list[Condition] = Field(min_length=1, max_length=MAX_ENTRIES)
    cost: list[Cost] = Field(default=[], max_length=MAX_ENTRIES)


class Explain(Part):
    """Choose the span of a container's wait, and the rule that held it back then."""

    kind: Literal["explain"]
    container: Line
    which: Literal["longest", "first", "last"] = "longest"
    scheduler: Index = 0


class Compute(Part):
    """A number of the run, within a share `tolerance` of it. job: of a share; at_s: when;
    container, term: a term of the decision that placed the container, of the job's request of this kind.
    """

    kind: Literal["compute"]
    quantity: Literal["fair share", "dominant share", "term"]
    job: Line | None = None
    request: Literal["am", "map", "reduce"] = "map"
    at_s: Annotated[float, Field(ge=0)] | None = None
    container: Line | None = None
    term: Line | None = None
    scheduler: Index = 0
    tolerance: Annotated[float, Field(gt=0, le=1)] = 0.01


Task = Annotated[Predict | Reach | Explain | Compute, Field(discriminator="kind")]


class Exercise(Part):
    """What a student is given. text, explanation: paragraphs, an empty line between them; learn: what a
    student learns, in a sentence; hints: come one after another.
    """

    version: Literal[1]
    title: Line
    learn: Line
    text: Text
    scenario: dict[str, Any]
    schedulers: list[Line] = Field(min_length=1, max_length=MAX_ENTRIES)
    change: list[Change] = Field(default=[], max_length=MAX_ENTRIES)
    task: Task
    hints: list[Line] = Field(default=[], max_length=MAX_ENTRIES)
    explanation: Text

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
