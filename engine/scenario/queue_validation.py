"""What must hold between queues, and between jobs and queues, read from the plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Fault
from engine.messages import msg
from engine.scenario.json_values import dict_list, number
from engine.scenario.name_hints import NameHints
from engine.scenario.scenario_limits import MAX_NAME_LENGTH, MAX_QUEUES

ROOT = "root"
DEFAULT_QUEUE = "root.default"
PRECISION = 0.05 + 1e-6  # of percentages that must sum to 100: AbstractParentQueue's, and what JSON loses
# a leaf's orderings, a parent's
LEAF_ORDERINGS, PARENT_ORDERINGS = (
    ("fifo", "fair"),
    ("utilization", "priority-utilization"),
)


def queue_faults(data: dict, hint: NameHints) -> Iterator[Fault]:
    """Faults of names, of the jobs' queues, of policies and of capacities."""
    queues = [(index, queue, _name(queue)) for index, queue in enumerate(dict_list(data, "queues"))]
    listed: set[str] = set()
    queue_names = {DEFAULT_QUEUE, ROOT}
    for index, _, name in queues:
        if name is None:
            continue
        path = f"queues[{index}].name"
        if (
            not name.startswith(f"{ROOT}.")
            and name != ROOT
            or not all(part.strip() for part in name.split("."))
            or "/" in name
        ):
            yield Fault(path, msg("scenario.queue_validation.must_be_dotted_name_under_root", name=name))
        elif name in listed:
            yield Fault(path, msg("shared.listed_twice", name=name))
        listed.add(name)
        queue_names.update(self_and_parents(name))
        if len(queue_names) > MAX_QUEUES + 2:  # root and root.default always exist
            yield Fault(
                "queues",
                msg("scenario.queue_validation.more_than_with_their_parents_which", max_queues=MAX_QUEUES),
            )
            return
    parents = {name.rpartition(".")[0] for name in queue_names}
    yield from _jobs(data, queue_names, queue_names - parents, hint)
    yield from _policies(queues, parents)
    yield from _orderings(queues, parents)
    yield from _states(queues)
    yield from _capacities(queues, queue_names - listed - {ROOT, ""})


def _name(queue: dict) -> str | None:
    """A queue's name; None for what its model refuses."""
    name = queue.get("name")
    return name if isinstance(name, str) and len(name) <= MAX_NAME_LENGTH else None


def self_and_parents(name: str) -> Iterator[str]:
    """A queue's name and those of the queues above it: root.a.b, root.a, root."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _jobs(data: dict, queue_names: set[str], leaves: set[str], hint: NameHints) -> Iterator[Fault]:
    sorted_leaves = sorted(leaves)
    for index, job in enumerate(dict_list(data, "jobs")):
        queue = job.get("queue", DEFAULT_QUEUE)
        if isinstance(queue, str) and queue not in leaves:
            reason = (
                msg("scenario.queue_validation.parent_queue_submit_jobs_to_leaf")
                if queue in queue_names
                else msg("scenario.queue_validation.not_listed_in_queues")
            )
            yield Fault(f"jobs[{index}].queue", f"{_truncated(queue)!r} {reason}{hint(queue, sorted_leaves)}")


def _truncated(name: str) -> str:
    return name if len(name) <= MAX_NAME_LENGTH else name[:MAX_NAME_LENGTH] + "…"


def _policies(queues: list[tuple[int, dict, str | None]], parents: set[str]) -> Iterator[Fault]:
    policy_of: dict[str | None, Any] = {name: queue.get("policy") for _, queue, name in queues}
    for index, queue, name in queues:
        policy = queue.get("policy")
        if policy == "fifo" and name in parents:
            yield Fault(
                f"queues[{index}].policy", msg("scenario.queue_validation.fifo_orders_jobs_and_only_leaf")
            )
        if policy == "drf" and name and policy_of.get(name.rpartition(".")[0]) == "fair":
            yield Fault(
                f"queues[{index}].policy", msg("scenario.queue_validation.drf_cant_stand_under_fair_parent")
            )


def _orderings(queues: list[tuple[int, dict, str | None]], parents: set[str]) -> Iterator[Fault]:
    for index, queue, name in queues:
        ordering = queue.get("ordering")
        if name in parents and ordering in LEAF_ORDERINGS:
            yield Fault(
                f"queues[{index}].ordering",
                msg("scenario.queue_validation.orders_jobs_and_only_leaf_queues", ordering=ordering),
            )
        if name is not None and name not in parents and ordering in PARENT_ORDERINGS:
            yield Fault(
                f"queues[{index}].ordering",
                msg(
                    "scenario.queue_validation.orders_queues_and_leaf_here_fifo", ordering=ordering, name=name
                ),
            )


def _has_written_capacity(queue: dict) -> bool:
    """Whether the queue keeps the words of a capacity in Hadoop's file that are no plain percentage."""
    kept: Any = queue
    for key in ("x_hadoop", "capacity-scheduler.xml"):
        kept = kept.get(key) if isinstance(kept, dict) else None
    return isinstance(kept, dict) and "capacity" in kept


def _states(queues: list[tuple[int, dict, str | None]]) -> Iterator[Fault]:
    """A queue does not run under one that is stopped (QueueStateHelper.initializeState)."""
    stopped = {name for _, queue, name in queues if name and queue.get("state") == "stopped"}
    for index, queue, name in queues:
        if name and queue.get("state") == "running":
            above = next((one for one in self_and_parents(name.rpartition(".")[0]) if one in stopped), None)
            if above:
                yield Fault(
                    f"queues[{index}].state",
                    msg("scenario.queue_validation.runs_under_stopped_queue", above=above),
                )


def _capacities(queues: list[tuple[int, dict, str | None]], implied: set[str]) -> Iterator[Fault]:
    """implied: queues that are there without being listed.

    Those of one parent may be guaranteed nothing, or less than all where Hadoop's file gives them resources
    of their own.
    """
    written = {index for index, queue, _ in queues if _has_written_capacity(queue)}
    children: dict[str, list[tuple[int, float | None]]] = {}
    for index, queue, name in queues:
        stated = queue.get("capacity_pct")
        share = number(stated)
        if name is not None and name != ROOT and (stated is None or share is not None):
            children.setdefault(name.rpartition(".")[0], []).append((index, share))
    for name in implied:
        children.setdefault(name.rpartition(".")[0], []).append((-1, None))
    for parent, group in children.items():
        shares = [share for _, share in group if share is not None]
        total = sum(shares)
        is_whole = len(shares) == len(group) and total > 0 and not written & {index for index, _ in group}
        if total > 100 + PRECISION or is_whole and total < 100 - PRECISION:
            last = max(index for index, share in group if share is not None)
            yield Fault(
                f"queues[{last}].capacity_pct",
                msg("scenario.queue_validation.queues_under_sum_to_they_must", parent=parent, total=total),
            )
