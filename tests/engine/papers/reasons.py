"""What every experiment's reasons must satisfy."""

from __future__ import annotations

from engine.papers.gallery import Result
from engine.papers.schema import CAUSES, FAILS, TEST_BED


def assert_reasons(result: Result) -> None:
    """Under the reading that is shown, a claim of a test bed names a reason exactly where a lamp of it does
    not hold; there are three at most, and a note shows each.
    """
    experiment = result.experiment
    for finding in result.shown.findings:
        fails = finding.claim.basis == TEST_BED and FAILS in finding.states.values()
        assert bool(finding.claim.reason) == fails, finding.claim.what
    named = {claim.reason for claim in experiment.claims if claim.reason}
    assert named == set(experiment.reasons) and len(named) <= 3
    assert all(
        reason.cause in CAUSES and reason.note in result.shown.notes for reason in experiment.reasons.values()
    )
