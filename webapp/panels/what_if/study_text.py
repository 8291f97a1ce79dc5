"""The sentences and tables of studies: how large one is, what it found, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import Means, Metric, Study, StudyResult, Tunable, Winner, best_points, differences, estimates, winners
from webapp import theme
from webapp.panels.what_if.sweep_text import at
from webapp.services.fault_text import sentence_text

CLEAR, OPEN, SAME = "clear", "not told apart", "the same"
DRAWS_NOTHING = "The scenario draws nothing: every seed gives the same; add jitter to see how much is luck."
ONE_SEED = "One seed can't tell which value is best, for times are drawn: a study over more seeds does."
CORRECTED = "95 % intervals, paired seed by seed: every scheduler has the same draws. They are wider the more pairs are compared at once (Bonferroni)."
MOST_ROWS = 5_000
MOST_NAMED = 3


class Gap(NamedTuple):
    """How much more of a metric a scheduler has than the best one at a point; half: of the corrected interval; is_same: with every seed it has the same."""

    place: int
    best: int
    mean: float
    half: float
    is_same: bool

    @property
    def is_clear(self) -> bool:
        """Does the interval leave out nothing at all? Of runs without a value, no."""
        return abs(self.mean) > self.half


def size_text(study: Study, seconds: float) -> str:
    """ "2 schedulers × 5 values × 10 seeds: 100 runs, about 3 s"."""
    values = " × ".join(theme.count(len(one.values), "values") for one in study.vary)
    long = f", about {theme.duration(1000 * round(seconds))}" if seconds >= 1 else ""
    return f"{theme.count(len(study.schedulers), 'schedulers')} × {values} × {theme.count(study.seeds, 'seeds')}: {theme.count(study.runs, 'runs')}{long}."


def gaps(found: StudyResult, metric: Metric, point: int) -> list[Gap]:
    """Of every other scheduler to the best at a point, by their means; none where one alone is known or no value is better than another."""
    here = _only(found, point)
    values, mean = here.of(metric.key)[0], estimates(here, metric.key).mean[0]
    order = [place for place in np.argsort(mean if metric.better != "larger" else -mean, kind="stable").tolist() if not math.isnan(mean[place])]
    count = len(found.study.schedulers)
    if len(order) < 2:
        return []
    apart = differences(here, metric.key, order[0], count * (count - 1) // 2)
    same = lambda place: bool(np.array_equal(values[place], values[order[0]], equal_nan=True))
    return [Gap(place, order[0], float(apart.mean[0, place]), float(apart.half[0, place]), same(place)) for place in order[1:]]


def alike(found: StudyResult, metric: Metric) -> list[list[int]]:
    """Places of schedulers that have the same values everywhere, which stand once."""
    groups: dict[bytes, list[int]] = {}
    values = found.of(metric.key)
    for place in range(len(found.study.schedulers)):
        groups.setdefault(values[:, place].tobytes(), []).append(place)
    return list(groups.values())


def equal_names(found: StudyResult, places: Sequence[int]) -> str:
    """ "fifo = haste"."""
    return " = ".join(found.study.schedulers[place] for place in places)


def _only(found: StudyResult, point: int) -> StudyResult:
    """A result of one of its points."""
    return StudyResult(found.study, found.values[point : point + 1], found.state[point : point + 1])


def plus_minus(mean: float, half: float, unit: str, signed: bool = False) -> str:
    """ "61 s ± 9 s", "+61 s ± 9 s"; without an interval the number alone."""
    if math.isnan(mean):
        return theme.NOTHING
    sign = ("+" if mean > 0 else "−" if mean < 0 else "") if signed else ""
    text = sign + theme.amount(abs(mean) if signed else mean, unit)
    return text if math.isnan(half) or half == 0 else f"{text} ± {theme.amount(half, unit)}"


def point_text(found: StudyResult, point: int, tunables: Sequence[Tunable]) -> str:
    """Where a point is: "8 nodes", "8 nodes and 512 MB"."""
    return " and ".join(at(value, tunable) for value, tunable in zip(found.study.points[point], tunables))


def answer_text(found: StudyResult, metric: Metric, point: int, tunables: Sequence[Tunable]) -> str:
    """Which scheduler is best at a point, and how sure that is."""
    names, where = found.study.schedulers, point_text(found, point, tunables)
    known = gaps(found, metric, point)
    title = metric.title[:1].lower() + metric.title[1:]
    if not known:
        return f"At {where} no two schedulers have a {title} to compare yet." if len(names) > 1 else ""
    if metric.better is None:
        return f"At {where}: {names[known[0].best]} has the least {title}."
    best = [names[known[0].best], *(names[gap.place] for gap in known if gap.is_same)]
    others = [gap for gap in known if not gap.is_same]
    if not others:
        return f"At {where} all schedulers have the same {title}."
    near, unsure = others[0], [names[gap.place] for gap in others if not gap.is_clear]
    ahead = f"{plus_minus(abs(near.mean), near.half, metric.unit)} ahead of {names[near.place]}"
    if unsure:
        return f"At {where} {joined([*best, *unsure])} are not told apart: {names[near.best]} is {ahead}."
    clear = ", clear" if near.half > 0 else ""
    return f"At {where} {joined(best)} {'has' if len(best) == 1 else 'have'} the best {title}: {ahead}{clear}."


def joined(names: Sequence[str]) -> str:
    """ "fifo, fair and drf"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def curve_story(found: StudyResult, metric: Metric, tunable: Tunable) -> str:
    """At which value each scheduler is best beyond doubt."""
    names, values = found.study.schedulers, [point[0] for point in found.study.points]
    if metric.better is None:
        return f"No value of {metric.title[:1].lower() + metric.title[1:]} is better than another."
    if found.study.seeds == 1 and found.study.is_random:
        return ONE_SEED
    of, best = estimates(found, metric.key), best_points(found, metric.key)
    groups = alike(found, metric)
    sure = [
        f"{equal_names(found, one)} at {at(values[best[one[0]]], tunable)} ({_mean(of, best[one[0]], one[0], metric)})" for one in groups if best[one[0]] >= 0
    ]
    unsure = [names[place] for place, top in enumerate(best) if top < 0]
    lines = [f"★ Best: {'; '.join(sure)}."] if sure else []
    if unsure:
        because = "no value is best beyond doubt, the best ones' intervals meet" if found.study.is_random else "several values are as good"
        lines.append(f"{joined(unsure)}: {because}.")
    return " ".join([*lines, *missing(found)])


