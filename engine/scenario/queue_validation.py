"""What must hold between queues, and between jobs and queues, read from the plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Fault
from engine.scenario.bounds import MOST_NAME, MOST_QUEUES
from engine.scenario.name_hints import NameHints
from engine.scenario.plain_values import dicts, number

ROOT = "root"
DEFAULT_QUEUE = "root.default"
OF_JOBS, OF_QUEUES = ("fifo", "fair"), ("utilization", "priority-utilization")  # a leaf's orderings, a parent's


def queue_faults(data: dict, hint: NameHints) -> Iterator[Fault]:
    """Faults of names, of the jobs' queues, of policies and of capacities."""
    queues = [(place, queue, _name(queue)) for place, queue in enumerate(dicts(data, "queues"))]
    listed: set[str] = set()
    known = {DEFAULT_QUEUE, ROOT}
    for place, _, name in queues:
        if name is None:
            continue
        where = f"queues[{place}].name"
        if not name.startswith(f"{ROOT}.") and name != ROOT or not all(part.strip() for part in name.split(".")) or "/" in name:
            yield Fault(where, f"{name!r} must be a dotted name under root, such as root.production")
        elif name in listed:
            yield Fault(where, f"{name!r} is listed twice")
        listed.add(name)
        known.update(_with_parents(name))
        if len(known) > MOST_QUEUES + 2:  # root and root.default are there anyway
            yield Fault("queues", f"are more than {MOST_QUEUES:,} with their parents, which is the most")
            return
    parents = {name.rpartition(".")[0] for name in known}
    yield from _jobs(data, known, known - parents, hint)
    yield from _policies(queues, parents)
    yield from _orderings(queues, parents)
    yield from _capacities(queues, known - listed - {ROOT, ""})


def _name(queue: dict) -> str | None:
    """A queue's name; None for what its model refuses."""
    name = queue.get("name")
    return name if isinstance(name, str) and len(name) <= MOST_NAME else None


def _with_parents(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


def _jobs(data: dict, known: set[str], leaves: set[str], hint: NameHints) -> Iterator[Fault]:
    in_order = sorted(leaves)
    for place, job in enumerate(dicts(data, "jobs")):
        queue = job.get("queue", DEFAULT_QUEUE)
        if isinstance(queue, str) and queue not in leaves:
            why = "is a parent queue; jobs name leaves" if queue in known else "is not listed in queues"
            yield Fault(f"jobs[{place}].queue", f"{_cut(queue)!r} {why}{hint(queue, in_order)}")


def _cut(name: str) -> str:
    return name if len(name) <= MOST_NAME else name[:MOST_NAME] + "…"


def _policies(queues: list[tuple[int, dict, str | None]], parents: set[str]) -> Iterator[Fault]:
    policy_of: dict[str | None, Any] = {name: queue.get("policy") for _, queue, name in queues}
    for place, queue, name in queues:
        policy = queue.get("policy")
        if policy == "fifo" and name in parents:
            yield Fault(f"queues[{place}].policy", "fifo orders jobs, and only leaf queues hold jobs")
        if policy == "drf" and name and policy_of.get(name.rpartition(".")[0]) == "fair":
            yield Fault(f"queues[{place}].policy", "drf can't stand under a fair parent, as in Hadoop")


def _orderings(queues: list[tuple[int, dict, str | None]], parents: set[str]) -> Iterator[Fault]:
    for place, queue, name in queues:
        ordering = queue.get("ordering")
        if name in parents and ordering in OF_JOBS:
            yield Fault(f"queues[{place}].ordering", f"{ordering} orders jobs, and only leaf queues hold jobs; here it is utilization or priority-utilization")
        if name is not None and name not in parents and ordering in OF_QUEUES:
            yield Fault(f"queues[{place}].ordering", f"{ordering} orders queues, and {name!r} is a leaf; here it is fifo or fair")


def _capacities(queues: list[tuple[int, dict, str | None]], implied: set[str]) -> Iterator[Fault]:
    """implied: queues that are there without being listed."""
    children: dict[str, list[tuple[int, float | None]]] = {}
    for place, queue, name in queues:
        given, most = queue.get("capacity_pct"), number(queue.get("max_capacity_pct"))
        share = number(given)
        if share is not None and most is not None and most < share:
            yield Fault(f"queues[{place}].max_capacity_pct", f"{most:g} must be at least capacity_pct ({share:g})")
        if name is not None and name != ROOT and (given is None or share is not None):
            children.setdefault(name.rpartition(".")[0], []).append((place, share))
    for name in implied:
        children.setdefault(name.rpartition(".")[0], []).append((-1, None))
    for parent, group in children.items():
        shares = [share for _, share in group if share is not None]
        total, some_empty = sum(shares), len(shares) < len(group)
        if total > 100 + 1e-6 or (shares and not some_empty and abs(total - 100) > 1e-6):
            last = max(place for place, share in group if share is not None)
            yield Fault(f"queues[{last}].capacity_pct", f"the queues under {parent} sum to {total:g} %, they must sum to 100")
