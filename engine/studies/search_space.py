"""What a search may change: up to six numbers and choices of a scenario and its schedulers, each with the
values it may have.

Values are on a grid, so that a setting can be said in a sentence and is not tried twice. A parameter of a
scheduler has no effect while another one is chosen; settings that differ in such parameters alone are one.
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
from engine.experiments.overrides import CHOICE, EVERY, MAX_PATH_LENGTH, PARAMETER, apply_overrides, can_have
from engine.experiments.parameters import Tunable, tunables
from engine.experiments.ranges import Range, range_values, resolution
from engine.messages import msg
from engine.scenario.json_values import number
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler
from engine.studies.study import refusal_reason

MAX_DIMENSIONS = 6
MAX_DIMENSION_VALUES = 10_000  # values of a dimension
MIN_STEPS = 4  # minimum number of steps between given ends, unless the number is an integer
SCHEDULER = "scheduler"  # the dimension that chooses one
SEED = "seed"
FIELDS = ("path", "low", "high", "step", "choices")
NO_EFFECT = -1

Setting = tuple[int, ...]  # for each dimension the index of its value, or NO_EFFECT


@dataclass(frozen=True)
class Dimension:
    """A number by its path (engine.experiments.overrides) from low in steps to high, or its choices. What is
    None is taken from the number's own range.
    """

    path: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[float | str, ...] = ()

    @classmethod
    def of(cls, data: Any, path: str, faults: list[Fault]) -> Dimension | None:
        """From a file's JSON values, which may be anything; None where a fault is added."""
        if (
            not isinstance(data, dict)
            or not isinstance(data.get("path"), str)
            or not isinstance(data.get("choices", []), list)
        ):
            faults.append(
                Fault(
                    path,
                    msg("studies.search_space.must_have_path_such_as_jobs"),
                )
            )
            return None
        faults += [
            Fault(f"{path}.{key[:MAX_PATH_LENGTH]}", msg("studies.search_space.not_field_varied_parameter"))
            for key in data
            if key not in FIELDS and not key.startswith("x_")
        ]
        return cls(
            data["path"], data.get("low"), data.get("high"), data.get("step"), tuple(data.get("choices", ()))
        )

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads back."""
        if self.choices:
            return {"path": self.path, "choices": list(self.choices)}
        return {key: value for key in FIELDS[:-1] if (value := getattr(self, key)) is not None}

    @cached_property
    def values(self) -> tuple[float | str, ...]:
        """All it may have, where its ends are known."""
        if self.choices:
            return self.choices
        assert self.low is not None and self.high is not None and self.step is not None
        return tuple(range_values(Range(self.low, self.high, self.step), MAX_DIMENSION_VALUES))

    @property
    def is_ordered(self) -> bool:
        """Are its values numbers?"""
        return not any(isinstance(value, str) for value in self.values)


class SearchSpace:
    """The settings of a scenario (its JSON values, which are checked already) and its schedulers. Several
    schedulers are a dimension of their own, the first.

    dimensions: with their ends known; present: the value each has in the scenario, None where it has none or
    several, which `without` says. Raises ScenarioError with every fault at once.
    """

    def __init__(self, scenario: dict, schedulers: Sequence[Scheduler], vary: Sequence[Dimension]) -> None:
        self.scenario, self.schedulers = scenario, tuple(schedulers)
        by_path = _by_path(tunables(Scenario.of(scenario), schedulers))
        names = tuple(scheduler.name for scheduler in schedulers)
        scheduler_choice = [Dimension(SCHEDULER, choices=names)] if len(names) > 1 else []
        if not 1 <= len(scheduler_choice) + len(vary) <= MAX_DIMENSIONS:
            counted = msg("studies.search_space.including_choice_scheduler") if scheduler_choice else ""
            raise ScenarioError(
                [
                    Fault(
                        "vary",
                        msg(
                            "studies.search_space.must_be_to_parameters_not",
                            max_dimensions=MAX_DIMENSIONS,
                            counted=counted,
                            scheduler_choice=len(scheduler_choice) + len(vary),
                        ),
                    )
                ]
            )
        faults: list[Fault] = []
        checked = [
            self._checked_dimension(
                dimension, f"vary[{index}]", by_path, [other.path for other in vary[:index]], faults
            )
            for index, dimension in enumerate(vary)
        ]
        if faults:
            raise ScenarioError(faults)
        self.dimensions = (*scheduler_choice, *checked)
        # the dimensions with an effect under each scheduler; the choice of the scheduler is not among them
        places = range(len(self.schedulers))
        self._effective = [
            tuple(dimension for dimension in checked if self._has_effect(dimension.path, index))
            for index in places
        ]
        self.present = tuple(
            names[0]
            if dimension.path == SCHEDULER
            else by_path[dimension.path].value
            if dimension.path in by_path
            else None
            for dimension in self.dimensions
        )
        self.without = tuple(
            by_path[dimension.path].without
            if dimension.path in by_path
            else msg("studies.search_space.current_value")
            for dimension in self.dimensions
        )

    @cached_property
    def size(self) -> int:
        """How many settings there are."""
        return sum(
            prod(len(dimension.values) for dimension in self._effective[scheduler_index])
            for scheduler_index in range(len(self.schedulers))
        )

    def settings(self) -> Iterator[Setting]:
        """All of them, those of the first scheduler first."""
        for scheduler_index in range(len(self.schedulers)):
            effective = self._effective[scheduler_index]
            yield from itertools.product(
                *(
                    [scheduler_index]
                    if dimension.path == SCHEDULER
                    else range(len(dimension.values))
                    if dimension in effective
                    else [NO_EFFECT]
                    for dimension in self.dimensions
                )
            )

    def normalized(self, indices: Sequence[int]) -> Setting:
        """The setting of these indices, with NO_EFFECT for dimensions without effect."""
        effective = self._effective[self.scheduler_of(indices)]
        return tuple(
            index if dimension.path == SCHEDULER or dimension in effective else NO_EFFECT
            for dimension, index in zip(self.dimensions, indices)
        )

    def neighbours(self, setting: Setting) -> Iterator[Setting]:
        """The settings one change away: a step of a number, or any other choice."""
        for position, (dimension, index) in enumerate(zip(self.dimensions, setting)):
            if index == NO_EFFECT:
                continue
            last = len(dimension.values) - 1
            others = (
                [other_index for other_index in (index - 1, index + 1) if 0 <= other_index <= last]
                if dimension.is_ordered
                else [other_index for other_index in range(last + 1) if other_index != index]
            )
            for other_index in others:
                yield self.normalized(
                    [
                        other_index if other_position == position else max(own_index, 0)
                        for other_position, own_index in enumerate(setting)
                    ]
                )

    def scheduler_of(self, indices: Sequence[int]) -> int:
        """The place of a setting's scheduler."""
        return indices[0] if self.dimensions[0].path == SCHEDULER else 0

    def present_setting(self) -> Setting | None:
        """The setting that the scenario has; None where a value of it is not among those that are tried."""
        effective = [
            dimension.path == SCHEDULER or dimension in self._effective[0] for dimension in self.dimensions
        ]
        if not all(
            value in dimension.values
            for dimension, value, counts in zip(self.dimensions, self.present, effective)
            if counts
        ):
            return None
        return tuple(
            dimension.values.index(value) if counts else NO_EFFECT
            for dimension, value, counts in zip(self.dimensions, self.present, effective)
        )

    def values(self, setting: Setting) -> dict[str, float | str]:
        """By path, of what has an effect."""
        return {
            dimension.path: dimension.values[index]
            for dimension, index in zip(self.dimensions, setting)
            if index != NO_EFFECT
        }

    def at(self, setting: Setting) -> tuple[dict, Scheduler]:
        """The scenario's JSON values and the scheduler; ScenarioError or SchedulerError where they make no
        sense.
        """
        changes = [(path, value) for path, value in self.values(setting).items() if path != SCHEDULER]
        plain, schedulers = apply_overrides(self.scenario, self.schedulers, changes)
        return plain, schedulers[self.scheduler_of(setting)]

    def _has_effect(self, path: str, scheduler_index: int) -> bool:
        parameter = PARAMETER.fullmatch(path)
        if not parameter:
            return True
        target, policy, key = parameter.groups()
        return target in (EVERY, str(scheduler_index)) and can_have(
            self.schedulers[scheduler_index], policy, key
        )

    def _checked_dimension(
        self,
        dimension: Dimension,
        path: str,
        by_path: dict[str, Tunable],
        earlier_paths: list[str],
        faults: list[Fault],
    ) -> Dimension:
        """With its ends, where nothing is wrong with it."""
        if dimension.path in earlier_paths:
            faults.append(Fault(f"{path}.path", msg("shared.varies_already")))
            return dimension
        if dimension.path in (SCHEDULER, SEED):
            reason = (
                msg("studies.search_space.several_schedulers_varied_automatically")
                if dimension.path == SCHEDULER
                else msg("studies.search_space.seed_is_not_a_setting")
            )
            faults.append(Fault(f"{path}.path", reason))
            return dimension
        filled = _with_defaults(dimension, by_path.get(dimension.path))
        fault = _dimension_fault(filled, by_path)
        if not fault and (
            refused := refusal_reason(self.scenario, self.schedulers, filled.path, filled.values)
        ):
            fault = "path", refused
        if fault:
            faults.append(Fault(f"{path}.{fault[0]}", fault[1]))
        return filled


