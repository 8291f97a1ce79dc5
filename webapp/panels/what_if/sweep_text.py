"""The sentences of a sweep and its goal, and the table of the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import quantities
from engine.dashboard import (
    ALREADY,
    FOUND,
    GoalAnswer,
    Metric,
    Tunable,
    container_count,
    contenders,
    display_name,
    range_values,
)
from webapp.http.fault_text import sentence_text
from webapp.jobs.whatif import CurveRequest, CurveResult
from webapp.messages import msg
from webapp.report import summary_text
from webapp.runs.task import Task

Columns = Sequence[Sequence[float | None]]


def at(value: float | str | None, tunable: Tunable) -> str:
    """A value of a number with its unit, or a choice."""
    if isinstance(value, str):
        return value
    return tunable.without if value is None else quantities.quantity(value, tunable.unit)


def best_index(curve: CurveResult, place: int, column: Sequence[float | None], metric: Metric) -> int | None:
    """Where a scheduler's value is the best of those at which the fewest jobs are given up, of equal ones the
    nearest to the present; None where there is none or all are alike.
    """
    points = [(point and point.metrics) or {} for point in curve.sweep.points[place]]
    known_values = [
        (number, index)
        for index in contenders(points, metric=metric.key)
        if (number := column[index]) is not None
    ]
    if not known_values or metric.better is None or len({*column} - {None}) == 1:
        return None
    sign = 1 if metric.better == "smaller" else -1
    present = curve.request.present or 0
    return min(known_values, key=lambda item: (sign * item[0], abs(curve.sweep.values[item[1]] - present)))[1]


def sampling_note(task: Task, ask: CurveRequest) -> str:
    """How many values a curve has, where that is not all of them."""
    shown, all_values = len(ask.values(task)), len(range_values(ask.range))
    if shown == all_values:
        return ""
    containers = quantities.count(container_count(task.scenario.plain()), "containers")
    return msg(
        "panels.sweep_text.values_range_as_scenario_takes_its",
        shown=shown,
        all_values=all_values,
        containers=containers,
    )


def identical_groups(curve: CurveResult, columns: Columns, metric: Metric) -> list[list[int]]:
    """Places of schedulers whose curves, present values and reasons for gaps are the same, which stand
    once.
    """
    groups: dict[str, list[int]] = {}
    for index, (column, points) in enumerate(zip(columns, curve.sweep.points)):
        fingerprint = repr(
            (column, (curve.now[index] or {}).get(metric.key), [point and point.because for point in points])
        )
        groups.setdefault(fingerprint, []).append(index)
    return list(groups.values())


def scheduler_names(curve: CurveResult, indices: Sequence[int]) -> str:
    """Schedulers in a sentence: "fifo, fair and drf"."""
    *others, last = [display_name(curve.sweep.schedulers[place]) for place in indices]
    if others and len(indices) == len(curve.sweep.schedulers):
        return msg("shared.all_schedulers")
    return msg("shared.and", others=summary_text.separated(others), last=last) if others else last


def story(tunable: Tunable, curve: CurveResult, columns: Columns, metric: Metric) -> str:
    """Where schedulers are best, those that are alike named together, and why there are gaps."""
    groups = identical_groups(curve, columns, metric)
    values, present = curve.sweep.values, curve.request.present
    by_best: dict[int, list[str]] = {}
    flat, without_value = [], []
    for group in groups:
        column, name = columns[group[0]], scheduler_names(curve, group)
        top = best_index(curve, group[0], column, metric)
        known_values = [number for number in column if number is not None]
        if top is not None:
            now = quantities.amount((curve.now[group[0]] or {}).get(metric.key), metric.unit)
            best = quantities.amount(column[top], metric.unit)
            by_best.setdefault(top, []).append(f"{name} {best} ({now})")
        elif known_values:
            flat.append(f"{name} {quantities.amount(known_values[0], metric.unit)}")
        else:
            without_value.append(name)
    lines = [
        msg(
            "panels.sweep_text.best_at_in_brackets_at",
            at=at(values[top], tunable),
            at2=at(present, tunable),
            texts=", ".join(texts),
        )
        for top, texts in sorted(by_best.items())
    ]
    lines += [
        f"{head}: {', '.join(texts)}."
        for head, texts in (
            (msg("panels.sweep_text.same_at_every_value"), flat),
            (msg("panels.sweep_text.no_value_anywhere"), without_value),
        )
        if texts
    ]
    return " ".join([*lines, *_gaps(tunable, curve, groups)])


def _gaps(tunable: Tunable, curve: CurveResult, groups: Sequence[Sequence[int]]) -> list[str]:
    """Values at which a scheduler could not be run or came to no end, with the first of the reasons."""
    sentences = []
    for group in groups:
        points = zip(curve.sweep.values, curve.sweep.points[group[0]])
        gaps = [(at(value, tunable), point.because) for value, point in points if point and point.because]
        if not gaps:
            continue
        where, last = gaps[0][0], gaps[-1][0]
        if len(gaps) > 1:
            where = msg("panels.sweep_text.values_from_to", gaps=len(gaps), at=where, at2=last)
        sentence = msg(
            "panels.sweep_text.no_value_at",
            scheduler_names=scheduler_names(curve, group),
            value="have" if len(group) > 1 else "has",
            where=where,
            rstrip=sentence_text(gaps[0][1]).rstrip("."),
        )
        sentences.append(sentence)
    return sentences


def answers(curve: CurveResult, tunable: Tunable, metric: Metric) -> list[str]:
    """What it would take, a sentence for schedulers of which the same holds."""
    groups: dict[str, list[int]] = {}
    for index, goal_answer in enumerate(curve.answers):
        groups.setdefault(answer("", goal_answer, curve, tunable, metric), []).append(index)
    return [scheduler_names(curve, indices) + text for text, indices in groups.items()]


def answer(name: str, goal_answer: GoalAnswer, curve: CurveResult, tunable: Tunable, metric: Metric) -> str:
    """What it would take under one scheduler, and what was tried between the values of the curve."""
    title, value = metric.title[:1].lower() + metric.title[1:], at(goal_answer.value, tunable)
    amount = quantities.amount(goal_answer.metric_value, metric.unit)
    if goal_answer.state == ALREADY:
        return msg("panels.sweep_text.already_reached_at", name=name, title=title, amount=amount, at=value)
    if goal_answer.state == FOUND:
        now = at(curve.request.present, tunable)
        text = msg("panels.sweep_text.instead_then", at=value, at2=now, title=title, amount=amount)
        if goal_answer.beyond is not None:
            text += msg("panels.sweep_text.not_yet_at", at=at(goal_answer.beyond, tunable))
        if goal_answer.tried:
            count = quantities.count(goal_answer.tried, "values")
            ending = ", by bisection" if goal_answer.bisected else ""
            text += msg("panels.sweep_text.in_between_tried", count=count, ending=ending)
        return f"{name}: {text}."
    nearest = ""
    if goal_answer.best is not None:
        amount = quantities.amount(goal_answer.best_metric, metric.unit)
        nearest = msg("panels.sweep_text.nearest_at", amount=amount, at=at(goal_answer.best, tunable))
    return msg("panels.sweep_text.not_within_range", name=name, nearest=nearest)


def tried_text(curve: CurveResult, tunable: Tunable) -> str:
    """What all answers to a goal rest on."""
    values = curve.sweep.values
    first, last = at(values[0], tunable), at(values[-1], tunable)
    count = quantities.count(len(values), "values")
    span = msg("panels.sweep_text.from_to", count=count, at=first, at2=last)
    return msg("panels.sweep_text.tried_answer_one_nearest_to_current", span=span)


def table(
    tunable: Tunable, values: Sequence[float], names: Sequence[str], columns: Columns, metric: Metric
) -> list[dict[str, Any]]:
    """A row a value, a column a scheduler."""
    head = quantities.title_with_unit(tunable.title, tunable.unit)
    times, unit = quantities.display_unit(metric.unit)
    heads = [f"{name} ({unit})" for name in names]
    cell = lambda number: quantities.NO_VALUE if number is None else float(f"{number * times:.6g}")
    return [{head: value} | dict(zip(heads, map(cell, row))) for value, row in zip(values, zip(*columns))]
