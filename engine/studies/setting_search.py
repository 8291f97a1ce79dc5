"""A search as data: which setting of a scenario and its schedulers is best by a metric or two, within
constraints; it checks itself, and is a JSON file.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.errors import Fault, GantryError, ScenarioError
from engine.messages import msg
from engine.scenario.json_values import number
from engine.scenario.model import Scenario
from engine.scenario.scenario_limits import MAX_NAME_LENGTH
from engine.schedulers.scheduler import Scheduler, parse
from engine.studies.jitter import MAX_JITTER
from engine.studies.measures import MEASURES
from engine.studies.search_space import Dimension, SearchSpace
from engine.studies.study import LAST_SEED, MAX_RUNS, MAX_SCHEDULERS, MAX_SEEDS

VERSION = 1
MIN_TRIALS, MAX_TRIALS = 10, 2000
MAX_CONSTRAINTS = 10
MIN_FRESH_SEEDS = 2  # seeds that an interval needs
BETTER = ("smaller", "larger")
FIELDS = (
    "version",
    "name",
    "scenario",
    "schedulers",
    "vary",
    "objectives",
    "constraints",
    "trials",
    "seeds",
    "fresh_seeds",
    "first_seed",
    "jitter",
    "sampler_seed",
)


@dataclass(frozen=True)
class Objective:
    """A metric by its key in MEASURES; better: "smaller" or "larger", by default what the metric itself
    says.
    """

    metric: str
    better: str = ""

    def __post_init__(self) -> None:
        if not self.better and isinstance(self.metric, str) and self.metric in MEASURES:
            object.__setattr__(self, "better", MEASURES[self.metric].better or "")

    @property
    def sign(self) -> int:
        """What a value is multiplied by so that smaller is better."""
        return -1 if self.better == "larger" else 1

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {"metric": self.metric, "better": self.better}


@dataclass(frozen=True)
class Constraint:
    """What a metric's mean over the seeds must not exceed, or must reach: one of the two is given."""

    metric: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def bound(self) -> float:
        """The number."""
        bound = self.at_least if self.at_most is None else self.at_most
        assert bound is not None  # one of the two is given
        return bound

    def violation(self, value: float) -> float:
        """By how much a value breaks it, in its unit; 0 where it holds, nan without a value."""
        return (
            max(value - self.bound if self.at_least is None else self.bound - value, 0.0)
            if value == value
            else value
        )

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {"metric": self.metric} | (
            {"at_most": self.at_most} if self.at_least is None else {"at_least": self.at_least}
        )


