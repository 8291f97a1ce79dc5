"""What made the difference: which use of the capacity differs the most between runs of one scenario, and how that adds up to their lengths.

All is counted in time of the whole cluster: resource-time / capacity. A run's parts in it sum to its length exactly, so the difference of
two makespans is exactly the sum of the differences of the parts. That is an account, not a cause: it tells where the time is, not why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine.analysis.capacity.split import PARTS, CapacitySplit

LEAST = 0.001  # of the longest run; parts that differ by less are alike to a reader
MOST_TERMS = 3
LEAST_TERM = 0.05  # of all differences together; what is less goes into the rest
# verb, and what stands behind the share; then the part as a term of a sum
WORDS = {
    "master": ("spends", "on ApplicationMasters", "ApplicationMasters"),
    "launching": ("spends", "on launching containers", "launching"),
    "map": ("spends", "on maps", "maps"),
    "fetching": ("spends", "on reduces that fetch map output", "reduces fetching map output"),
    "waiting": ("has", "held by reduces that wait for maps", "reduces waiting for maps"),
    "computing": ("spends", "on reduces that compute", "reduces computing"),
    "unseen": ("has", "freed but awaiting a heartbeat", "freed, awaiting heartbeat"),
    "fits_no_node": ("leaves", "free but too fragmented for the requests that wait", "free but fragmented"),
    "not_given": ("leaves", "free but unassigned while requests wait that fit", "free but unassigned"),
    "unwanted": ("leaves", "idle without a request for it", "idle without a request for it"),
    "down": ("has", "lost with its nodes", "lost nodes"),
}


class CapacityUse(NamedTuple):
    """What one run made of one resource, as resource-ms / capacity. cluster_ms: of each part by its key, they sum to length_ms.

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
    """key: of the part that differs the most, None where none does; difference and account: a sentence each, the latter "" where there is none."""

    key: str | None
    difference: str
    account: str


def capacity_use(scheduler: str, finished: bool, split: CapacitySplit, resource: str) -> CapacityUse:
    """Of a run's split; resource: "vcores" or "memory". finished: the run did not end in a deadlock."""
    found = split.vcores if resource == "vcores" else split.memory
    parts = {key: total / found.capacity for key, total in found.totals.items()}
    return CapacityUse(scheduler, finished, int(split.times[-1] - split.times[0]), parts, found.wasted_total / found.capacity)


def capacity_comparison(uses: Sequence[CapacityUse], resource: str) -> CapacityComparison:
    """What differs the most between them, and how the longest run's parts differ from the shortest's.

    By time of the whole cluster: a run that is longer spends a smaller share on the same maps, which is no difference. Runs that got
    stuck have no makespan: where fewer than two finished, all are compared by their shares instead.
    """
    done = [one for one in uses if one.finished]
    if len(uses) < 2:
        return CapacityComparison(None, _alone(uses[0], resource), _stuck(uses))
    if len(done) < 2:
        key = _widest(uses, CapacityUse.share, LEAST)
        return CapacityComparison(key, _difference(uses, key, resource, CapacityUse.share), _stuck(uses))
    shortest, longest = min(done, key=lambda one: one.length_ms), max(reversed(done), key=lambda one: one.length_ms)
    key = _widest(done, _cluster_ms, LEAST * longest.length_ms)
    account = _account(shortest, longest, resource, key is None)
    return CapacityComparison(key, _difference(done, key, resource, _cluster_ms), " ".join(filter(None, [account, _stuck(uses)])))


def terms(longer: CapacityUse, shorter: CapacityUse) -> tuple[float, list[tuple[str, float]], float]:
    """(difference, [(key, its part)], rest) in seconds, rounded alike, so that what is shown adds up; the largest parts first."""
    parts = sorted(((key, ms - shorter.cluster_ms[key]) for key, ms in longer.cluster_ms.items()), key=lambda part: -abs(part[1]))
    whole = (longer.length_ms - shorter.length_ms) / 1000
    least = LEAST_TERM * sum(abs(ms) for _, ms in parts)
    digits = _digits(max(abs(whole), abs(parts[0][1]) / 1000))
    shown = [(key, round(ms / 1000, digits)) for key, ms in parts[:MOST_TERMS] if abs(ms) >= least]
    shown = [(key, seconds) for key, seconds in shown if seconds]
    whole = round(whole, digits)
    return whole, shown, round(whole - math.fsum(seconds for _, seconds in shown), digits)


