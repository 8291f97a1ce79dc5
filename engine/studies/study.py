"""A study as data: a scenario, what varies in it, schedulers, seeds and metrics; it checks itself, and is a
JSON file.

Its runs are numbered: points are the combinations of the values, of which those of the last parameter change
first; a *unit* is one seed at one point, under every scheduler.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import nan, prod
from typing import Any

from engine.errors import Fault, GantryError, ScenarioError
from engine.experiments.overrides import CHOICE, apply_overrides, scheduler_of_path, with_overrides
from engine.experiments.ranges import Range, range_values
from engine.messages import msg
from engine.scenario.json_values import number
from engine.scenario.model import Scenario
from engine.scenario.scenario_limits import MAX_NAME_LENGTH
from engine.scenario.validation import container_count
from engine.schedulers.scheduler import Scheduler, parse
from engine.studies.jitter import MAX_JITTER, depends_on_seed, has_lists, jittered
from engine.studies.measures import APPLICATION_MEASURES, COMPARED, STUDY_MEASURES

VERSION = 1
MAX_VARIED = 2  # parameters; a search can vary more
MAX_VALUES = 10_000  # of a parameter, and of points in all
MAX_SEEDS = 10_000
MAX_SCHEDULERS = 20
MAX_RUNS = 10_000_000
LAST_SEED = 2**63 - 1
OF_ONE_JOB = re.compile(r"jobs\[(\d{1,7})\]\..+")  # the path of a number of one job
FIELDS = ("version", "name", "scenario", "schedulers", "vary", "seeds", "first_seed", "metrics", "jitter")


@dataclass(frozen=True)
class Vary:
    """A number of the scenario or of a scheduler, by its path (engine.experiments.overrides), and the values
    it takes, in their order.
    """

    path: str
    values: tuple[float | str, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {"path": self.path, "values": list(self.values)}


@dataclass(frozen=True)
class Study:
    """scenario: its JSON values; seeds: how many, from first_seed on, the scenario's own where that is None;
    metrics: keys of STUDY_MEASURES;
    jitter: coefficient of variation that durations are given which have none. Raises ScenarioError with every
    fault at once."""

    scenario: dict[str, Any]
    schedulers: tuple[str, ...] = ("fair",)
    vary: tuple[Vary, ...] = ()
    seeds: int = 1
    first_seed: int | None = None
    metrics: tuple[str, ...] = COMPARED
    jitter: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        faults = list(self._faults())
        if faults:
            raise ScenarioError(faults)

    @classmethod
    def of(cls, data: Any) -> Study:
        """From a file's JSON values, which may be anything; an unknown field is a fault, one named x_… is
        passed over.
        """
        if not isinstance(data, dict):
            raise ScenarioError([Fault("", msg("studies.study.study_json_object"))])
        faults = [_unknown(key) for key in data if key not in FIELDS and not key.startswith("x_")]
        if data.get("version") != VERSION:
            faults.append(Fault("version", msg("shared.must_be", version=VERSION)))
        fields = {"scenario": data.get("scenario"), "name": data.get("name", "")}
        fields["schedulers"] = (
            tuple(data["schedulers"])
            if isinstance(data.get("schedulers"), list)
            else data.get("schedulers", ("fair",))
        )
        fields["metrics"] = (
            tuple(data["metrics"]) if isinstance(data.get("metrics"), list) else data.get("metrics", COMPARED)
        )
        fields |= {key: data[key] for key in ("seeds", "first_seed", "jitter") if key in data}
        varied = data.get("vary", [])
        if isinstance(varied, list):
            read = [_vary(entry, f"vary[{index}]", faults) for index, entry in enumerate(varied)]
            fields["vary"] = tuple(entry for entry in read if entry)
        else:
            faults.append(Fault("vary", msg("studies.study.must_be_list_paths_with_their")))
        try:
            study = cls(**fields)
        except ScenarioError as error:
            raise ScenarioError([*faults, *error.faults]) from None
        if faults:
            raise ScenarioError(faults)
        return study

    @classmethod
    def read(cls, text: str | bytes) -> Study:
        """From a file's text."""
        try:
            return cls.of(json.loads(text, parse_constant=float))
        except (ValueError, RecursionError):
            raise ScenarioError([Fault("", msg("studies.study.not_valid_json_study_json_object"))]) from None

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads back."""
        values = {
            "version": VERSION,
            "name": self.name,
            "scenario": self.scenario,
            "schedulers": list(self.schedulers),
        }
        values |= {
            "vary": [parameter.plain() for parameter in self.vary],
            "seeds": self.seeds,
            "first_seed": self.seed(0),
            "metrics": list(self.metrics),
        }
        return values | {"jitter": self.jitter}

    def json(self) -> str:
        """As a file for people."""
        return json.dumps(self.plain(), indent=1, ensure_ascii=False) + "\n"

    @cached_property
    def digest(self) -> str:
        """sha256 of all that decides its numbers: the name is left out, of the scenario its canonical form
        counts.
        """
        content = self.plain() | {"name": "", "scenario": Scenario.of(self.scenario).digest}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @cached_property
    def parsed(self) -> tuple[Scheduler, ...]:
        """The schedulers; `schedulers` has their texts, as its file does."""
        return tuple(map(parse, self.schedulers))

    @property
    def application(self) -> int | None:
        """The job in the scenario's file of which a number varies; None of none, and of several."""
        found = {int(match[1]) for one in self.vary if (match := OF_ONE_JOB.fullmatch(str(one.path)))}
        return found.pop() if len(found) == 1 else None

    def seed(self, number: int) -> int:
        """The seed of this number, from 0."""
        return (self.scenario.get("seed", 0) if self.first_seed is None else self.first_seed) + number

    @cached_property
    def points(self) -> list[tuple[float | str, ...]]:
        """The values of each point, a value a parameter; one point without any where nothing varies."""
        return list(product(*(parameter.values for parameter in self.vary)))

    @property
    def units(self) -> int:
        """How many units there are: unit u is seed u % seeds at point u // seeds."""
        return len(self.points) * self.seeds

    def source(self, point: int, scheduler_index: int) -> int:
        """The point whose runs a scheduler's are at this parameter: a parameter of another scheduler does not
        move it, and it is run once.
        """
        source_point = 0
        for parameter, value_index in zip(self.vary, self._places(point)):
            source_point = source_point * len(parameter.values) + (
                value_index if scheduler_of_path(parameter.path) in (None, scheduler_index) else 0
            )
        return source_point

    @cached_property
    def runs(self) -> int:
        """How many simulations it takes."""
        columns = (
            prod(
                len(parameter.values)
                for parameter in self.vary
                if scheduler_of_path(parameter.path) in (None, scheduler_index)
            )
            for scheduler_index in range(len(self.schedulers))
        )
        return self.seeds * sum(columns)

    @cached_property
    def is_random(self) -> bool:
        """Does anything depend on the seed? Otherwise more than one says nothing more."""
        return (
            depends_on_seed(self.scenario)
            or self.jitter > 0
            or any(scheduler.order.policy.name == "saf" for scheduler in self.parsed)
        )

    def at(self, point: int) -> Point:
        """What is run at a point; ScenarioError or SchedulerError where its values make no sense."""
        changes = [(parameter.path, value) for parameter, value in zip(self.vary, self.points[point])]
        return Point(self, *apply_overrides(self.scenario, self.parsed, changes))

    def _places(self, point: int) -> list[int]:
        indices = []
        for parameter in reversed(self.vary):
            point, index = divmod(point, len(parameter.values))
            indices.append(index)
        return indices[::-1]

    def _faults(self) -> Iterator[Fault]:
        if not isinstance(self.scenario, dict):
            yield Fault("scenario", msg("shared.must_be_scenario_json_object"))
            return
        try:
            Scenario.of(self.scenario)
        except ScenarioError as error:
            yield from (
                Fault(f"scenario.{entry.path}" if entry.path else "scenario", entry.message)
                for entry in error.faults
            )
            return
        list_faults = [
            *_list_faults("schedulers", self.schedulers, MAX_SCHEDULERS),
            *_list_faults("metrics", self.metrics, len(STUDY_MEASURES)),
        ]
        yield from list_faults
        if not list_faults:
            for key in self.metrics:
                if key not in STUDY_MEASURES:
                    yield _unknown(key, "metrics", STUDY_MEASURES)
                elif key in APPLICATION_MEASURES and self.application is None:
                    yield Fault("metrics", msg("studies.study.needs_one_application", word=key))
        yield from self._seed_faults()
        if not _is_number(self.jitter) or not 0 <= self.jitter <= MAX_JITTER:
            yield Fault("jitter", msg("shared.must_be_number_from_to", max_jitter=MAX_JITTER))
        if not isinstance(self.name, str) or len(self.name) > MAX_NAME_LENGTH:
            yield Fault(
                "name", msg("shared.must_be_text_at_most_characters", max_name_length=MAX_NAME_LENGTH)
            )
        yield from self._vary_faults()
        if not list_faults:
            yield from self._size_faults()

    def _seed_faults(self) -> Iterator[Fault]:
        if not _is_integer(self.seeds) or not 1 <= self.seeds <= MAX_SEEDS:
            yield Fault("seeds", msg("studies.study.must_be_whole_number_from_to", max_seeds=MAX_SEEDS))
        elif (
            self.first_seed is not None
            and (not _is_integer(self.first_seed) or self.first_seed < 0)
            or self.seed(self.seeds - 1) > LAST_SEED
        ):
            yield Fault("first_seed", msg("shared.must_be_whole_number_from_on"))

    def _vary_faults(self) -> Iterator[Fault]:
        if len(self.vary) > MAX_VARIED:
            yield Fault("vary", msg("studies.study.at_most_parameters_vary_at_time", max_varied=MAX_VARIED))
        for index, entry in enumerate(self.vary):
            if not _are_values(entry.values):
                yield Fault(
                    f"vary[{index}].values", msg("studies.study.must_be_numbers_or_choices_parameter")
                )
            elif len(set(entry.values)) < len(entry.values):
                yield Fault(f"vary[{index}].values", msg("shared.must_differ_from_each_other"))
            elif entry.path in [other.path for other in self.vary[:index]]:
                yield Fault(f"vary[{index}].path", msg("shared.varies_already"))

    def _size_faults(self) -> Iterator[Fault]:
        """Faults of size (points, runs), and of schedulers and paths once everything else is valid."""
        points = prod(len(parameter.values) for parameter in self.vary)
        if points > MAX_VALUES:
            yield Fault(
                "vary",
                msg("studies.study.makes_points_at_most_allowed", points=points, max_values=MAX_VALUES),
            )
        elif isinstance(self.seeds, int) and points * self.seeds * len(self.schedulers) > MAX_RUNS:
            yield Fault(
                "seeds",
                msg(
                    "studies.study.makes_runs_at_most_allowed",
                    points=points * self.seeds * len(self.schedulers),
                    max_runs=MAX_RUNS,
                ),
            )
        for index, name in enumerate(self.schedulers):
            try:
                parse(name)
            except GantryError as error:
                yield Fault(f"schedulers[{index}]", str(error))
                return
        for index, parameter in enumerate(self.vary):
            refused = (
                refusal_reason(self.scenario, self.parsed, parameter.path, parameter.values)
                if _are_values(parameter.values)
                else ""
            )
            if refused:
                yield Fault(f"vary[{index}].path", refused)

    @cached_property
    def containers(self) -> int:
        """That a run of the scenario as it is starts, if nothing is killed."""
        return container_count(self.scenario)


