"""What the experiments gave when they were last looked at, so that a change of the engine shows as a difference instead of passing by."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.papers.gallery import Result
from engine.papers.reporting import outcome

FILE = Path(__file__).with_name("baseline.json")
NEAR = 1e-6
NO_VERDICT = "no verdict"


class Recorded(NamedTuple):
    """An experiment's verdict, the claims it rests on, what became of each claim, and our numbers by name; inf for a deadlock.

    outcomes: one a claim in the experiment's order: "agrees", "same direction", "differs", "holds", "does not hold" or "no verdict".
    """

    verdict: str
    claims: int
    outcomes: tuple[str, ...]
    numbers: dict[str, float]


@cache
def recorded() -> dict[str, Recorded]:
    """The record of every experiment by "paper/experiment"."""
    stored = json.loads(FILE.read_text("utf-8"))
    return {name: _read(one) for name, one in stored.items()}


def _read(one: Mapping[str, Any]) -> Recorded:
    return Recorded(one["verdict"], one["claims"], tuple(one["outcomes"]), {key: float(value) for key, value in one["numbers"].items()})


def record(result: Result) -> Recorded:
    """What there is to record of a result: the numbers that its claims are about, to seven digits."""
    numbers = {key: float(f"{ours.mean:.7g}") for found in result.findings for key, ours in found.numbers.items()}
    outcomes = tuple(outcome(found) if found.judged else NO_VERDICT for found in result.findings)
    return Recorded(result.verdict, result.claims, outcomes, dict(sorted(numbers.items())))


def written(records: Mapping[str, Recorded]) -> str:
    """The file's text."""
    plain = {name: {**one._asdict(), "numbers": {key: repr(value) for key, value in one.numbers.items()}} for name, one in records.items()}
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def differences(name: str, old: Recorded | None, new: Recorded | None) -> Iterator[str]:
    """A line for each thing that is not as it was, with old and new."""
    if old is None or new is None:
        yield f"{name}: {'is new' if new else 'is gone'}"
        return
    if (old.verdict, old.claims) != (new.verdict, new.claims):
        yield f"{name}: old {old.verdict}, on {old.claims} claims; new {new.verdict}, on {new.claims}"
    if old.outcomes != new.outcomes:
        yield f"{name}: claims: old {', '.join(old.outcomes)}; new {', '.join(new.outcomes)}"
    for key in sorted(old.numbers.keys() | new.numbers.keys()):
        before, after = old.numbers.get(key), new.numbers.get(key)
        if before is None or after is None or not (before == after or math.isclose(before, after, rel_tol=NEAR, abs_tol=NEAR)):
            yield f"{name}: {key}: old {before}, new {after}"