def _cluster_ms(one: CapacityUse, key: str) -> float:
    return one.cluster_ms[key]


def _widest(uses: Sequence[CapacityUse], measure, least: float) -> str | None:
    """The part whose largest and smallest measure are farthest apart; None where that is no more than `least`."""
    spread = {part.key: max(measure(one, part.key) for one in uses) - min(measure(one, part.key) for one in uses) for part in PARTS}
    key = max(spread, key=spread.get)
    return key if spread[key] > least else None


def _difference(uses: Sequence[CapacityUse], key: str | None, resource: str, measure) -> str:
    if key is None:
        who = " and ".join(one.scheduler for one in uses) if len(uses) < 3 else "They"
        exactly = all(one.cluster_ms == uses[0].cluster_ms for one in uses)
        return f"{who} spend the {resource} {'alike' if exactly else f'alike but for less than {_percent(LEAST)} of a run'}."
    low, high = (pick(uses, key=lambda one: measure(one, key)) for pick in (min, max))
    verb, tail, _ = WORDS[key]
    (few, less), (many, more) = ((_percent(one.share(key)), f"{_seconds(one.cluster_ms[key] / 1000)} s") for one in (low, high))
    less = f"({less} of the whole cluster)"
    if len(uses) == 2:
        return f"{low.scheduler} {verb} {few} of the {resource} {tail} {less}, {high.scheduler} {many} ({more})."
    return f"Of {len(uses)} runs, {low.scheduler} {verb} the least of the {resource} {tail}, {few} {less}; {high.scheduler} the most, {many} ({more})."


def _account(shorter: CapacityUse, longer: CapacityUse, resource: str, alike: bool) -> str:
    whole, shown, rest = terms(longer, shorter)
    if not shown or (alike and not whole):
        return f"{shorter.scheduler} and {longer.scheduler} both take {_seconds(shorter.length_ms / 1000)} s."
    listed = [f"{_signed(seconds)} s {WORDS[key][2]}" for key, seconds in shown] + ([f"{_signed(rest)} s the rest"] if rest else [])
    unit = f"in time of the whole cluster's {resource}"
    if not whole:
        return f"{longer.scheduler} takes as long as {shorter.scheduler}; {unit}, it differs by {', '.join(listed)}."
    return f"{longer.scheduler} takes {_seconds(whole)} s longer than {shorter.scheduler}; {unit}, that is {', '.join(listed)}."


def _alone(one: CapacityUse, resource: str) -> str:
    key = max(one.cluster_ms, key=one.cluster_ms.get)
    verb, tail, _ = WORDS[key]
    return f"{one.scheduler} {verb} most of the {resource} {tail}: {_percent(one.share(key))} ({_seconds(one.cluster_ms[key] / 1000)} s of the whole cluster)."


def _stuck(uses: Sequence[CapacityUse]) -> str:
    stuck = [one for one in uses if not one.finished]
    if not stuck:
        return ""
    named = [f"{one.scheduler} {'' if number else 'deadlocked '}after {_seconds(one.length_ms / 1000)} s" for number, one in enumerate(stuck)]
    return f"{', '.join(named)}, so {'its length is' if len(stuck) == 1 else 'their lengths are'} not compared."


def _digits(seconds: float) -> int:
    """Decimals that leave about three digits."""
    return min(max(2 - math.floor(math.log10(seconds)), 0), 3) if seconds else 3


def _seconds(seconds: float) -> str:
    text = f"{seconds:,.{_digits(abs(seconds))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(seconds: float) -> str:
    return ("+" if seconds > 0 else "−") + _seconds(abs(seconds))


def _percent(share: float) -> str:
    text = f"{100 * share:.1f}"
    return f"{text.removesuffix('.0')} %"
