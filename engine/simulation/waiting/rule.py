"""What keeps a waiting request, as a record; and what its rules have in common (WAIT-1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine import quantities
from engine.messages import msg
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.view import View
from engine.simulation.kernel.state import State
from engine.simulation.workload import Workload


class Moment(NamedTuple):
    """A run as it stands between two instants."""

    scheduler: Scheduler
    work: Workload
    view: View
    state: State


class WaitingRule(NamedTuple):
    """What keeps a request waiting. rule: its name; subject: the queue, user, job or node that it is about.

    limit, asked: the two numbers that it compares, None where it compares none; unit: theirs. setting: the
    property of Hadoop or parameter of the scheduler that would change it, "" where there is none. because: a
    clause without a full stop.
    """

    rule: str
    subject: str
    limit: float | None
    asked: float | None
    unit: str
    setting: str
    because: str


class WaitSpan(NamedTuple):
    """A part of a wait: from, to in ms (codes.NONE: for ever), and what kept the container then, as it was
    when the span began.
    """

    start: int
    end: int
    rule: WaitingRule


SIMPLE_RULES: dict[str, Callable[[str], str]] = {
    "activation": lambda queue: msg("simulation.rule.activated_when_application_comes", queue=queue),
    "masters-in-line": lambda job: msg("simulation.rule.master_is_ahead_in_line", job=job),
    "task-slots": lambda kind: msg("simulation.rule.slots_are_taken", kind=kind),
}


def simple_rule(name: str, subject: str) -> WaitingRule:
    return WaitingRule(name, subject, None, None, "", "", SIMPLE_RULES[name](subject))


def over(
    view: View, request: int, used: tuple[int, int], limit: tuple[int, int]
) -> tuple[int, int, int, str] | None:
    """(limit, used, asked, unit) of the first resource of which it would be too much, None where of none."""
    asked = int(view.request_memory[request]), int(view.request_vcores[request])
    for place, unit in enumerate(("MB", "vcores")[: 1 + int(view.counts_vcores)]):
        if used[place] + asked[place] > limit[place]:
            return int(limit[place]), int(used[place]), asked[place], unit
    return None


def limit_rule(rule: str, subject: str, found: tuple[int, int, int, str], setting: str) -> WaitingRule:
    limit, used, asked, unit = found
    texts = {
        "subject": subject,
        "limit": amount(limit, unit),
        "used": amount(used, unit),
        "asked": amount(asked, unit),
    }
    text = (
        msg("simulation.rule.queue_may_use", **texts)
        if rule == "queue-maximum"
        else msg("simulation.rule.siblings_leave", **texts)
    )
    return WaitingRule(rule, subject, float(limit), float(used + asked), unit, setting, text)


def upwards(view: View, queue: int) -> Iterator[int]:
    while queue >= 0:
        yield int(queue)
        queue = view.queue_parent[queue]


def setting_of(moment: Moment, fair: str, capacity: str) -> str:
    """The property of the scheduler in use; an order of a paper that asks a queue's limit has its field's
    name.
    """
    return fair if moment.scheduler.is_fair_scheduler else capacity


def capacity_property(queue: str, suffix: str) -> str:
    return f"yarn.scheduler.capacity.{queue}.{suffix}"


def amount(number: float, unit: str) -> str:
    return (
        quantities.memory(int(number), exact=True) if unit == "MB" else quantities.count(float(number), unit)
    )


def with_range(rule: WaitingRule, limits: Sequence[float]) -> WaitingRule:
    """With the numbers between which its limit was while it held, where it moved."""
    if len(set(limits)) < 2:
        return rule
    low, high = (amount(limit, rule.unit) for limit in (min(limits), max(limits)))
    text = msg("simulation.rule.limit_moved", because=rule.because, low=low, high=high)
    return rule._replace(because=text)


def size(memory: int, vcores: int) -> str:
    return msg(
        "shared.memory_and_vcores",
        memory=quantities.memory(memory, exact=True),
        vcores=quantities.vcores(vcores),
    )


def kinds(kind: int) -> str:
    return ("ApplicationMasters", "reduces", "maps", "executors", "tasks")[kind]