@dataclass(frozen=True)
class Search:
    """scenario: its JSON values; schedulers: the first is the present one, several are a choice of the
    search; vary: what else moves;
    objectives: one, or two for their trade-off curve; trials: settings that are tried, the present one among
    them; seeds: over which each is judged, from first_seed on (the scenario's own where that is None);
    fresh_seeds: how many more, on which the answer is compared with the present setting;
    jitter: as a study's; sampler_seed: of what chooses the trials. Raises ScenarioError with every fault at
    once."""

    scenario: dict[str, Any]
    vary: tuple[Dimension, ...] = ()
    objectives: tuple[Objective, ...] = ()
    schedulers: tuple[str, ...] = ("fair",)
    constraints: tuple[Constraint, ...] = ()
    trials: int = 100
    seeds: int = 5
    fresh_seeds: int = 30
    first_seed: int | None = None
    jitter: float = 0.0
    sampler_seed: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        faults = list(self._faults())
        if faults:
            raise ScenarioError(faults)
        _ = self.space

    @classmethod
    def of(cls, data: Any) -> Search:
        """From a file's JSON values, which may be anything; an unknown field is a fault, one named x_… is
        passed over.
        """
        if not isinstance(data, dict):
            raise ScenarioError([Fault("", msg("studies.setting_search.search_json_object"))])
        faults = [
            _unknown(key, FIELDS, msg("studies.setting_search.field_search"), key)
            for key in data
            if key not in FIELDS and not key.startswith("x_")
        ]
        if data.get("version") != VERSION:
            faults.append(Fault("version", msg("shared.must_be", version=VERSION)))
        fields = {key: data[key] for key in FIELDS[1:] if key in data} | {"scenario": data.get("scenario")}
        if isinstance(fields.get("schedulers"), list):
            fields["schedulers"] = tuple(fields["schedulers"])
        readers = {"vary": Dimension.of, "objectives": _objective, "constraints": _constraint}
        for key, read in readers.items():
            listed = data.get(key, [])
            if isinstance(listed, list):
                fields[key] = tuple(
                    entry
                    for index, item in enumerate(listed)
                    if (entry := read(item, f"{key}[{index}]", faults))
                )
            else:
                faults.append(Fault(key, msg("studies.setting_search.must_be_list")))
                fields.pop(key)
        if faults:
            raise ScenarioError(faults)
        return cls(**fields)

    @classmethod
    def read(cls, text: str | bytes) -> Search:
        """From a file's text."""
        try:
            return cls.of(json.loads(text, parse_constant=float))
        except (ValueError, RecursionError):
            raise ScenarioError(
                [Fault("", msg("studies.setting_search.not_valid_json_search_json_object"))]
            ) from None

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads back; what varies with its ends."""
        listed = {
            key: [entry.plain() for entry in getattr(self, key)] for key in ("objectives", "constraints")
        }
        vary = [
            entry.plain() for entry in self.space.dimensions[len(self.space.dimensions) - len(self.vary) :]
        ]
        values = {
            "version": VERSION,
            "name": self.name,
            "scenario": self.scenario,
            "schedulers": list(self.schedulers),
            "vary": vary,
            **listed,
        }
        values |= {key: getattr(self, key) for key in ("trials", "seeds", "fresh_seeds")} | {
            "first_seed": self.seed(0)
        }
        return values | {"jitter": self.jitter, "sampler_seed": self.sampler_seed}

    def json(self) -> str:
        """As a file for people."""
        return json.dumps(self.plain(), indent=1, ensure_ascii=False) + "\n"

    @cached_property
    def digest(self) -> str:
        """sha256 of all that decides its answer: the name is left out, of the scenario its canonical form
        counts.
        """
        content = self.plain() | {"name": "", "scenario": Scenario.of(self.scenario).digest}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @cached_property
    def parsed(self) -> tuple[Scheduler, ...]:
        """The schedulers; `schedulers` has their texts, as its file does."""
        return tuple(map(parse, self.schedulers))

    @cached_property
    def space(self) -> SearchSpace:
        """The settings it chooses from."""
        return SearchSpace(self.scenario, self.parsed, self.vary)

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """What is measured: of the objectives, then of the constraints."""
        asked = [entry.metric for entry in self.objectives] + [entry.metric for entry in self.constraints]
        return tuple(dict.fromkeys(asked))

    def seed(self, number: int) -> int:
        """The seed of this number, from 0; those from `seeds` on are the fresh ones."""
        return (self.scenario.get("seed", 0) if self.first_seed is None else self.first_seed) + number

    def _faults(self) -> Iterator[Fault]:
        if not isinstance(self.scenario, dict):
            yield Fault("scenario", msg("shared.must_be_scenario_json_object"))
            return
        try:
            Scenario.of(self.scenario)
        except ScenarioError as error:
            yield from (
                Fault(f"scenario.{fault.path}" if fault.path else "scenario", fault.message)
                for fault in error.faults
            )
            return
        yield from self._scheduler_faults()
        yield from self._metric_faults()
        for key, min_value, max_value in (
            ("trials", MIN_TRIALS, MAX_TRIALS),
            ("seeds", 1, MAX_SEEDS),
            ("fresh_seeds", MIN_FRESH_SEEDS, MAX_SEEDS),
        ):
            if not _is_integer(getattr(self, key)) or not min_value <= getattr(self, key) <= max_value:
                yield Fault(
                    key,
                    msg(
                        "studies.setting_search.must_be_whole_number_from_to_2",
                        min_value=min_value,
                        max_value=max_value,
                    ),
                )
                return
        if self.trials * self.seeds > MAX_RUNS:
            yield Fault(
                "seeds",
                msg(
                    "studies.setting_search.makes_runs_at_most_allowed",
                    trials=self.trials * self.seeds,
                    max_runs=MAX_RUNS,
                ),
            )
        if (
            self.first_seed is not None
            and (not _is_integer(self.first_seed) or self.first_seed < 0)
            or self.seed(self.seeds + self.fresh_seeds - 1) > LAST_SEED
        ):
            yield Fault("first_seed", msg("shared.must_be_whole_number_from_on"))
        if not _is_integer(self.sampler_seed) or not 0 <= self.sampler_seed < 2**32:
            yield Fault("sampler_seed", msg("studies.setting_search.must_be_whole_number_from_to"))
        if number(self.jitter) is None or not 0 <= self.jitter <= MAX_JITTER:
            yield Fault("jitter", msg("shared.must_be_number_from_to", max_jitter=MAX_JITTER))
        if not isinstance(self.name, str) or len(self.name) > MAX_NAME_LENGTH:
            yield Fault(
                "name", msg("shared.must_be_text_at_most_characters", max_name_length=MAX_NAME_LENGTH)
            )

    def _scheduler_faults(self) -> Iterator[Fault]:
        names = self.schedulers
        if (
            not isinstance(names, tuple)
            or not 1 <= len(names) <= MAX_SCHEDULERS
            or not all(isinstance(item, str) for item in names)
        ):
            yield Fault(
                "schedulers",
                msg("studies.setting_search.must_be_list_to_names", max_schedulers=MAX_SCHEDULERS),
            )
            return
        if len(set(names)) < len(names):
            yield Fault("schedulers", msg("shared.must_differ_from_each_other"))
        for index, name in enumerate(names):
            try:
                parse(name)
            except GantryError as error:
                yield Fault(f"schedulers[{index}]", str(error).partition("\n")[0])

    def _metric_faults(self) -> Iterator[Fault]:
        if not 1 <= len(self.objectives) <= 2:
            yield Fault("objectives", msg("studies.setting_search.must_be_one_metric_or_two"))
        elif len({entry.metric for entry in self.objectives}) < len(self.objectives):
            yield Fault("objectives", msg("studies.setting_search.must_be_two_metrics_differ"))
        if len(self.constraints) > MAX_CONSTRAINTS:
            yield Fault(
                "constraints", msg("studies.setting_search.at_most_allowed", max_constraints=MAX_CONSTRAINTS)
            )
        for key in ("objectives", "constraints"):
            for index, entry in enumerate(getattr(self, key)):
                if entry.metric not in MEASURES:
                    yield _unknown(entry.metric, MEASURES, "metric", f"{key}[{index}].metric")
                elif key == "objectives" and entry.better not in BETTER:
                    yield Fault(
                        f"{key}[{index}].better",
                        msg("studies.setting_search.must_say_whether_smaller_or_larger", metric=entry.metric),
                    )


def _objective(data: Any, path: str, faults: list[Fault]) -> Objective | None:
    if (
        isinstance(data, dict)
        and isinstance(data.get("metric"), str)
        and set(data) <= {"metric", "better"}
        and isinstance(data.get("better", ""), str)
    ):
        return Objective(data["metric"], data.get("better", ""))
    faults.append(Fault(path, msg("studies.setting_search.must_have_metric_such_as_makespan")))
    return None


def _constraint(data: Any, path: str, faults: list[Fault]) -> Constraint | None:
    if isinstance(data, dict) and isinstance(data.get("metric"), str) and len(data) == 2:
        at_most, at_least = data.get("at_most"), data.get("at_least")
        if (number(at_most) is None) != (number(at_least) is None):
            return Constraint(data["metric"], at_most, at_least)
    faults.append(Fault(path, msg("studies.setting_search.must_have_metric_and_either_at")))
    return None


def _unknown(key: str, valid: Any, noun: str, path: str) -> Fault:
    close = difflib.get_close_matches(key[:MAX_NAME_LENGTH], list(valid), n=1, cutoff=0.5)
    hint = msg("shared.did_you_mean", close=close[0]) if close else ""
    message = (
        msg("studies.setting_search.no", key=key[:MAX_NAME_LENGTH], noun=noun, hint=hint)
        if path != key
        else msg("studies.setting_search.no_2", noun=noun, hint=hint)
    )
    return Fault(path[:MAX_NAME_LENGTH], message)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
