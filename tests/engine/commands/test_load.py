"""Files as a scenario in one call from Python."""

from __future__ import annotations

import pytest

from engine import GantryError, load, presets, sample


def test_a_scenario_and_a_trace_are_what_their_files_say():
    wordcount = presets()[0]
    assert load(sample(f"{wordcount.key}.json")).scenario == wordcount.scenario
    trace = load(str(sample("rumen.json")), sample("rumen-topology.json"))
    assert len(trace.scenario.jobs) == 2 and trace.assumptions


def test_a_missing_file_is_told_in_a_sentence(tmp_path):
    with pytest.raises(GantryError, match="nowhere.json"):
        load(tmp_path / "nowhere.json")
