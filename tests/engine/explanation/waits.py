"""The spans of a wait, as rows."""

from __future__ import annotations

from engine.explanation.wait_spans import span_json, wait_spans
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate

PLAIN = "+slowstart+admit-all"


def spans(case: Scenario, scheduler: str, container: str) -> list[tuple]:
    """(from s, to s, rule, subject, limit, asked) of each."""
    wait = wait_spans(simulate(case, scheduler), parse(scheduler), container)
    found = [span_json(span) for span in wait.spans]
    return [
        (span["from_s"], span["to_s"], span["rule"], span["subject"], span["limit"], span["asked"])
        for span in found
    ]
