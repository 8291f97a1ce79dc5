"""What made the difference: which use of the capacity differs the most between runs of one scenario, and how
that adds up to their lengths.

All is counted in time of the whole cluster: resource-time / capacity. A run's parts in it sum to its length
exactly, so the difference of two makespans is exactly the sum of the differences of the parts. That is an
account, not a cause: it tells where the time is, not why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine import quantities
from engine.analysis.capacity.split import PARTS, CapacitySplit
from engine.messages import msg

MIN_DIFFERENCE = 0.001  # of the longest run; parts that differ by less look equal to a reader
MAX_TERMS = 3
MIN_TERM_SHARE = 0.05  # of all differences together; smaller terms go into the remainder
# verb, and what stands behind the share; then the part as a term of a sum
PART_WORDS = {
    "master": ("spends", msg("analysis.comparison.on_applicationmasters"), "ApplicationMasters"),
    "launching": ("spends", msg("analysis.comparison.on_launching_containers"), "launching"),
    "map": ("spends", msg("analysis.comparison.on_maps"), "maps"),
    "task": (
        "spends",
        msg("analysis.comparison.on_tasks_of_stages"),
        msg("analysis.comparison.tasks_of_stages"),
    ),
    "slots_free": (
        "has",
        msg("analysis.comparison.held_by_free_slots"),
        msg("analysis.comparison.slots_free"),
    ),
    "executor_idle": (
        "has",
        msg("analysis.comparison.held_by_idle_executors"),
        msg("analysis.comparison.executors_idle"),
    ),
    "held_idle": (
        "has",
        msg("analysis.comparison.held_without_task"),
        msg("analysis.comparison.held_idle"),
    ),
    "fetching": (
        "spends",
        msg("analysis.comparison.on_tasks_fetch_input"),
        msg("analysis.comparison.tasks_fetching_input"),
    ),
    "waiting": (
        "has",
        msg("analysis.comparison.held_by_tasks_wait_for_input"),
        msg("analysis.comparison.tasks_waiting_for_input"),
    ),
    "computing": (
        "spends",
        msg("analysis.comparison.on_reduces_compute"),
        msg("analysis.comparison.reduces_computing"),
    ),
    "unseen": (
        "has",
        msg("analysis.comparison.freed_but_awaiting_heartbeat"),
        msg("analysis.comparison.freed_awaiting_heartbeat"),
    ),
    "fits_no_node": (
        "leaves",
        msg("analysis.comparison.free_but_too_fragmented_for_requests"),
        msg("analysis.comparison.free_but_fragmented"),
    ),
    "not_given": (
        "leaves",
        "free but unassigned while requests wait that fit",
        msg("analysis.comparison.free_but_unassigned"),
    ),
    "unwanted": (
        "leaves",
        msg("analysis.comparison.idle_because_no_request_waits"),
        msg("analysis.comparison.idle_because_no_request_waits"),
    ),
    "down": ("has", msg("analysis.comparison.lost_with_its_nodes"), msg("analysis.comparison.lost_nodes")),
}


class CapacityUse(NamedTuple):
    """What one run made of one resource, as resource-ms / capacity. cluster_ms: of each part by its key, they
    sum to length_ms.

    wasted_ms: what containers held until they were killed, failed or were lost, within the parts.
    """

    scheduler: str
    finished: bool
    length_ms: int  # the makespan; in a deadlock, until it was reached
    cluster_ms: dict[str, float]
    wasted_ms: float = 0.0

    def share(self, key: str) -> float:
        """The part's share of capacity x time; 0 in a run that takes no time."""
        return self.cluster_ms[key] / self.length_ms if self.length_ms else 0.0


class CapacityComparison(NamedTuple):
    """key: of the part that differs the most, None where none does; difference and account: a sentence each,
    the latter "" where there is none.
    """

    key: str | None
    difference: str
    account: str


def capacity_use(scheduler: str, finished: bool, split: CapacitySplit, resource: str) -> CapacityUse:
    """Of a run's split; resource: "vcores" or "memory". finished: the run did not end in a deadlock."""
    resource_split = split.vcores if resource == "vcores" else split.memory
    parts = {key: total / resource_split.capacity for key, total in resource_split.totals.items()}
    return CapacityUse(
        scheduler,
        finished,
        int(split.times[-1] - split.times[0]),
        parts,
        resource_split.wasted_total / resource_split.capacity,
    )


