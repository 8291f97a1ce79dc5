"""Times, shares and memory are told as scripts tell them: tests/scripts/quantities.test.ts has the same."""

from __future__ import annotations

import json

from engine import quantities
from tests.conftest import ROOT

TOLD = json.loads((ROOT / "tests" / "scripts" / "quantities.json").read_text("utf-8"))


def test_clocks() -> None:
    for case in TOLD["clock"]:
        assert quantities.clock(case["seconds"], case["digits"]) == case["text"]


def test_percentages() -> None:
    for case in TOLD["percent"]:
        assert quantities.percent(case["share"], case["signed"]) == case["text"]


def test_memory() -> None:
    for case in TOLD["memory"]:
        assert quantities.memory(case["mb"]) == case["text"]