def _mean(of: Means, point: int, place: int, metric: Metric) -> str:
    return plus_minus(float(of.mean[point, place]), float(of.half[point, place]), metric.unit)


def missing(found: StudyResult) -> list[str]:
    """Why some points have no value, in a sentence a scheduler, by the first reason."""
    lines = []
    for place, name in enumerate(found.study.schedulers):
        reasons = [sentence for (_, other), sentence in sorted(found.because.items()) if other == place]
        if reasons:
            lines.append(f"{name} has runs without a value at {theme.count(len(reasons), 'points')}: {sentence_text(reasons[0]).rstrip('.')}.")
    return lines


def map_story(found: StudyResult, metric: Metric, won: Sequence[Winner], tunables: Sequence[Tunable]) -> str:
    """How many cells each scheduler wins, and how many nobody does."""
    names, points = found.study.schedulers, len(won)
    clear = {place: sum(one.is_clear and one.place == place for one in won) for place in range(len(names))}
    parts = [f"{names[place]} in {count:,}" for place, count in sorted(clear.items(), key=lambda one: -one[1]) if count]
    unsure = sum(one.place >= 0 and not one.is_clear for one in won)
    lines = [
        f"Of {theme.count(points, 'cells')}, best beyond doubt: {'; '.join(parts)}."
        if parts
        else f"In none of {theme.count(points, 'cells')} is a scheduler best beyond doubt."
    ]
    if parts and unsure:
        lines.append(f"In {unsure:,} the best are not told apart.")
    if parts:
        widest = max((place for place, one in enumerate(won) if one.is_clear), key=lambda place: won[place].margin)
        one = won[widest]
        margin = plus_minus(one.margin, one.half, metric.unit)
        lines.append(f"The largest margin is {margin}, of {names[one.place]} at {point_text(found, widest, tunables)}.")
    return " ".join([*lines, *missing(found)])


def cell_texts(found: StudyResult, metric: Metric, won: Sequence[Winner]) -> list[str]:
    """What hovering over each cell says, after where it is."""
    names = found.study.schedulers
    return [
        "no value" if one.place < 0 else names[one.place] if one.second < 0
        else f"{names[one.place]} by {plus_minus(one.margin, one.half, metric.unit)}{'' if one.is_clear else ', ' + OPEN}"
        for one in won
    ]  # fmt: skip


def rows(found: StudyResult, metric: Metric, tunables: Sequence[Tunable]) -> list[dict[str, Any]]:
    """A row a point: its values, and of each scheduler mean and half of the interval; of a map, who is best and by how much, too."""
    of, (times, unit) = estimates(found, metric.key), theme.column(metric.unit)
    won = winners(found, metric.key) if len(tunables) > 1 else []
    table = []
    for point, values in enumerate(found.study.points[:MOST_ROWS]):
        row: dict[str, Any] = {theme.titled(tunable.title, tunable.unit): value for tunable, value in zip(tunables, values)}
        if won:
            one = won[point]
            row |= {"Best": found.study.schedulers[one.place] if one.place >= 0 else theme.NOTHING, "Told apart": CLEAR if one.is_clear else OPEN}
            row[f"Margin ({unit})"] = _rounded(one.margin * times)
        for place, name in enumerate(found.study.schedulers):
            row[f"{name} ({unit})"] = _rounded(float(of.mean[point, place]) * times)
            if found.study.seeds > 1:
                row[f"{name} ± ({unit})"] = _rounded(float(of.half[point, place]) * times)
        table.append(row)
    return table


def seed_rows(found: StudyResult, metric: Metric, point: int) -> list[dict[str, Any]]:
    """A row a seed at a point, a column a scheduler."""
    values, (times, unit) = found.of(metric.key)[point], theme.column(metric.unit)
    names = [f"{name} ({unit})" for name in found.study.schedulers]
    return [
        {"Seed": found.study.seed(seed)} | {name: _rounded(float(own[seed]) * times) for name, own in zip(names, values)} for seed in range(found.study.seeds)
    ]


def _rounded(number: float) -> float | None:
    return None if math.isnan(number) else float(f"{number:.6g}")
