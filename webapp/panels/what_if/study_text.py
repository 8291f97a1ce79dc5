"""The sentences and tables of studies: how large one is, what it found, and how sure that is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import Study, quantities
from engine.dashboard import (
    Metric,
    StudyResult,
    Tunable,
    Winner,
    best_points,
    differences,
    display_name,
    estimates,
    winners,
)
from webapp.http.fault_text import sentence_text
from webapp.messages import msg
from webapp.panels.what_if.sweep_text import at
from webapp.report import summary_text

CLEAR, OPEN, SAME = "clear", msg("panels.study_text.no_significant_difference"), msg("panels.study_text.same")
DRAWS_NOTHING = msg("panels.study_text.deterministic_add_jitter")
ONE_SEED = msg("panels.study_text.one_seed_cant_tell_which_value")
CORRECTED = msg("panels.study_text.intervals_paired_seed_by_seed_every")
MAX_ROWS = 5_000


class GapToBest(NamedTuple):
    """How much more of a metric a scheduler has than the best scheduler at a point; half: of the corrected
    interval; is_same: with every seed it has the same.
    """

    scheduler: int
    best: int
    mean: float
    half: float
    is_same: bool

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes zero; False for runs without a value."""
        return abs(self.mean) > self.half


def size_text(study: Study, seconds: float) -> str:
    """ "2 schedulers × 5 values × 10 seeds: 100 runs, about 3 s"."""
    factors = [(len(study.schedulers), "schedulers")]
    factors += [(len(axis.values), "values") for axis in study.vary] + [(study.seeds, "seeds")]
    product = " × ".join(quantities.count(number, noun) for number, noun in factors)
    return f"{product}: {quantities.count(study.runs, 'runs')}{time_text(seconds)}."


def time_text(seconds: float) -> str:
    """ ", about 3 s"; "" of what takes no time to speak of."""
    return msg("shared.about", seconds=quantities.duration(1000 * round(seconds))) if seconds >= 1 else ""


