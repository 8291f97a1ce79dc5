"""The record of what experiments gave, and how it tells old from new."""

from __future__ import annotations

import json
import math

from engine.papers import PAPERS, paper_experiments, recorded, recorded_findings, recorded_states, reproduce
from engine.papers.baseline import LampRecord, ReadingRecord, Recorded, as_json, differences, record
from engine.papers.schema import ABSOLUTE, FAILS, GAIN, HOLDS, ORDER
from tests.phrases import phrase

NAME = "dynamic-priority/table-1"
WAS = ReadingRecord(
    ({ORDER: LampRecord(HOLDS)}, {ABSOLUTE: LampRecord(FAILS, 1.5)}), {"x": 1.0, "y": 2.0, "z": math.inf}
)


def test_what_is_recorded_can_be_read_again(monkeypatch, tmp_path) -> None:
    other = WAS._replace(lamps=({ORDER: LampRecord(FAILS)}, {ABSOLUTE: LampRecord(HOLDS, math.inf)}))
    kept = {"b": Recorded({"one": WAS, "other": other})}
    file = tmp_path / f"{PAPERS[0].key}.json"
    file.write_text(as_json(kept))
    monkeypatch.setattr("engine.papers.baseline.FOLDER", tmp_path)
    assert recorded.__wrapped__() == {f"{PAPERS[0].key}/b": kept["b"]}
    assert json.loads(file.read_text())["b"]["one"]["lamps"][1] == {ABSOLUTE: f"{FAILS}, 1.5"}


def test_a_result_is_recorded_with_the_lamps_and_numbers_of_its_claims() -> None:
    result = reproduce(paper_experiments()[NAME])
    (only,) = record(result).readings.values()
    assert only.lamps[0] == {ABSOLUTE: LampRecord(HOLDS, 26.0)}
    assert only.states == [finding.states for finding in result.shown.findings] == recorded_states()[NAME]
    assert only.numbers["fifo/mean_wait_s"] == 26


def test_recorded_findings_are_those_of_a_run_without_intervals() -> None:
    """Under the reading that is shown, to the seven digits that are kept."""
    now = reproduce(paper_experiments()[NAME]).shown.findings
    for ours, kept in zip(now, recorded_findings(NAME), strict=True):
        assert (kept.claim, kept.states, kept.standing) == (ours.claim, ours.states, ours.standing)
        assert all(
            math.isclose(one.ours, kept.lamps[name].ours, rel_tol=1e-6) and one.band == kept.lamps[name].band
            for name, one in ours.lamps.items()
            if one.ours is not None
        )


def test_differences_tell_old_and_new() -> None:
    old = Recorded({"": WAS})
    assert list(differences("a", old, old)) == []
    near = WAS._replace(numbers={**WAS.numbers, "x": 1.0 + 1e-9})
    assert list(differences("a", old, Recorded({"": near}))) == []
    lamps = ({ORDER: LampRecord(FAILS)}, {ABSOLUTE: LampRecord(FAILS, 1.7), GAIN: LampRecord(HOLDS, 3.0)})
    new = Recorded({"": ReadingRecord(lamps, {"x": 1.1, "y": 2.0, "w": 4.0})})
    assert list(differences("a", old, new)) == [
        phrase("papers.order_old_holds_new", 1),
        phrase("papers.absolute_old_new", 2, 1.5, 1.7),
        phrase("papers.gain_old_none_new_holds", 2, "3.0"),
        phrase("papers.w_old_none_new", "4.0"),
        "a: x: old 1.0, new 1.1",
        phrase("papers.z_old_inf_new_none"),
    ]
    assert list(differences("a", None, new)) == ["a: is new"]
    assert list(differences("a", old, None)) == ["a: is gone"]
    fewer = WAS._replace(lamps=WAS.lamps[:1])
    assert list(differences("a", old, Recorded({"": fewer}))) == [phrase("papers.claims_before_now", 2, 1)]
    assert list(differences("a", old, Recorded({"": WAS, "other": WAS}))) == [phrase("papers.other_new")]
