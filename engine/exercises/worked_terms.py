"""Terms of an order worked out by hand: the formula of its guide with the numbers of a decision put in."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine import quantities
from engine.codes import BY_CAPACITY, MAP, REDUCE, request_of
from engine.exercises.decision import Decision, Holder
from engine.explanation.observed_run import unit
from engine.messages import msg
from engine.schedulers.terms.fitness import size
from engine.simulation.waiting.rule import amount

MB_IN_GB = 1024
Row = dict[str, Any]  # a candidate as explain tells it


def _weights(found: Decision) -> tuple[float, float]:
    order = found.seen.scheduler.order
    return order.number("w_memory", 1.0), order.number("w_vcores", 1.0)


def _times_weight(weight: float) -> str:
    return "" if weight == 1 else f" × {quantities.number(weight)}"


def _number(value: float) -> str:
    return quantities.number(value)


def display_unit(unit_name: str, cluster: tuple[int, int]) -> tuple[float, str]:
    """By what a number is multiplied, and in which unit it is asked for then: memory in GB, as tables tell
    most of it.
    """
    if unit_name == "MB" and cluster[0] >= MB_IN_GB:
        return 1 / MB_IN_GB, "GB"
    return quantities.display_unit(unit_name)


def told(value: float, unit_name: str, cluster: tuple[int, int]) -> str:
    """A number in the unit in which it is asked for, to four digits: near enough to be right."""
    factor, shown = display_unit(unit_name, cluster)
    return f"{_number(factor * value)} {shown}".strip()


def percent(share: float) -> str:
    """A share in percent, to four digits."""
    return f"{_number(100 * share)} %"


def _fitness(found: Decision, row: Row) -> tuple[str, ...]:
    node = found.seen.nodes[found.node]
    w_memory, w_vcores = _weights(found)
    memory = w_memory * (row["memory_mb"] / node.memory) * (node.free_memory / node.memory)
    vcores = w_vcores * (row["vcores"] / node.vcores) * (node.free_vcores / node.vcores)
    return (
        msg("exercises.worked_terms.fitness"),
        msg(
            "exercises.worked_terms.fitness_memory",
            asked=amount(row["memory_mb"], "MB"),
            free=amount(node.free_memory, "MB"),
            whole=amount(node.memory, "MB"),
            weight=_times_weight(w_memory),
            result=_number(memory),
        ),
        msg(
            "exercises.worked_terms.fitness_vcores",
            asked=row["vcores"],
            free=node.free_vcores,
            whole=node.vcores,
            weight=_times_weight(w_vcores),
            result=_number(vcores),
        ),
        msg(
            "exercises.worked_terms.sum",
            first=_number(memory),
            second=_number(vcores),
            result=_number(memory + vcores),
        ),
    )


def _urgency(found: Decision, row: Row) -> tuple[str, ...]:
    """terms/urgency.py."""
    work = found.seen.run.workload
    job = work.job_names.index(row["job"])
    holds, maps, node = found.seen.jobs[job], int(work.job_maps[job]), found.seen.nodes[found.node]
    sizes = [
        size(
            int(work.request_memory[request]),
            int(work.request_vcores[request]),
            node.memory,
            node.vcores,
            *_weights(found),
        )
        for request in (request_of(work, job, MAP), request_of(work, job, REDUCE))
    ]
    of_maps = holds.placed_maps / maps * holds.placed_reduces * sizes[1]
    steps = (
        msg(
            "exercises.worked_terms.urgency_sizes", map_size=_number(sizes[0]), reduce_size=_number(sizes[1])
        ),
        msg(
            "exercises.worked_terms.urgency_of_maps",
            placed=holds.placed_maps,
            maps=maps,
            reduces=holds.placed_reduces,
            reduce_size=_number(sizes[1]),
            result=_number(of_maps),
        ),
    )
    return (*steps, *_urgency_of_reduces(holds, maps, of_maps, sizes)) if row["kind"] == "reduce" else steps


def _urgency_of_reduces(holds: Holder, maps: int, of_maps: float, sizes: list[float]) -> tuple[str, ...]:
    held = holds.running_maps * sizes[0] + holds.running_reduces * sizes[1]
    texts = {"placed": holds.placed_maps, "maps": maps, "held": _number(held)}
    progress = holds.placed_maps / maps
    if holds.running_reduces == holds.placed_reduces:
        result = _number(progress * progress * held)
        return (msg("exercises.worked_terms.urgency_without_ended", result=result, **texts),)
    if holds.running_reduces * sizes[1] == 0:
        return (msg("exercises.worked_terms.urgency_none_runs", result=_number(of_maps)),)
    by_reduces = holds.running_reduces * sizes[1]
    return (
        msg(
            "exercises.worked_terms.urgency_of_reduces",
            of_maps=_number(of_maps),
            by_reduces=_number(by_reduces),
            result=_number(of_maps * progress * held / by_reduces),
            **texts,
        ),
    )


def _preference(found: Decision, row: Row) -> tuple[str, ...]:
    """norm(F) + norm(U), of haste; other orders add more terms."""
    if found.seen.scheduler.order.policy.name != "haste":
        return ()
    steps, total = [msg("exercises.worked_terms.norm")], []
    for name in ("fitness", "urgency"):
        term = next(term for term in found.seen.scheduler.order.policy.terms if term.name == name)
        values = [one["terms"][name] for one in found.told["candidates"]]
        if None in values:
            return ()
        own, low, high = row["terms"][name], min(values), max(values)
        total.append((own - low) / (high - low) if high > low else 0.0)
        texts = {"term": term.title.lower(), "low": _number(low), "high": _number(high), "own": _number(own)}
        steps.append(
            msg("exercises.worked_terms.normed", result=_number(total[-1]), **texts)
            if high > low
            else msg("exercises.worked_terms.all_equal", **texts)
        )
    first, second = total
    result = _number(first + second)
    return (
        *steps,
        msg("exercises.worked_terms.sum", first=_number(first), second=_number(second), result=result),
    )


def _share(found: Decision, row: Row) -> tuple[str, ...]:
    """Memory or dominant share, for its weight."""
    policy = found.seen.scheduler.order.policy
    unit_name = unit(next(term for term in policy.terms if term.name == "share"))
    value, weight = row["terms"]["share"], row["weight"]
    if value is None or unit_name not in ("MB", "share"):
        return ()
    if unit_name == "MB":
        held = amount(row["job_used_memory_mb"], "MB")
        texts = {"weight": _number(weight), "result": told(value, "MB", found.seen.cluster)}
        return (msg("exercises.worked_terms.memory_for_weight", held=held, **texts),)
    used = row["job_used_memory_mb"], row["job_used_vcores"]
    steps, largest = dominant_share(*used, found.seen.cluster, row["job"])
    texts = {"share": percent(largest), "weight": _number(weight)}
    return (*steps, msg("exercises.worked_terms.share_for_weight", result=percent(value), **texts))


def dominant_share(
    memory: int, vcores: int, cluster: tuple[int, int], name: str
) -> tuple[tuple[str, ...], float]:
    """How a dominant share is worked out, and what it is."""
    shares = memory / cluster[0], vcores / cluster[1]
    texts = {"name": name}
    return (
        msg(
            "exercises.worked_terms.share_of_memory",
            held=amount(memory, "MB"),
            all=amount(cluster[0], "MB"),
            result=percent(shares[0]),
            **texts,
        ),
        msg(
            "exercises.worked_terms.share_of_vcores",
            held=amount(vcores, "vcores"),
            all=amount(cluster[1], "vcores"),
            result=percent(shares[1]),
            **texts,
        ),
        msg(
            "exercises.worked_terms.larger",
            resource=("memory", "vcores")[shares[1] > shares[0]],
            result=percent(max(shares)),
        ),
    ), max(shares)


def _second_share(found: Decision, row: Row) -> tuple[str, ...]:
    """The smaller share of the cluster, for its weight; of FairSharePolicy it is none."""
    value, cluster = row["terms"]["second_share"], found.seen.cluster
    shares = row["job_used_memory_mb"] / cluster[0], row["job_used_vcores"] / cluster[1]
    if value is None or not math.isclose(value, min(shares) / row["weight"]) or not value:
        return ()
    steps, _ = dominant_share(row["job_used_memory_mb"], row["job_used_vcores"], cluster, row["job"])
    texts = {"share": percent(min(shares)), "weight": _number(row["weight"])}
    return (*steps[:2], msg("exercises.worked_terms.smaller", result=_number(value), **texts))


def queue_share(found: Decision, queue: int, value: float) -> tuple[tuple[str, ...], str, float]:
    """The steps to the number by which a queue is compared with its siblings, its unit, and what it is
    without its weight or guarantee; () for one that holds nothing, or is below its minimum share, which is
    compared otherwise. A guarantee is whole MB and vcores, hence not exact.
    """
    tree, held, cluster = found.seen.run.workload.queues, found.seen.queues[queue], found.seen.cluster
    shares = held.memory / cluster[0], held.vcores / cluster[1]
    is_of_capacity = found.seen.scheduler.order.policy.queues.scheme == BY_CAPACITY
    whole = float(tree.capacity[queue] if is_of_capacity else tree.weight[queue])
    if whole <= 0 or held.memory == 0:
        return (), "", 0.0
    if not is_of_capacity and math.isclose(held.memory / whole, value, rel_tol=1e-6):
        texts = {"held": amount(held.memory, "MB"), "weight": _number(whole)}
        result = told(value, "MB", cluster)
        step = msg("exercises.worked_terms.memory_for_weight", result=result, **texts)
        return (step,), "MB", float(held.memory)
    share = shares[0] if found.seen.run.memory_only else max(shares)
    if not math.isclose(share / whole, value, rel_tol=1e-3):
        return (), "", 0.0
    steps, _ = dominant_share(held.memory, held.vcores, cluster, tree.names[queue])
    texts = {"share": percent(share), "result": percent(value)}
    last = (
        msg("exercises.worked_terms.share_for_guarantee", guarantee=percent(whole), **texts)
        if is_of_capacity
        else msg("exercises.worked_terms.share_for_weight", weight=_number(whole), **texts)
    )
    return (*(steps[:1] if found.seen.run.memory_only else steps), last), "share", share


def _score(found: Decision, row: Row) -> tuple[str, ...]:
    """(waiting - place) x k1 + (run time + waited) / (run time x splits), of the priority orders."""
    terms = row["terms"]
    names = ("waiting_jobs", "place", "waited", "run_time", "splits")
    if any(terms.get(name) is None for name in names):
        return ()
    k1 = found.seen.scheduler.order.number("k1", 1.0)
    seconds = {name: _number(terms[name] / 1000) for name in ("waited", "run_time")}
    texts = {name: _number(terms[name]) for name in ("waiting_jobs", "place", "splits")}
    return (
        msg(
            "exercises.worked_terms.score", k1=_number(k1), result=_number(terms["score"]), **texts, **seconds
        ),
    )


def _gain(found: Decision, row: Row) -> tuple[str, ...]:
    terms = row["terms"]
    if terms["t_fair"] is None or terms["t_batch"] is None:
        return ()
    values = {name: told(terms[name], "ms", found.seen.cluster) for name in ("t_fair", "t_batch", "gain")}
    return (msg("exercises.worked_terms.gain", **values),)


def _chance(found: Decision, row: Row) -> tuple[str, ...]:
    facts = facts_of(found)
    difference, chance = facts["difference"], facts["chance"]
    if difference is None or not chance:
        return ()
    texts = {"difference": _number(difference), "result": _number(chance)}
    if chance == 1:
        return (msg("exercises.worked_terms.chance_of_equals", **texts),)
    step = msg("exercises.worked_terms.chance", temperature=_number(temperature_of(facts)), **texts)
    return (*_difference(found, row), step)


def temperature_of(facts: dict[str, Any]) -> float:
    """The temperature of a draw of saf, which has cooled since; nan where the shares are equal and it plays
    no part, or nothing was drawn.
    """
    difference, chance = facts.get("difference"), facts.get("chance")
    return -difference / math.log(chance) if difference and chance and chance < 1 else math.nan


def _difference(found: Decision, row: Row) -> tuple[str, ...]:
    shares = sorted({one["job"]: one["terms"]["share"] for one in found.told["candidates"]}.values())
    difference = facts_of(found)["difference"]
    if difference is None or len(shares) < 2 or not math.isclose(shares[1] - shares[0], difference):
        return ()
    return (
        msg(
            "exercises.worked_terms.difference",
            first=percent(shares[0]),
            second=percent(shares[1]),
            result=_number(difference),
        ),
    )


# By the name of the term. () where it can't be worked out with what is known then.
WORKED: dict[str, Callable[[Decision, Row], tuple[str, ...]]] = {
    "fitness": _fitness,
    "urgency": _urgency,
    "preference": _preference,
    "share": _share,
    "score": _score,
    "gain": _gain,
    "chance": _chance,
    "difference": _difference,
    "second_share": _second_share,
}
CAN_BE_WORKED = {*WORKED, "queue_first"}
# In no table before the answer: the rest of what decides.
HIDDEN = {*WORKED, "fill", "alignment", "waiting", "remaining", "arrival", "of_kind", "temperature"}


def worked(found: Decision, name: str, row: Row) -> tuple[str, ...]:
    """The steps to a term of a candidate, () where none are known."""
    return WORKED[name](found, row) if name in WORKED else ()


def facts_of(found: Decision) -> dict[str, Any]:
    """The facts of the whole decision by name."""
    return {fact["name"]: fact["value"] for fact in found.told["facts"]}


def row_of(found: Decision, job: str, kind: str) -> Row | None:
    """The candidate as explain tells it."""
    return next((one for one in found.told["candidates"] if (one["job"], one["kind"]) == (job, kind)), None)