def gaps_to_best(result: StudyResult, metric: Metric, point: int) -> list[GapToBest]:
    """Of every other scheduler to the best at a point, by their means; none where one alone is known or no
    value is better than another.
    """
    at_point = _at_point(result, point)
    values, mean = at_point.of(metric.key)[0], estimates(at_point, metric.key).mean[0]
    ascending = np.argsort(mean if metric.better != "larger" else -mean, kind="stable").tolist()
    best, *others = [index for index in ascending if not math.isnan(mean[index])] or [0]
    if not others:
        return []
    count = len(result.study.schedulers)
    difference = differences(at_point, metric.key, best, count * (count - 1) // 2)
    gaps, halves = difference.mean[0].tolist(), difference.half[0].tolist()
    is_same = lambda index: bool(np.array_equal(values[index], values[best], equal_nan=True))
    return [GapToBest(index, best, gaps[index], halves[index], is_same(index)) for index in others]


def identical_groups(result: StudyResult, metric: Metric) -> list[list[int]]:
    """Places of schedulers that have the same values everywhere, which stand once."""
    groups: dict[bytes, list[int]] = {}
    values = result.of(metric.key)
    for index in range(len(result.study.schedulers)):
        groups.setdefault(values[:, index].tobytes(), []).append(index)
    return list(groups.values())


def display_names(result: StudyResult) -> tuple[str, ...]:
    """The schedulers as people read them."""
    return tuple(map(display_name, result.study.schedulers))


def equal_names(result: StudyResult, indices: Sequence[int]) -> str:
    """ "fifo = haste"."""
    return " = ".join(display_names(result)[index] for index in indices)


def _at_point(result: StudyResult, point: int) -> StudyResult:
    """A result of one of its points."""
    return StudyResult(result.study, result.values[point : point + 1], result.state[point : point + 1])


def point_text(result: StudyResult, point: int, tunables: Sequence[Tunable]) -> str:
    """Where a point is: "8 nodes", "8 nodes and 512 MB"."""
    return " and ".join(at(value, tunable) for value, tunable in zip(result.study.points[point], tunables))


def answer_text(result: StudyResult, metric: Metric, point: int, tunables: Sequence[Tunable]) -> str:
    """Which scheduler is best at a point, and how sure that is."""
    names, where = display_names(result), point_text(result, point, tunables)
    gaps = gaps_to_best(result, metric, point)
    title = mid_sentence(metric)
    if len(names) == 1:
        return ""
    if not gaps:
        return msg("panels.study_text.at_no_two_schedulers_have_to", where=where, title=title)
    if metric.better is None:
        return msg("panels.study_text.at_has_least", where=where, names=names[gaps[0].best], title=title)
    best = [names[gaps[0].best], *(names[gap.scheduler] for gap in gaps if gap.is_same)]
    different = [gap for gap in gaps if not gap.is_same]
    if not different:
        return msg("panels.study_text.at_all_schedulers_have_same", where=where, title=title)
    nearest, unsure = different[0], [names[gap.scheduler] for gap in different if not gap.is_clear]
    margin = _margin(abs(nearest.mean), nearest.half, metric)
    ahead = msg("panels.study_text.ahead", margin=margin, names=names[nearest.scheduler])
    if unsure:
        return msg(
            "panels.study_text.at_no_significant_difference",
            where=where,
            joined_names=joined_names([*best, *unsure]),
            names=names[nearest.best],
            ahead=ahead,
        )
    return msg(
        "panels.study_text.at_best",
        where=where,
        joined_names=joined_names(best),
        value="has" if len(best) == 1 else "have",
        title=title,
        ahead=ahead,
        clear=", clear" if nearest.half > 0 else "",
    )


def mid_sentence(metric: Metric) -> str:
    """A metric's title in the middle of a sentence."""
    return metric.title[:1].lower() + metric.title[1:]


def joined_names(names: Sequence[str]) -> str:
    """ "fifo, fair and drf"."""
    *others, last = names
    return msg("shared.and", others=summary_text.separated(others), last=last) if others else last


def curve_story(result: StudyResult, metric: Metric, tunable: Tunable) -> str:
    """At which value each scheduler is best beyond doubt."""
    names, values = display_names(result), [point[0] for point in result.study.points]
    if metric.better is None:
        return msg("panels.study_text.no_value_better_than_another", lower=mid_sentence(metric))
    if result.study.seeds == 1 and result.study.is_random:
        return ONE_SEED
    means, best = estimates(result, metric.key), best_points(result, metric.key)
    clear = []
    for first, *others in identical_groups(result, metric):
        if (top := best[first]) >= 0:
            mean, half = float(means.mean[top, first]), float(means.half[top, first])
            value = quantities.estimate(mean, half, metric.unit)
            clear.append(f"{equal_names(result, [first, *others])} at {at(values[top], tunable)} ({value})")
    lines = [msg("panels.study_text.best", clear="; ".join(clear))] if clear else []
    if unclear := [names[index] for index, top in enumerate(best) if top < 0]:
        because = msg("panels.study_text.several_values_as_good")
        if result.study.is_random:
            because = msg("panels.study_text.no_significant_winner")
        lines.append(f"{joined_names(unclear)}: {because}.")
    return " ".join([*lines, *missing(result)])


def _margin(mean: float, half: float, metric: Metric) -> str:
    """A difference that is above 0, without a sign."""
    return quantities.estimate(mean, half, metric.unit, is_difference=True).removeprefix("+")


def missing(result: StudyResult) -> list[str]:
    """Why some points have no value, in a sentence a scheduler, by the first reason."""
    lines = []
    for index, name in enumerate(display_names(result)):
        reasons = [sentence for (_, other), sentence in sorted(result.because.items()) if other == index]
        if reasons:
            count, first = quantities.count(len(reasons), "points"), sentence_text(reasons[0]).rstrip(".")
            line = msg("panels.study_text.has_runs_without_value_at", name=name, count=count, rstrip=first)
            lines.append(line)
    return lines


def map_story(
    result: StudyResult, metric: Metric, winners_by_point: Sequence[Winner], tunables: Sequence[Tunable]
) -> str:
    """How many cells each scheduler wins, and how many nobody does."""
    names, count = display_names(result), quantities.count(len(winners_by_point), "cells")
    clear = [(point, winner) for point, winner in enumerate(winners_by_point) if winner.is_clear]
    if not clear:
        none_best = msg("panels.study_text.none_significantly_best", count=count)
        return " ".join([none_best, *missing(result)])
    cells = Counter(sorted(winner.scheduler_index for _, winner in clear))
    parts = "; ".join(f"{names[index]} in {cells_won:,}" for index, cells_won in cells.most_common())
    lines = [msg("panels.study_text.significantly_best", count=count, parts=parts)]
    if unclear := sum(winner.scheduler_index >= 0 and not winner.is_clear for winner in winners_by_point):
        lines.append(msg("panels.study_text.in_no_significant_best", unclear=unclear))
    widest, winner = max(clear, key=lambda cell: cell[1].margin)
    largest = msg(
        "panels.study_text.largest_margin_at",
        margin=_margin(winner.margin, winner.half, metric),
        names=names[winner.scheduler_index],
        point_text=point_text(result, widest, tunables),
    )
    return " ".join([*lines, largest, *missing(result)])


def cell_texts(result: StudyResult, metric: Metric, winners_by_point: Sequence[Winner]) -> list[str]:
    """What hovering over each cell says, after where it is."""
    names = display_names(result)

    def text(winner: Winner) -> str:
        if winner.scheduler_index < 0:
            return msg("panels.study_text.no_value")
        name = names[winner.scheduler_index]
        if winner.second < 0:
            return name
        doubt = "" if winner.is_clear else f", {OPEN}"
        return f"{name} by {_margin(winner.margin, winner.half, metric)}{doubt}"

    return list(map(text, winners_by_point))


def rows(result: StudyResult, metric: Metric, tunables: Sequence[Tunable]) -> list[dict[str, Any]]:
    """A row a point: its values, and of each scheduler mean and half of the interval; of a map, who is best
    and by how much, too.
    """
    means, (times, unit) = estimates(result, metric.key), quantities.display_unit(metric.unit)
    winners_by_point = winners(result, metric.key) if len(tunables) > 1 else []
    table = []
    for point, values in enumerate(result.study.points[:MAX_ROWS]):
        row: dict[str, Any] = {
            quantities.title_with_unit(tunable.title, tunable.unit): value
            for tunable, value in zip(tunables, values)
        }
        if winners_by_point:
            winner = winners_by_point[point]
            has_best = winner.scheduler_index >= 0
            best = result.study.schedulers[winner.scheduler_index] if has_best else quantities.NO_VALUE
            row |= {"Best": best, "Told apart": CLEAR if winner.is_clear else OPEN}
            row[f"Margin ({unit})"] = rounded(winner.margin * times)
        for index, name in enumerate(result.study.schedulers):
            row[f"{name} ({unit})"] = rounded(float(means.mean[point, index]) * times)
            if result.study.seeds > 1:
                row[f"{name} ± ({unit})"] = rounded(float(means.half[point, index]) * times)
        table.append(row)
    return table


def seed_rows(result: StudyResult, metric: Metric, point: int) -> list[dict[str, Any]]:
    """A row a seed at a point, a column a scheduler."""
    values, (times, unit) = result.of(metric.key)[point], quantities.display_unit(metric.unit)
    names = [f"{name} ({unit})" for name in result.study.schedulers]
    return [
        {"Seed": result.study.seed(seed)}
        | {name: rounded(float(row_values[seed]) * times) for name, row_values in zip(names, values)}
        for seed in range(result.study.seeds)
    ]


def rounded(number: float) -> float | None:
    """A number as tables have it, to six digits; None of what is none."""
    return None if math.isnan(number) else float(f"{number:.6g}")
