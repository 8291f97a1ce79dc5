"""The recorded results of the experiments: a change of the engine shows as a difference from them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.messages import msg
from engine.papers.gallery import PAPERS, ReadingResult, Result
from engine.papers.judge import overall
from engine.papers.reporting import outcome

FOLDER = Path(__file__).with_name("recorded")  # a file a paper
NEAR = 1e-6
NO_VERDICT = msg("papers.baseline.no_verdict")


class ReadingRecord(NamedTuple):
    """A reading's verdict, the claims it rests on, what became of each claim, and our numbers by name; inf
    for a deadlock.

    outcomes: one a claim in the experiment's order: "agrees", "same direction", "differs", "holds", "does not
    hold" or "no verdict".
    """

    verdict: str
    claims: int
    outcomes: tuple[str, ...]
    numbers: dict[str, float]


class Recorded(NamedTuple):
    """An experiment's readings by their keys."""

    readings: dict[str, ReadingRecord]

    @property
    def verdict(self) -> str:
        """Of all readings, or that it depends on them."""
        return overall([reading.verdict for reading in self.readings.values()])


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


def _read(stored: Mapping[str, Any]) -> ReadingRecord:
    return ReadingRecord(
        stored["verdict"],
        stored["claims"],
        tuple(stored["outcomes"]),
        {key: float(value) for key, value in stored["numbers"].items()},
    )


def record(result: Result) -> Recorded:
    """What there is to record of a result: the numbers that its claims are about, to seven digits."""
    return Recorded(
        {reading.key: _record(judged) for reading, judged in zip(result.experiment.readings, result.readings)}
    )


def _record(judged: ReadingResult) -> ReadingRecord:
    numbers = {
        key: float(f"{estimate.mean:.7g}")
        for finding in judged.findings
        for key, estimate in finding.numbers.items()
    }
    outcomes = tuple(outcome(finding) if finding.judged else NO_VERDICT for finding in judged.findings)
    return ReadingRecord(judged.verdict, judged.claims, outcomes, dict(sorted(numbers.items())))


def as_json(records: Mapping[str, Recorded]) -> str:
    """The text of a paper's file; records: by the experiments' keys."""
    plain = {
        key: {name: _plain(reading) for name, reading in experiment_record.readings.items()}
        for key, experiment_record in records.items()
    }
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def _plain(reading: ReadingRecord) -> dict[str, Any]:
    return {**reading._asdict(), "numbers": {key: repr(value) for key, value in reading.numbers.items()}}


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
    if (old.verdict, old.claims) != (new.verdict, new.claims):
        yield msg(
            "papers.baseline.old_on_claims_new_on",
            name=name,
            verdict=old.verdict,
            claims=old.claims,
            verdict2=new.verdict,
            claims2=new.claims,
        )
    if old.outcomes != new.outcomes:
        yield msg(
            "papers.baseline.claims_old_new",
            name=name,
            outcomes=", ".join(old.outcomes),
            outcomes2=", ".join(new.outcomes),
        )
    for key in sorted(old.numbers.keys() | new.numbers.keys()):
        before, after = old.numbers.get(key), new.numbers.get(key)
        if (
            before is None
            or after is None
            or not (before == after or math.isclose(before, after, rel_tol=NEAR, abs_tol=NEAR))
        ):
            yield msg("papers.baseline.old_new", name=name, key=key, before=before, after=after)
