"""What a search may change: up to six numbers and choices of a scenario and its schedulers, each with the values it may have.

Values are on a grid, so that a setting can be said in a sentence and is not tried twice. A parameter of a scheduler has no effect while another one is
chosen; settings that differ in such parameters alone are one.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

from engine.errors import Fault, ScenarioError
from engine.experiments.overrides import CHOICE, EVERY, MOST_PATH, PARAMETER, overridden, with_rule
from engine.experiments.parameters import Tunable, tunables
from engine.experiments.ranges import Range, range_values, resolution
from engine.scenario.model import Scenario
from engine.scenario.plain_values import number
from engine.schedulers.names import parse
from engine.studies.study import why_refused

MOST_DIMENSIONS = 6
MOST_PLACES = 10_000  # values of a dimension
FEW_STEPS = 4  # a range between ends of one's own has so many at least, unless it counts
SCHEDULER = "scheduler"  # the dimension that chooses one
SEED = "seed"
FIELDS = ("path", "low", "high", "step", "choices")
NO_EFFECT = -1

Setting = tuple[int, ...]  # of each dimension the place of its value, or NO_EFFECT


@dataclass(frozen=True)
class Dimension:
    """A number by its path (engine.experiments.overrides) from low in steps to high, or its choices. What is None is taken from the number's own range."""

    path: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[float | str, ...] = ()

    @classmethod
    def of(cls, data: Any, path: str, faults: list[Fault]) -> Dimension | None:
        """From a file's JSON values, which may be anything; None where a fault is added."""
        if not isinstance(data, dict) or not isinstance(data.get("path"), str) or not isinstance(data.get("choices", []), list):
            faults.append(Fault(path, "must have a path, such as jobs[*].slowstart, and may have low, high and step, or choices"))
            return None
        faults += [Fault(f"{path}.{key[:MOST_PATH]}", "is no field of what varies") for key in data if key not in FIELDS and not key.startswith("x_")]
        return cls(data["path"], data.get("low"), data.get("high"), data.get("step"), tuple(data.get("choices", ())))

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads back."""
        if self.choices:
            return {"path": self.path, "choices": list(self.choices)}
        return {key: value for key in FIELDS[:-1] if (value := getattr(self, key)) is not None}

    @cached_property
    def values(self) -> tuple[float | str, ...]:
        """All it may have, where its ends are known."""
        return self.choices or tuple(range_values(Range(self.low, self.high, self.step), MOST_PLACES))

    @property
    def is_ordered(self) -> bool:
        """Are its values numbers?"""
        return not any(isinstance(value, str) for value in self.values)


class SearchSpace:
    """The settings of a scenario (its JSON values, which are checked already) and its schedulers. Several schedulers are a dimension of their own, the first.

    dimensions: with their ends known; present: the value each has in the scenario, None where it has none or several, which `without` says.
    Raises ScenarioError with every fault at once.
    """

    def __init__(self, scenario: dict, schedulers: Sequence[str], vary: Sequence[Dimension]) -> None:
        self.scenario, self.schedulers = scenario, tuple(schedulers)
        of = _by_path(tunables(Scenario.of(scenario), schedulers))
        choice = [Dimension(SCHEDULER, choices=self.schedulers)] if len(self.schedulers) > 1 else []
        if not 1 <= len(choice) + len(vary) <= MOST_DIMENSIONS:
            counted = ", the choice of the scheduler among them" if choice else ""
            raise ScenarioError([Fault("vary", f"must be 1 to {MOST_DIMENSIONS} parameters{counted}, not {len(choice) + len(vary)}")])
        faults: list[Fault] = []
        known = [self._known(one, f"vary[{place}]", of, [other.path for other in vary[:place]], faults) for place, one in enumerate(vary)]
        if faults:
            raise ScenarioError(faults)
        self.dimensions = (*choice, *known)
        places = range(len(self.schedulers))  # of each what does something under it; the choice of a scheduler is none of them
        self._effective = [tuple(one for one in known if self._counts(one.path, place)) for place in places]
        self.present = tuple(self.schedulers[0] if one.path == SCHEDULER else of[one.path].value if one.path in of else None for one in self.dimensions)
        self.without = tuple(of[one.path].without if one.path in of else "what it is" for one in self.dimensions)

    @cached_property
    def size(self) -> int:
        """How many settings there are."""
        return sum(prod(len(one.values) for one in self._effective[place]) for place in range(len(self.schedulers)))

    def settings(self) -> Iterator[Setting]:
        """All of them, those of the first scheduler first."""
        for place in range(len(self.schedulers)):
            effective = self._effective[place]
            yield from itertools.product(
                *([place] if one.path == SCHEDULER else range(len(one.values)) if one in effective else [NO_EFFECT] for one in self.dimensions)
            )

    def settled(self, places: Sequence[int]) -> Setting:
        """The setting that places of all dimensions make."""
        effective = self._effective[self.scheduler_of(places)]
        return tuple(place if one.path == SCHEDULER or one in effective else NO_EFFECT for one, place in zip(self.dimensions, places))

    def beside(self, setting: Setting) -> Iterator[Setting]:
        """Those that one change away: a step of a number, any other choice."""
        for own, (one, place) in enumerate(zip(self.dimensions, setting)):
            if place == NO_EFFECT:
                continue
            last = len(one.values) - 1
            others = [at for at in (place - 1, place + 1) if 0 <= at <= last] if one.is_ordered else [at for at in range(last + 1) if at != place]
            for at in others:
                yield self.settled([at if other == own else max(mine, 0) for other, mine in enumerate(setting)])

    def scheduler_of(self, places: Sequence[int]) -> int:
        """The place of a setting's scheduler."""
        return places[0] if self.dimensions[0].path == SCHEDULER else 0

    def of_present(self) -> Setting | None:
        """The setting that the scenario has; None where a value of it is not among those that are tried."""
        effective = [one.path == SCHEDULER or one in self._effective[0] for one in self.dimensions]
        if not all(value in one.values for one, value, counts in zip(self.dimensions, self.present, effective) if counts):
            return None
        return tuple(one.values.index(value) if counts else NO_EFFECT for one, value, counts in zip(self.dimensions, self.present, effective))

    def values(self, setting: Setting) -> dict[str, float | str]:
        """By path, of what has an effect."""
        return {one.path: one.values[place] for one, place in zip(self.dimensions, setting) if place != NO_EFFECT}

    def at(self, setting: Setting) -> tuple[dict, str]:
        """The scenario's JSON values and the scheduler; ScenarioError or SchedulerError where they make no sense."""
        changes = [(path, value) for path, value in self.values(setting).items() if path != SCHEDULER]
        plain, names = overridden(self.scenario, self.schedulers, changes)
        return plain, names[self.scheduler_of(setting)]

    def _counts(self, path: str, place: int) -> bool:
        parameter = PARAMETER.fullmatch(path)
        if not parameter:
            return True
        at, policy, key = parameter.groups()
        return at in (EVERY, str(place)) and any(part.policy.name == policy and key in part.given for part in with_rule(parse(self.schedulers[place]), policy))

    def _known(self, one: Dimension, at: str, of: dict[str, Tunable], before: list[str], faults: list[Fault]) -> Dimension:
        """With its ends, where nothing is wrong with it."""
        if one.path in before:
            faults.append(Fault(f"{at}.path", "varies already"))
            return one
        if one.path in (SCHEDULER, SEED):
            said = "several schedulers are a choice by themselves" if one.path == SCHEDULER else "is luck, no setting; seeds says over how many one is judged"
            faults.append(Fault(f"{at}.path", said))
            return one
        found = _filled(one, of.get(one.path))
        wrong = _wrong(found, of)
        if not wrong and (refused := why_refused(self.scenario, self.schedulers, found.path, found.values)):
            wrong = "path", refused
        if wrong:
            faults.append(Fault(f"{at}.{wrong[0]}", wrong[1]))
        return found


