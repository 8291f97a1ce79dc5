"""Lists of an application's executors, and of those with a free slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.simulation.applications.spark.states import IN_ORDER, OTHERS

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def append_placed(s: State, job: int, container: int) -> None:
    """It has just been placed: the last of those that have not registered."""
    place = 2 * job + OTHERS
    _put_between(s, place, s.last_executor[place], container, -1)


def is_before(s: State, one: int, other: int) -> bool:
    """Has it registered before the other; of one instant, was it placed before it?"""
    if s.container_begin[one] != s.container_begin[other]:
        return s.container_begin[one] < s.container_begin[other]
    return one < other


def insert_registered(s: State, job: int, container: int) -> None:
    """It has just registered: behind all but those of this instant that were placed later."""
    place = 2 * job + IN_ORDER
    before, after = s.last_executor[place], -1
    while before >= 0 and is_before(s, container, before):
        before, after = s.previous_executor[before], before
    _put_between(s, place, before, container, after)


def _put_between(s: State, place: int, before: int, container: int, after: int) -> None:
    """Into a list: before, after: its neighbours, -1 at an end."""
    s.previous_executor[container] = before
    s.next_executor[container] = after
    if before >= 0:
        s.next_executor[before] = container
    else:
        s.first_executor[place] = container
    if after >= 0:
        s.previous_executor[after] = container
    else:
        s.last_executor[place] = container


def take_out_executor(s: State, job: int, which: int, container: int) -> None:
    """It leaves its list."""
    place = 2 * job + which
    before, after = s.previous_executor[container], s.next_executor[container]
    if before >= 0:
        s.next_executor[before] = after
    else:
        s.first_executor[place] = after
    if after >= 0:
        s.previous_executor[after] = before
    else:
        s.last_executor[place] = before


def add_free(s: State, job: int, container: int) -> None:
    """It has a free slot."""
    if s.is_free[container] == 0:
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
