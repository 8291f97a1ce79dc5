"""The lists of a Tez application's containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def append_held(s: State, job: int, container: int) -> None:
    """A container has been placed."""
    last = s.last_held[job]
    s.previous_held[container] = last
    s.next_held[container] = -1
    if last >= 0:
        s.next_held[last] = container
    else:
        s.first_held[job] = container
    s.last_held[job] = container


def take_out_held(s: State, job: int, container: int) -> None:
    """A container has ended."""
    before, after = s.previous_held[container], s.next_held[container]
    if before >= 0:
        s.next_held[before] = after
    else:
        s.first_held[job] = after
    if after >= 0:
        s.previous_held[after] = before
    else:
        s.last_held[job] = before


def insert_idle(s: State, job: int, container: int) -> None:
    """A container is idle: the list is in the order of placement."""
    before, after = -1, s.first_idle[job]
    while 0 <= after < container:
        before, after = after, s.next_idle[after]
    s.next_idle[container] = after
    if before >= 0:
        s.next_idle[before] = container
    else:
        s.first_idle[job] = container


def take_out_idle(s: State, job: int, container: int) -> None:
    """It is idle no more."""
    before, at = -1, s.first_idle[job]
    while at != container:
        before, at = at, s.next_idle[at]
    if before >= 0:
        s.next_idle[before] = s.next_idle[container]
    else:
        s.first_idle[job] = s.next_idle[container]
