"""A study as a table for people: means with their intervals, paired differences, and who is best where, and
how sure that is.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import quantities
from engine.analysis.metrics import Metric
from engine.messages import msg
from engine.output.study_labels import (
    display_unit,
    estimate_cell,
    full_names,
    missing_lines,
    provenance,
    study_axes,
    value_text,
)
from engine.output.text_columns import format_block, split_blocks
from engine.studies.measures import STUDY_MEASURES
from engine.studies.result import StudyResult
from engine.studies.statistics import Winner, best_points, corrected, differences, estimates, winners

BEST_MARK, NO_MARK = " *", "  "
UNSURE_MARK = "?"
MAX_NAMED_SPANS = 6  # points that a sentence names one by one


def study_table(result: StudyResult, metrics: Sequence[str], width: int = 100) -> str:
    """Of each of these metrics a block of means, one of differences, the map of the winner where two
    parameters vary, and the answer in a sentence; then what has no numbers and why, and what makes the same
    numbers again."""
    study = result.study
    axis_lines = [
        msg("output.study_table.values", label=axis.label, path=axis.path, values=len(axis.values))
        for axis in study_axes(study)
    ]
    head = [study.name or study.scenario.get("name") or "Study", *axis_lines]
    parts = [
        head,
        *(lines for key in metrics for lines in _metric_blocks(result, STUDY_MEASURES[key], width)),
    ]
    notes = [
        *missing_lines(result),
        *(f"{name} is {full}" for name, full in full_names(study)),
        provenance(study),
    ]
    return "\n\n".join("\n".join(lines) for lines in [*parts, notes] if lines) + "\n"


def _metric_blocks(result: StudyResult, metric: Metric, width: int) -> list[list[str]]:
    """The blocks of one metric."""
    study = result.study
    mean = estimates(result, metric.key)
    best = winners(result, metric.key)
    heads = [
        quantities.title_with_unit(metric.title, display_unit(metric)),
        *map(_point_text, study.points),
    ]
    columns = []
    for index, name in enumerate(study.schedulers):
        marks = [
            BEST_MARK if winner.is_clear and winner.scheduler_index == index else NO_MARK for winner in best
        ]
        cells = [
            estimate_cell(metric, *numbers) + mark
            for *numbers, mark in zip(mean.mean[:, index].tolist(), mean.half[:, index].tolist(), marks)
        ]
        columns.append([name + NO_MARK, *cells])
    lines = [format_block(heads, block) for block in split_blocks(columns, width - max(map(len, heads)))]
    lines[-1] += _certainty_lines(result, any(winner.is_clear for winner in best))
    if len(study.schedulers) > 1:
        lines += _differences(result, metric, width)
        if len(study.vary) == 2 and metric.better:
            lines.append(_winner_grid(result, metric, best))
    return [*lines, _conclusions(result, metric, best)]


def _certainty_lines(result: StudyResult, is_marked: bool) -> list[str]:
    study = result.study
    lines = (
        [msg("output.study_table.interval_each_mean_students_t_seeds", seeds=study.seeds)]
        if study.is_random and study.seeds > 1
        else []
    )
    if study.is_random and study.seeds == 1:
        lines = [msg("output.study_table.one_seed_does_not_show_how")]
    if not study.is_random:
        lines = [msg("output.study_table.deterministic_exact")]
    return lines + (
        [msg("output.study_table.significantly_best_at_this_point", strip=BEST_MARK.strip())]
        if is_marked
        else []
    )


def _differences(result: StudyResult, metric: Metric, width: int) -> list[list[str]]:
    """Of every scheduler to the first."""
    study = result.study
    comparisons = len(study.points) * (len(study.schedulers) - 1)
    gaps = differences(result, metric.key, 0, comparisons)
    unit = display_unit(metric, is_difference=True)
    heads = [quantities.title_with_unit("Difference", unit), *map(_point_text, study.points)]
    columns = []
    for index, name in list(enumerate(study.schedulers))[1:]:
        cells = [
            estimate_cell(metric, *numbers, is_difference=True)
            for numbers in zip(gaps.mean[:, index].tolist(), gaps.half[:, index].tolist())
        ]
        columns.append([f"{name} - {study.schedulers[0]}", *cells])
    lines = [format_block(heads, block) for block in split_blocks(columns, width - max(map(len, heads)))]
    if study.is_random and study.seeds > 1:
        each = (
            msg(
                "output.study_table.each_so_all_hold_at_once",
                corrected=100 * corrected(comparisons),
                comparisons=comparisons,
            )
            if comparisons > 1
            else "95 %"
        )
        lines[-1].append(msg("output.study_table.paired_by_seed", each=each))
    return lines


def _winner_grid(result: StudyResult, metric: Metric, best: Sequence[Winner]) -> list[str]:
    """Who is best where: the first parameter down, the second across; a mark of doubt where the interval of
    the difference meets zero.
    """
    first, second = study_axes(result.study)
    heads = [
        msg("output.study_table.best_and_its_margin", lower=metric.title.lower()),
        *(value_text(value) for value in first.values),
    ]
    cells = [_cell(result, metric, winner) for winner in best]
    rows = [cells[start : start + len(second.values)] for start in range(0, len(cells), len(second.values))]
    columns = [[value_text(value), *column] for value, column in zip(second.values, zip(*rows))]
    lines = format_block(heads, columns)
    legend = [msg("output.study_table.down_across", label=first.label, label2=second.label)]
    return (
        lines
        + legend
        + (
            [msg("output.study_table.not_significant", unsure_mark=UNSURE_MARK)]
            if any(winner.scheduler_index >= 0 and not winner.is_clear for winner in best)
            else []
        )
    )


def _cell(result: StudyResult, metric: Metric, winner: Winner) -> str:
    if winner.scheduler_index < 0:
        return quantities.NO_VALUE
    margin = estimate_cell(metric, winner.margin, winner.half).partition(" ±")[0]
    return (
        f"{result.study.schedulers[winner.scheduler_index]} {margin}{'' if winner.is_clear else UNSURE_MARK}"
    )


def _conclusions(result: StudyResult, metric: Metric, best: Sequence[Winner]) -> list[str]:
    """Who is best, where, and how sure."""
    study = result.study
    if metric.better is None:
        return [msg("output.study_table.neither_is_better", title=metric.title)]
    lines = []
    if len(study.schedulers) > 1 and not study.vary:
        lines.append(_single_point_answer(result, metric, best[0]))
    elif len(study.schedulers) > 1:
        parts = []
        for index, name in enumerate(study.schedulers):
            points = [
                point
                for point, winner in enumerate(best)
                if winner.is_clear and winner.scheduler_index == index
            ]
            parts += (
                [
                    msg(
                        "output.study_table.significantly_best_at",
                        name=name,
                        points_text=_points_text(result, points),
                    )
                ]
                if points
                else []
            )
        unsure = [point for point, winner in enumerate(best) if not winner.is_clear]
        parts += (
            [msg("output.study_table.no_significant_winner_at", points_text=_points_text(result, unsure))]
            if unsure
            else []
        )
        lines.append(f"{metric.title}: {'; '.join(parts)}.")
    if study.vary and len(study.points) > 1:
        points = best_points(result, metric.key)
        best_texts = [
            f"{name} at {_point_text(study.points[point])}"
            for name, point in zip(study.schedulers, points)
            if point >= 0
        ]
        without = [name for name, point in zip(study.schedulers, points) if point < 0]
        none = (
            msg("output.study_table.no_significant_winner_for", without=", ".join(without)) if without else ""
        )
        lines.append(
            msg(
                "output.study_table.best_value", filter="; ".join(filter(None, (", ".join(best_texts), none)))
            )
        )
    return lines


def _single_point_answer(result: StudyResult, metric: Metric, winner: Winner) -> str:
    names = result.study.schedulers
    if winner.scheduler_index < 0:
        return msg("output.study_table.no_scheduler_has_number", title=metric.title)
    if winner.second < 0:
        return msg(
            "output.study_table.only_has_numbers", title=metric.title, names=names[winner.scheduler_index]
        )
    margin = quantities.estimate(winner.margin, winner.half, metric.unit, is_difference=True).lstrip("+")
    if winner.is_clear:
        return msg(
            "output.study_table.significantly_best_before",
            title=metric.title,
            names=names[winner.scheduler_index],
            margin=margin,
            names2=names[winner.second],
        )
    return msg(
        "output.study_table.no_significant_winner_before",
        title=metric.title,
        names=names[winner.scheduler_index],
        margin=margin,
        names2=names[winner.second],
    )


def _points_text(result: StudyResult, points: Sequence[int]) -> str:
    """Points by their values; runs of neighbours by their ends, too many by their number."""
    study = result.study
    if len(points) == len(study.points):
        return (
            msg("output.study_table.all_points", points=len(points))
            if len(points) > 1
            else msg("output.study_table.one_point")
        )
    if len(study.vary) > 1:
        return msg("output.study_table.points", points=len(points), points2=len(study.points))
    spans: list[list[int]] = []
    for point in points:
        if spans and point == spans[-1][-1] + 1:
            spans[-1].append(point)
        else:
            spans.append([point])
    if len(spans) > MAX_NAMED_SPANS:
        return msg("output.study_table.points", points=len(points), points2=len(study.points))
    text = lambda point: _point_text(study.points[point])
    return ", ".join(
        text(span[0]) if len(span) == 1 else f"{text(span[0])} to {text(span[-1])}" for span in spans
    )


def _point_text(values: Sequence[float | str]) -> str:
    return ", ".join(map(value_text, values)) or msg("output.study_table.as")