def _by_path(offered: Sequence[Tunable]) -> dict[str, Tunable]:
    """Also by the path of every scheduler where one alone has a parameter."""
    by_path = {tunable.path: tunable for tunable in offered}
    for tunable in offered:
        if PARAMETER.fullmatch(tunable.path):
            by_path.setdefault(f"schedulers[{EVERY}].{tunable.path.split('].', 1)[1]}", tunable)
    return by_path


def _with_defaults(dimension: Dimension, tunable: Tunable | None) -> Dimension:
    """What is not given, from the number's own range; choices as they are where there are any."""
    if dimension.choices or tunable is None:
        return dimension
    if tunable.choices and dimension.low is dimension.high is dimension.step is None:
        return replace(dimension, choices=tunable.choices)
    suggested_range = tunable.range
    low, high = (
        (suggested_range.first if dimension.low is None else dimension.low),
        (suggested_range.last if dimension.high is None else dimension.high),
    )
    step = dimension.step
    if step is None and number(low) is not None and number(high) is not None:
        step = suggested_range.step
        while not tunable.whole and step * MIN_STEPS > high - low > 0:
            step = resolution(step, False)
        step = max(min(step, high - low), 1) if tunable.whole else step
    return replace(dimension, low=low, high=high, step=step)


def _dimension_fault(dimension: Dimension, by_path: dict[str, Tunable]) -> tuple[str, str] | None:
    """(field, what is wrong) of a dimension."""
    tunable = by_path.get(dimension.path)
    if dimension.choices:
        return _choices_fault(dimension.choices, tunable)
    ends = dimension.low, dimension.high, dimension.step
    if tunable is None and None in ends:
        close = difflib.get_close_matches(dimension.path[:MAX_PATH_LENGTH], by_path, 1, 0.6)
        hint = msg("shared.did_you_mean", close=close[0]) if close else ""
        return (
            "path",
            msg(
                "studies.search_space.has_no_default_range_give_low",
                path=dimension.path[:MAX_PATH_LENGTH],
                hint=hint,
            ),
        )
    if tunable and tunable.choices:
        return "choices", msg("studies.search_space.must_be", choices=", ".join(tunable.choices))
    return _low_high_step_fault(dimension, tunable)


