"""The lists of a Tez application's containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.simulation.applications.linked_lists import put_after, take_out

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def append_held(s: State, job: int, container: int) -> None:
    """A container has been placed."""
    first, last = s.first_held, s.last_held
    put_after(first, last, s.next_held, s.previous_held, job, last[job], container)


def take_out_held(s: State, job: int, container: int) -> None:
    """A container has ended."""
    take_out(s.first_held, s.last_held, s.next_held, s.previous_held, job, container)


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
