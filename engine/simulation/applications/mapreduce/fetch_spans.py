"""Spans of time in which a reduce fetches without a pause, written down under a fetch weight, for nothing
else tells them afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def start_span(s: State, container: int, now: int) -> None:
    span = s.span_count
    s.span_count += 1
    s.container_span[container] = span
    if span < len(s.span_start):
        s.span_container[span] = container
        s.span_start[span] = now


def end_span(s: State, container: int, now: int) -> None:
    span = s.container_span[container]
    s.container_span[container] = -1
    if 0 <= span < len(s.span_end):
        s.span_end[span] = now