def _choices_fault(choices: Sequence[Any], tunable: Tunable | None) -> tuple[str, str] | None:
    if not 2 <= len(choices) <= MAX_DIMENSION_VALUES or len(set(map(repr, choices))) < len(choices):
        return "choices", msg("studies.search_space.must_be_two_or_more_differ")
    texts = [value for value in choices if isinstance(value, str)]
    numbers = [value for value in choices if number(value) is not None]
    if (
        len(texts) + len(numbers) < len(choices)
        or len(numbers) not in (0, len(choices))
        or not all(CHOICE.fullmatch(text) for text in texts)
    ):
        return "choices", msg("studies.search_space.must_be_numbers_or_choices_parameter")
    if tunable and tunable.choices and not set(choices) <= set(tunable.choices):
        return "choices", msg("studies.search_space.must_be", choices=", ".join(tunable.choices))
    return _range_fault(numbers, "choices", tunable)


def _low_high_step_fault(dimension: Dimension, tunable: Tunable | None) -> tuple[str, str] | None:
    low, high, step = (number(end) for end in (dimension.low, dimension.high, dimension.step))
    if low is None or high is None or step is None:
        return "low", msg("studies.search_space.low_high_and_step_must_be")
    if not low < high:
        return "low", msg("studies.search_space.must_be_below_high_not_below", low=low, high=high)
    if not 0 < step <= high - low:
        return "step", msg("studies.search_space.must_be_above_and_at_most", high=high - low)
    if (high - low) / step >= MAX_DIMENSION_VALUES:
        return "step", msg(
            "studies.search_space.makes_more_than_values_wider_one", max_dimension_values=MAX_DIMENSION_VALUES
        )
    return _range_fault([low, high, low + step], "low", tunable)


def _range_fault(numbers: Sequence[float], field: str, tunable: Tunable | None) -> tuple[str, str] | None:
    if tunable and not all(tunable.low <= value <= tunable.high for value in numbers):
        ends = (
            msg("studies.search_space.at_least", low=tunable.low)
            if tunable.high == float("inf")
            else msg("studies.search_space.from_to", low=tunable.low, high=tunable.high)
        )
        return field, msg("studies.search_space.must_be_2", title=tunable.title, ends=ends)
    if tunable and tunable.whole and not all(float(value).is_integer() for value in numbers):
        return field, msg("studies.search_space.must_be_whole_numbers_and_in", title=tunable.title)
    return None
