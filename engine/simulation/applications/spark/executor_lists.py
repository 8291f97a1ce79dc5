"""Lists of an application's executors, and of those with a free slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.simulation.applications.linked_lists import put_after, take_out
from engine.simulation.applications.spark.states import IN_ORDER, OTHERS

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def append_placed(s: State, job: int, container: int) -> None:
    """It has just been placed: the last of those that have not registered."""
    place = 2 * job + OTHERS
    _put_after(s, place, s.last_executor[place], container)


def is_before(s: State, one: int, other: int) -> bool:
    """Has it registered before the other; of one instant, was it placed before it?"""
    if s.container_begin[one] != s.container_begin[other]:
        return s.container_begin[one] < s.container_begin[other]
    return one < other


def insert_registered(s: State, job: int, container: int) -> None:
    """It has just registered: behind all but those of this instant that were placed later."""
    place = 2 * job + IN_ORDER
    before = s.last_executor[place]
    while before >= 0 and is_before(s, container, before):
        before = s.previous_executor[before]
    _put_after(s, place, before, container)


def _put_after(s: State, place: int, before: int, container: int) -> None:
    """Into a list, behind another, or as the first behind -1."""
    first, last = s.first_executor, s.last_executor
    put_after(first, last, s.next_executor, s.previous_executor, place, before, container)


def take_out_executor(s: State, job: int, which: int, container: int) -> None:
    """It leaves its list."""
    first, last = s.first_executor, s.last_executor
    take_out(first, last, s.next_executor, s.previous_executor, 2 * job + which, container)


def add_free(s: State, job: int, container: int) -> None:
    """It has a free slot, and may get a task."""
    if s.is_free[container] == 0 and s.is_excluded[container] == 0:
        s.is_free[container] = 1
        s.next_free[container] = s.first_free[job]
        s.first_free[job] = container
        s.free_executors[job] += 1


def sort_free(s: State, job: int) -> None:
    """Those with a free slot, in the order in which they registered: by insertion where they are few, else by
    a walk over all.
    """
    count = s.free_executors[job]
    if count * count > 4 * s.registered_executors[job]:
        _list_free(s, job)
    else:
        _insert_free(s, job)


def _list_free(s: State, job: int) -> None:
    s.first_free[job] = -1
    container = s.last_executor[2 * job + IN_ORDER]
    while container >= 0:
        if s.is_free[container] == 1:
            s.next_free[container] = s.first_free[job]
            s.first_free[job] = container
        container = s.previous_executor[container]


def _insert_free(s: State, job: int) -> None:
    container = s.first_free[job]
    s.first_free[job] = -1
    while container >= 0:
        following = s.next_free[container]
        before, place = -1, s.first_free[job]
        while place >= 0 and is_before(s, place, container):
            before, place = place, s.next_free[place]
        s.next_free[container] = place
        if before >= 0:
            s.next_free[before] = container
        else:
            s.first_free[job] = container
        container = following


def take_out_free(s: State, job: int, container: int) -> None:
    """It takes no task any more."""
    if s.is_free[container] == 0:
        return
    before, place = -1, s.first_free[job]
    while place != container:
        before, place = place, s.next_free[place]
    take_out_full(s, job, before, container)


def take_out_full(s: State, job: int, before: int, container: int) -> None:
    """It has no free slot any more; before: the one before it in the list, -1 without any."""
    s.is_free[container] = 0
    s.free_executors[job] -= 1
    if before >= 0:
        s.next_free[before] = s.next_free[container]
    else:
        s.first_free[job] = s.next_free[container]