def _by_path(offered: Sequence[Tunable]) -> dict[str, Tunable]:
    """Also by the path of every scheduler where one alone has a parameter."""
    of = {tunable.path: tunable for tunable in offered}
    for tunable in offered:
        if PARAMETER.fullmatch(tunable.path):
            of.setdefault(f"schedulers[{EVERY}].{tunable.path.split('].', 1)[1]}", tunable)
    return of


def _filled(one: Dimension, tunable: Tunable | None) -> Dimension:
    """What is not given, from the number's own range; choices as they are where there are any."""
    if one.choices or tunable is None:
        return one
    if tunable.choices and one.low is one.high is one.step is None:
        return replace(one, choices=tunable.choices)
    own = tunable.range
    low, high = (own.first if one.low is None else one.low), (own.last if one.high is None else one.high)
    step = one.step
    if step is None and number(low) is not None and number(high) is not None:
        step = own.step
        while not tunable.whole and step * FEW_STEPS > high - low > 0:
            step = resolution(step, False)
        step = max(min(step, high - low), 1) if tunable.whole else step
    return replace(one, low=low, high=high, step=step)


def _wrong(one: Dimension, of: dict[str, Tunable]) -> tuple[str, str] | None:
    """(field, what is wrong) of a dimension."""
    tunable = of.get(one.path)
    if one.choices:
        if len(one.choices) < 2 or len(one.choices) > MOST_PLACES or len(set(map(repr, one.choices))) < len(one.choices):
            return "choices", "must be two or more that differ from each other"
        numbers = [number(value) for value in one.choices if not isinstance(value, str)]
        if None in numbers or len(numbers) not in (0, len(one.choices)) or not all(CHOICE.fullmatch(value) for value in one.choices if isinstance(value, str)):
            return "choices", "must be numbers, or choices of a parameter"
        if tunable and tunable.choices and not set(one.choices) <= set(tunable.choices):
            return "choices", f"must be of {', '.join(tunable.choices)}"
        return _illegal(numbers, "choices", tunable)
    ends = one.low, one.high, one.step
    if tunable is None and None in ends:
        close = difflib.get_close_matches(one.path[:MOST_PATH], of, 1, 0.6)
        hint = f"; did you mean {close[0]}?" if close else ""
        return "path", f"{one.path[:MOST_PATH]} is no number with a range of its own: low, high and step must be given{hint}"
    if tunable and tunable.choices:
        return "choices", f"must be of {', '.join(tunable.choices)}"
    if any(number(end) is None for end in ends):
        return "low", "low, high and step must be numbers"
    if not one.low < one.high:
        return "low", f"must be below high: {one.low:.12g} is not below {one.high:.12g}"
    if not 0 < one.step <= one.high - one.low:
        return "step", f"must be above 0 and at most {one.high - one.low:.12g}, from low to high"
    if (one.high - one.low) / one.step >= MOST_PLACES:
        return "step", f"makes more than {MOST_PLACES:,} values: a wider one is needed"
    return _illegal([one.low, one.high, one.low + one.step], "low", tunable)


def _illegal(numbers: Sequence[float], field: str, tunable: Tunable | None) -> tuple[str, str] | None:
    if tunable and not all(tunable.low <= value <= tunable.high for value in numbers):
        ends = f"at least {tunable.low:.12g}" if tunable.high == float("inf") else f"from {tunable.low:.12g} to {tunable.high:.12g}"
        return field, f"{tunable.title} must be {ends}"
    if tunable and tunable.whole and not all(float(value).is_integer() for value in numbers):
        return field, f"{tunable.title} must be whole numbers, and in whole steps"
    return None
