"""What SECURITY.md promises names tests that are there."""

from __future__ import annotations

import re

from tests.conftest import ROOT

TEXT = (ROOT / ".github" / "SECURITY.md").read_text("utf-8")


def test_every_promise_names_tests_that_are_there() -> None:
    rows = re.findall(r"^\| (?!promise|-)(.+?) \| (.+) \|$", TEXT, re.MULTILINE)
    assert len(rows) >= 8
    for promise, tests in rows:
        named = re.findall(r"`(tests/[\w/.]+)`", tests)
        assert named, promise
        for name in named:
            assert (ROOT / name).exists(), f"{promise}: {name} is not there"


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / ".github" / target).exists(), target
