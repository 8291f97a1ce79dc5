"""The record of what experiments gave, and how it tells old from new."""

from __future__ import annotations

import json
import math

from engine.papers import PAPERS, paper_experiments, reproduce
from engine.papers.baseline import ReadingRecord, Recorded, as_json, differences, record, recorded
from tests.phrases import phrase

NAME = "dynamic-priority/table-1"


def test_what_is_recorded_can_be_read_again(monkeypatch, tmp_path) -> None:
    first, second = (
        ReadingRecord(verdict, 2, ("agrees", "holds"), {"x": 1.5, "y": math.inf})
        for verdict in ("agrees", "differs")
    )
    kept = {"b": Recorded({"one": first, "other": second})}
    file = tmp_path / f"{PAPERS[0].key}.json"
    file.write_text(as_json(kept))
    monkeypatch.setattr("engine.papers.baseline.FOLDER", tmp_path)
    assert recorded.__wrapped__() == {f"{PAPERS[0].key}/b": kept["b"]}
    assert kept["b"].verdict == phrase("papers.depends_on_reading")
    assert json.loads(file.read_text())["b"]["other"]["verdict"] == "differs"


def test_a_result_is_recorded_with_the_numbers_of_its_claims() -> None:
    kept = record(reproduce(paper_experiments()[NAME]))
    (only,) = kept.readings.values()
    assert (kept.verdict, only.outcomes) == (only.verdict, ("agrees",) * 17)
    assert only.numbers["fifo/mean_wait_s"] == 26


def test_differences_tell_old_and_new() -> None:
    was = ReadingRecord("agrees", 2, ("agrees", "holds"), {"x": 1.0, "y": 2.0, "z": math.inf})
    old = Recorded({"": was})
    assert list(differences("a", old, old)) == []
    assert (
        list(
            differences(
                "a", old, Recorded({"": was._replace(numbers={"x": 1.0 + 1e-9, "y": 2.0, "z": math.inf})})
            )
        )
        == []
    )
    new = Recorded(
        {"": ReadingRecord("differs", 3, ("agrees", "does not hold"), {"x": 1.1, "y": 2.0, "w": 4.0})}
    )
    assert list(differences("a", old, new)) == [
        phrase("papers.old_agrees_on_claims_new", 2, 3),
        phrase("papers.claims_old_agrees_holds_new"),
        phrase("papers.w_old_none_new", "4.0"),
        "a: x: old 1.0, new 1.1",
        phrase("papers.z_old_inf_new_none"),
    ]
    assert list(differences("a", None, new)) == ["a: is new"]
    assert list(differences("a", old, None)) == ["a: is gone"]
    assert list(differences("a", old, Recorded({**old.readings, "other": was}))) == [
        phrase("papers.other_new")
    ]