class Point:
    """One point's scenario, which may have any of the study's seeds, and its schedulers."""

    def __init__(self, study: Study, plain: dict, schedulers: tuple[Scheduler, ...]) -> None:
        self.plain, self.parsed = plain, schedulers
        self._study, self._is_drawn = study, study.jitter > 0 and has_lists(plain)
        self._scenario = Scenario.of(jittered(plain, study.jitter, study.seed(0)))

    @property
    def schedulers(self) -> tuple[str, ...]:
        """Their texts, as a study has them."""
        return tuple(scheduler.name for scheduler in self.parsed)

    def seeded(self, number: int) -> Scenario:
        """With the seed of this number."""
        seed = self._study.seed(number)
        scenario = (
            Scenario.of(jittered(self.plain, self._study.jitter, seed))
            if self._is_drawn and number
            else self._scenario
        )
        return scenario.model_copy(update={"seed": seed})


def refusal_reason(
    scenario: dict, schedulers: Sequence[Scheduler], path: str, values: Sequence[float | str]
) -> str:
    """Why none of a parameter's first, middle and last value can be run; "" where one can."""
    because = ""
    for value in dict.fromkeys((values[0], values[len(values) // 2], values[-1])):
        try:
            with_overrides(scenario, schedulers, [(path, value)])
            return ""
        except GantryError as error:
            because = because or str(error.faults[0] if isinstance(error, ScenarioError) else error)
        except TypeError:
            because = msg("shared.no_path_number_such_as_cluster")
    return because


def _vary(data: Any, path: str, faults: list[Fault]) -> Vary | None:
    """A list of values, or a range by its first, last and step."""
    if not isinstance(data, dict) or not isinstance(data.get("path"), str):
        faults.append(Fault(path, msg("studies.study.must_have_path_such_as_cluster")))
        return None
    try:
        return Vary(data["path"], read_values(data))
    except ScenarioError as error:
        faults.append(Fault(path, error.faults[0].message))
        return None


def read_values(data: dict[str, Any]) -> tuple[float | str, ...]:
    """Those of a parameter as a study's file has them: a list, or first, last and step; ScenarioError where
    they are none.
    """
    if isinstance(data.get("values"), list):
        return tuple(data["values"])
    first, last, step = (_number_or_nan(data.get(key)) for key in ("first", "last", "step"))
    if not (first <= last and step > 0 and (last - first) / step <= MAX_VALUES):
        fault = msg("studies.study.must_have_values_or_first_last", max_values=MAX_VALUES)
        raise ScenarioError([Fault("vary", fault)])
    return tuple(range_values(Range(first, last, step), MAX_VALUES))


def _number_or_nan(value: Any) -> float:
    return value if _is_number(value) else nan


def _are_values(values: tuple[Any, ...]) -> bool:
    return bool(values) and all(
        _is_number(value) or (isinstance(value, str) and CHOICE.fullmatch(value)) for value in values
    )


def _list_faults(path: str, texts: Any, max_count: int) -> Iterator[Fault]:
    if (
        not isinstance(texts, tuple)
        or not texts
        or len(texts) > max_count
        or not all(isinstance(text, str) for text in texts)
    ):
        yield Fault(path, msg("studies.study.must_be_list_to_names", max_count=max_count))
    elif len(set(texts)) < len(texts):
        yield Fault(path, msg("shared.must_differ_from_each_other"))


def _unknown(key: Any, path: str = "", valid: Any = FIELDS) -> Fault:
    word = str(key)[:MAX_NAME_LENGTH]
    close = difflib.get_close_matches(word, list(valid), n=1, cutoff=0.5)
    hint = msg("shared.did_you_mean", close=close[0]) if close else ""
    return (
        Fault(path, msg("studies.study.no_metric", word=word, hint=hint))
        if path
        else Fault(word, msg("studies.study.no_field_study", hint=hint))
    )


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return number(value) is not None
