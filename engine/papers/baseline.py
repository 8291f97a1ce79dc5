"""The recorded results of the experiments: a change of the engine shows as a difference from them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.experiments.replications import Estimate
from engine.messages import msg
from engine.papers.gallery import PAPERS, ReadingResult, Result, judge_claims, paper_experiments
from engine.papers.judge import Finding

FOLDER = Path(__file__).with_name("recorded")  # a file a paper
NEAR = 1e-6


class LampRecord(NamedTuple):
    """What became of one thing that a claim says. ours: our number, None for an order."""

    state: str
    ours: float | None = None

    @classmethod
    def read(cls, text: str) -> LampRecord:
        """The record of such a text as `str` gives."""
        state, _, ours = text.partition(", ")
        return cls(state, float(ours) if ours else None)

    def __str__(self) -> str:
        return self.state if self.ours is None else f"{self.state}, {self.ours!r}"

    def is_near(self, other: LampRecord) -> bool:
        """The same state and number, but for rounding."""
        return self.state == other.state and _near(self.ours, other.ours)


class ReadingRecord(NamedTuple):
    """Each claim's lamps, in the experiment's order, and our numbers by name; inf for a deadlock."""

    lamps: tuple[Mapping[str, LampRecord], ...]
    numbers: Mapping[str, float]

    @property
    def states(self) -> list[dict[str, str]]:
        """Each claim's states by lamp."""
        return [{name: lamp.state for name, lamp in lamps.items()} for lamps in self.lamps]


class Recorded(NamedTuple):
    """An experiment's readings by their keys."""

    readings: dict[str, ReadingRecord]


@cache
def recorded() -> dict[str, Recorded]:
    """The record of every experiment by "paper/experiment", in the order of the papers."""
    records: dict[str, Recorded] = {}
    for paper in PAPERS:
        file = FOLDER / f"{paper.key}.json"
        stored = json.loads(file.read_text("utf-8")) if file.exists() else {}
        records |= {
            f"{paper.key}/{key}": Recorded(
                {reading: _read(reading_json) for reading, reading_json in readings.items()}
            )
            for key, readings in stored.items()
        }
    return records


def recorded_states(names: Sequence[str] | None = None) -> dict[str, list[dict[str, str]]]:
    """Of these recorded experiments, or all: each claim's states by lamp under the reading that is shown."""
    return {
        name: record.readings[paper_experiments()[name].shown.key].states
        for name, record in recorded().items()
        if names is None or name in names
    }


def recorded_findings(name: str) -> tuple[Finding, ...]:
    """The claims of "paper/experiment" as recorded under the reading that is shown, without intervals."""
    experiment = paper_experiments()[name]
    kept = recorded()[name].readings[experiment.shown.key]
    samples = {key: [number] for key, number in kept.numbers.items()}
    return tuple(
        finding._replace(
            numbers={key: Estimate(number.mean, None, None, 1) for key, number in finding.numbers.items()},
            lamps={
                lamp: judged._replace(state=lamps[lamp].state, ours=lamps[lamp].ours)
                for lamp, judged in finding.lamps.items()
            },
        )
        for finding, lamps in zip(judge_claims(experiment, experiment.shown, samples), kept.lamps)
    )


def _read(stored: Mapping[str, Any]) -> ReadingRecord:
    return ReadingRecord(
        tuple({name: LampRecord.read(text) for name, text in lamps.items()} for lamps in stored["lamps"]),
        {key: float(value) for key, value in stored["numbers"].items()},
    )


def record(result: Result) -> Recorded:
    """What there is to record of a result: what became of its claims, and the numbers that these are about,
    to seven digits.
    """
    return Recorded(
        {reading.key: _record(judged) for reading, judged in zip(result.experiment.readings, result.readings)}
    )


def _record(judged: ReadingResult) -> ReadingRecord:
    numbers = {
        key: _seven_digits(estimate.mean)
        for finding in judged.findings
        for key, estimate in finding.numbers.items()
    }
    lamps = tuple(
        {
            name: LampRecord(lamp.state, None if lamp.ours is None else _seven_digits(lamp.ours))
            for name, lamp in finding.lamps.items()
        }
        for finding in judged.findings
    )
    return ReadingRecord(lamps, dict(sorted(numbers.items())))


def _seven_digits(number: float | None) -> float:
    return float(f"{number:.7g}")


def as_json(records: Mapping[str, Recorded]) -> str:
    """The text of a paper's file; records: by the experiments' keys."""
    plain = {
        key: {name: _plain(reading) for name, reading in experiment_record.readings.items()}
        for key, experiment_record in records.items()
    }
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def _plain(reading: ReadingRecord) -> dict[str, Any]:
    return {
        "lamps": [{name: str(lamp) for name, lamp in lamps.items()} for lamps in reading.lamps],
        "numbers": {key: repr(value) for key, value in reading.numbers.items()},
    }


def differences(name: str, old: Recorded | None, new: Recorded | None) -> Iterator[str]:
    """A line for each thing that is not as it was, with old and new."""
    before, after = (
        experiment_record.readings if experiment_record else {} for experiment_record in (old, new)
    )
    for key in {**before, **after}:
        yield from _differences(f"{name} ({key})" if key else name, before.get(key), after.get(key))


def _differences(name: str, old: ReadingRecord | None, new: ReadingRecord | None) -> Iterator[str]:
    if old is None or new is None:
        yield f"{name}: {'is new' if new else 'is gone'}"
        return
    if len(old.lamps) != len(new.lamps):
        yield msg("papers.baseline.claims_old_new", name=name, old=len(old.lamps), new=len(new.lamps))
    for number, (before, after) in enumerate(zip(old.lamps, new.lamps), start=1):
        for lamp in {**before, **after}:
            was, is_now = before.get(lamp), after.get(lamp)
            if was is None or is_now is None or not was.is_near(is_now):
                key = msg("papers.baseline.claim_lamp", number=number, lamp=lamp)
                yield msg("papers.baseline.old_new", name=name, key=key, before=was, after=is_now)
    for key in sorted(old.numbers.keys() | new.numbers.keys()):
        if not _near(old.numbers.get(key), new.numbers.get(key)):
            yield msg(
                "papers.baseline.old_new",
                name=name,
                key=key,
                before=old.numbers.get(key),
                after=new.numbers.get(key),
            )


def _near(old: float | None, new: float | None) -> bool:
    if old is None or new is None:
        return old is new
    return old == new or math.isclose(old, new, rel_tol=NEAR, abs_tol=NEAR)
