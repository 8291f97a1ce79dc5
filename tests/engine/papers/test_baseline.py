"""The record of what experiments gave, and how it tells old from new."""

from __future__ import annotations

import json
import math

from engine.papers import paper_experiments, reproduce
from engine.papers.baseline import Recorded, differences, record, recorded, written

NAME = "dynamic-priority/table-1"


def test_what_is_recorded_can_be_read_again(monkeypatch, tmp_path) -> None:
    kept = {"a/b": Recorded("agrees", 2, ("agrees", "holds"), {"x": 1.5, "y": math.inf})}
    file = tmp_path / "record.json"
    file.write_text(written(kept))
    monkeypatch.setattr("engine.papers.baseline.FILE", file)
    assert recorded.__wrapped__() == kept
    assert json.loads(file.read_text())["a/b"]["verdict"] == "agrees"


def test_a_result_is_recorded_with_the_numbers_of_its_claims() -> None:
    kept = record(reproduce(paper_experiments()[NAME]))
    assert (kept.verdict, kept.claims, kept.outcomes) == ("agrees", 4, ("agrees",) * 4)
    assert kept.numbers["fifo/mean_wait_s"] == 26


def test_differences_tell_old_and_new() -> None:
    old = Recorded("agrees", 2, ("agrees", "holds"), {"x": 1.0, "y": 2.0, "z": math.inf})
    assert list(differences("a", old, old)) == []
    assert list(differences("a", old, old._replace(numbers={"x": 1.0 + 1e-9, "y": 2.0, "z": math.inf}))) == []
    new = Recorded("differs", 3, ("agrees", "does not hold"), {"x": 1.1, "y": 2.0, "w": 4.0})
    assert list(differences("a", old, new)) == [
        "a: old agrees, on 2 claims; new differs, on 3",
        "a: claims: old agrees, holds; new agrees, does not hold",
        "a: w: old None, new 4.0",
        "a: x: old 1.0, new 1.1",
        "a: z: old inf, new None",
    ]
    assert list(differences("a", None, new)) == ["a: is new"]
    assert list(differences("a", old, None)) == ["a: is gone"]