def capacity_comparison(uses: Sequence[CapacityUse], resource: str) -> CapacityComparison:
    """What differs the most between them, and how the longest run's parts differ from the shortest's.

    By time of the whole cluster: a run that is longer spends a smaller share on the same maps, which is no
    difference. Runs that got stuck have no makespan: where fewer than two finished, all are compared by their
    shares instead.
    """
    done = [use for use in uses if use.finished]
    if len(uses) < 2:
        return CapacityComparison(None, _single_run_sentence(uses[0], resource), _deadlock_sentence(uses))
    if len(done) < 2:
        key = _widest(uses, CapacityUse.share, MIN_DIFFERENCE)
        return CapacityComparison(
            key, _difference_sentence(uses, key, resource, CapacityUse.share), _deadlock_sentence(uses)
        )
    shortest, longest = (
        min(done, key=lambda use: use.length_ms),
        max(reversed(done), key=lambda use: use.length_ms),
    )
    key = _widest(done, _cluster_ms, MIN_DIFFERENCE * longest.length_ms)
    account = _account_sentence(shortest, longest, resource, key is None)
    return CapacityComparison(
        key,
        _difference_sentence(done, key, resource, _cluster_ms),
        " ".join(filter(None, [account, _deadlock_sentence(uses)])),
    )


def terms(longer: CapacityUse, shorter: CapacityUse) -> tuple[float, list[tuple[str, float]], float]:
    """(difference, [(key, its part)], rest) in seconds, all rounded to the same digits, so that what is shown
    adds up; the largest parts first.
    """
    parts = sorted(
        ((key, ms - shorter.cluster_ms[key]) for key, ms in longer.cluster_ms.items()),
        key=lambda part: -abs(part[1]),
    )
    total = (longer.length_ms - shorter.length_ms) / 1000
    min_term = MIN_TERM_SHARE * sum(abs(ms) for _, ms in parts)
    digits = _digits(max(abs(total), abs(parts[0][1]) / 1000))
    shown = [(key, round(ms / 1000, digits)) for key, ms in parts[:MAX_TERMS] if abs(ms) >= min_term]
    shown = [(key, seconds) for key, seconds in shown if seconds]
    total = round(total, digits)
    return total, shown, round(total - math.fsum(seconds for _, seconds in shown), digits)


def capacity_reason(shorter: CapacityUse, longer: CapacityUse, resource: str) -> str:
    """What of the resource the longer run spends the most time of the cluster more on, in half a sentence of
    which the shorter run is "it"; "" where nothing accounts for half of what it takes longer, or is no more
    in whole percents.
    """
    more_ms = {part.key: longer.cluster_ms[part.key] - shorter.cluster_ms[part.key] for part in PARTS}
    key = max(more_ms, key=lambda part: more_ms[part])
    low, high = (quantities.whole_percent(one.share(key)) for one in (shorter, longer))
    is_more = longer.share(key) > shorter.share(key) and low != high
    if 2 * more_ms[key] < longer.length_ms - shorter.length_ms or not is_more:
        return ""
    verb, tail, _ = PART_WORDS[key]
    return msg(
        "analysis.comparison.it_instead_of",
        verb=verb,
        low=low,
        high=high,
        resource=resource,
        tail=tail,
    )


def _cluster_ms(use: CapacityUse, key: str) -> float:
    return use.cluster_ms[key]


def _widest(uses: Sequence[CapacityUse], measure, threshold: float) -> str | None:
    """The part whose largest and smallest measure are farthest apart; None where that is no more than
    `threshold`.
    """
    spread = {
        part.key: max(measure(use, part.key) for use in uses) - min(measure(use, part.key) for use in uses)
        for part in PARTS
    }
    key = max(spread, key=lambda part: spread[part])
    return key if spread[key] > threshold else None


def _difference_sentence(uses: Sequence[CapacityUse], key: str | None, resource: str, measure) -> str:
    if key is None:
        names = " and ".join(use.scheduler for use in uses) if len(uses) < 3 else "They"
        exactly = all(use.cluster_ms == uses[0].cluster_ms for use in uses)
        return msg(
            "analysis.comparison.spend",
            names=names,
            resource=resource,
            value="alike"
            if exactly
            else f"alike but for less than {quantities.percent(MIN_DIFFERENCE)} of a run",
        )
    low, high = (extreme(uses, key=lambda use: measure(use, key)) for extreme in (min, max))
    verb, tail, _ = PART_WORDS[key]
    (low_share, low_time), (high_share, high_time) = (
        (quantities.percent(use.share(key)), quantities.duration(use.cluster_ms[key])) for use in (low, high)
    )
    low_time = msg("analysis.comparison.whole_cluster", low_time=low_time)
    if len(uses) == 2:
        return msg(
            "analysis.comparison.of_the",
            scheduler=low.scheduler,
            verb=verb,
            low_share=low_share,
            resource=resource,
            tail=tail,
            low_time=low_time,
            scheduler2=high.scheduler,
            high_share=high_share,
            high_time=high_time,
        )
    return msg(
        "analysis.comparison.runs_smallest_part_largest",
        uses=len(uses),
        scheduler=low.scheduler,
        verb=verb,
        resource=resource,
        tail=tail,
        low_share=low_share,
        low_time=low_time,
        scheduler2=high.scheduler,
        high_share=high_share,
        high_time=high_time,
    )


def _account_sentence(shorter: CapacityUse, longer: CapacityUse, resource: str, is_same: bool) -> str:
    total, shown, remainder = terms(longer, shorter)
    if not shown or (is_same and not total):
        return msg(
            "analysis.comparison.and_both_take",
            scheduler=shorter.scheduler,
            scheduler2=longer.scheduler,
            duration=quantities.duration(shorter.length_ms),
        )
    listed = [f"{_exact(seconds, signed=True)} {PART_WORDS[key][2]}" for key, seconds in shown] + (
        [msg("analysis.comparison.rest", signed=_exact(remainder, signed=True))] if remainder else []
    )
    unit = msg("analysis.comparison.in_time_whole_clusters", resource=resource)
    if not total:
        return msg(
            "analysis.comparison.takes_as_long_as_differs_by",
            scheduler=longer.scheduler,
            scheduler2=shorter.scheduler,
            unit=unit,
            listed=", ".join(listed),
        )
    return msg(
        "analysis.comparison.takes_longer_than",
        scheduler=longer.scheduler,
        duration=_exact(total),
        scheduler2=shorter.scheduler,
        unit=unit,
        listed=", ".join(listed),
    )


def _single_run_sentence(use: CapacityUse, resource: str) -> str:
    key = max(use.cluster_ms, key=lambda part: use.cluster_ms[part])
    verb, tail, _ = PART_WORDS[key]
    return msg(
        "analysis.comparison.most_whole_cluster",
        scheduler=use.scheduler,
        verb=verb,
        resource=resource,
        tail=tail,
        percent=quantities.percent(use.share(key)),
        duration=quantities.duration(use.cluster_ms[key]),
    )


def _deadlock_sentence(uses: Sequence[CapacityUse]) -> str:
    stuck = [use for use in uses if not use.finished]
    if not stuck:
        return ""
    named = [
        msg(
            "analysis.comparison.after",
            scheduler=use.scheduler,
            value="" if number else "deadlocked ",
            duration=quantities.duration(use.length_ms),
        )
        for number, use in enumerate(stuck)
    ]
    return msg(
        "analysis.comparison.so_not_compared",
        named=", ".join(named),
        value="its length is" if len(stuck) == 1 else "their lengths are",
    )


def _digits(seconds: float) -> int:
    """Decimals that leave about three digits."""
    return min(max(2 - math.floor(math.log10(seconds)), 0), 3) if seconds else 3


def _exact(seconds: float, signed: bool = False) -> str:
    """All digits that `terms` left, so that what is shown adds up."""
    return quantities.duration(1000 * seconds, exact=True, signed=signed)
