"""The sentences of a sweep and its goal, and the table of the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import ALREADY, FOUND, GoalAnswer, Metric, Tunable, container_count, range_values
from webapp import theme
from webapp.panels.compare.metric_tables import value_text
from webapp.services.fault_text import sentence_text
from webapp.services.runs import Task
from webapp.services.whatif import CurveRequest, CurveResult

Columns = Sequence[Sequence[float | None]]


def at(value: float | None, tunable: Tunable) -> str:
    """A value of a number with its unit."""
    return tunable.without if value is None else theme.quantity(value, tunable.unit)


def best_index(
    values: Sequence[float], column: Sequence[float | None], better: str | None, present: float | None
) -> int | None:
    """The place of the best value, of equal ones that nearest to the present; None where there is none or all
    are alike.
    """
    known_values = [(number, index) for index, number in enumerate(column) if number is not None]
    if not known_values or better is None or len({number for number, _ in known_values}) == 1:
        return None
    sign = 1 if better == "smaller" else -1
    return min(known_values, key=lambda item: (sign * item[0], abs(values[item[1]] - (present or 0))))[1]


def sampling_note(task: Task, ask: CurveRequest) -> str:
    """How many values a curve has, where that is not all of them."""
    shown, all_values = len(ask.values(task)), len(range_values(ask.range))
    if shown == all_values:
        return ""
    containers = theme.count(container_count(task.scenario.plain()), "containers")
    return (
        f"{shown} of the {all_values:,} values of this range, as a scenario of {containers} takes its time."
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
    *others, last = [curve.sweep.schedulers[place] for place in indices]
    if others and len(indices) == len(curve.sweep.schedulers):
        return "All schedulers"
    return f"{', '.join(others)} and {last}" if others else last


def story(tunable: Tunable, curve: CurveResult, columns: Columns, metric: Metric) -> str:
    """Where schedulers are best, those that are alike named together, and why there are gaps."""
    groups = identical_groups(curve, columns, metric)
    values, present = curve.sweep.values, curve.request.present
    by_best: dict[int, list[str]] = {}
    flat, without_value = [], []
    for group in groups:
        column, name, now = (
            columns[group[0]],
            scheduler_names(curve, group),
            (curve.now[group[0]] or {}).get(metric.key),
        )
        top = best_index(values, column, metric.better, present)
        known_values = [number for number in column if number is not None]
        if top is not None:
            by_best.setdefault(top, []).append(
                f"{name} {theme.amount(column[top], metric.unit)} ({theme.amount(now, metric.unit)})"
            )
        elif known_values:
            flat.append(f"{name} {theme.amount(known_values[0], metric.unit)}")
        else:
            without_value.append(name)
    lines = [
        f"Best at {at(values[top], tunable)}, in brackets at {at(present, tunable)}: {', '.join(texts)}."
        for top, texts in sorted(by_best.items())
    ]
    lines += [
        f"{head}: {', '.join(texts)}."
        for head, texts in (("The same at every value", flat), ("No value anywhere", without_value))
        if texts
    ]
    return " ".join([*lines, *_gaps(tunable, curve, groups)])


def _gaps(tunable: Tunable, curve: CurveResult, groups: Sequence[Sequence[int]]) -> list[str]:
    """Values at which a scheduler could not be run or came to no end, with the first of the reasons."""
    sentences = []
    for group in groups:
        points = curve.sweep.points[group[0]]
        gaps = [
            (value, point.because)
            for value, point in zip(curve.sweep.values, points)
            if point and point.because
        ]
        if gaps:
            first, last = gaps[0][0], gaps[-1][0]
            where = (
                at(first, tunable)
                if first == last
                else f"{len(gaps)} values from {at(first, tunable)} to {at(last, tunable)}"
            )
            sentences.append(
                f"{scheduler_names(curve, group)} {'have' if len(group) > 1 else 'has'} no value at "
                f"{where}: {sentence_text(gaps[0][1]).rstrip('.')}."
            )
    return sentences


def answers(curve: CurveResult, tunable: Tunable, metric: Metric) -> list[str]:
    """What it would take, a sentence for schedulers of which the same holds."""
    groups: dict[str, list[int]] = {}
    for index, goal_answer in enumerate(curve.answers):
        groups.setdefault(answer("", goal_answer, curve, tunable, metric), []).append(index)
    return [scheduler_names(curve, indices) + text for text, indices in groups.items()]


def answer(name: str, goal_answer: GoalAnswer, curve: CurveResult, tunable: Tunable, metric: Metric) -> str:
    """What it would take under one scheduler, and what was tried between the values of the curve."""
    title = metric.title[:1].lower() + metric.title[1:]
    if goal_answer.state == ALREADY:
        return (
            f"{name}: already reached, {title} is {theme.amount(goal_answer.metric_value, metric.unit)} "
            f"at {at(goal_answer.value, tunable)}."
        )
    if goal_answer.state == FOUND:
        beyond = f"; not yet at {at(goal_answer.beyond, tunable)}" if goal_answer.beyond is not None else ""
        more = (
            f" ({theme.count(goal_answer.tried, 'values')} in between "
            f"tried{', by bisection' if goal_answer.bisected else ''})"
            if goal_answer.tried
            else ""
        )
        phrase = (
            f"{at(goal_answer.value, tunable)} instead of {at(curve.request.present, tunable)}, {title} "
            f"is then {theme.amount(goal_answer.metric_value, metric.unit)}"
        )
        return f"{name}: {phrase}{beyond}{more}."
    nearest = (
        f"; nearest is {theme.amount(goal_answer.best_metric, metric.unit)} at "
        f"{at(goal_answer.best, tunable)}"
        if goal_answer.best is not None
        else ""
    )
    return f"{name}: not within the range{nearest}."


def tried_text(curve: CurveResult, tunable: Tunable) -> str:
    """What all answers to a goal rest on."""
    values = curve.sweep.values
    span = f"{theme.count(len(values), 'values')} from {at(values[0], tunable)} to {at(values[-1], tunable)}"
    return (
        f"Tried {span}: the answer is the one nearest to the current value that reaches the goal; values "
        "between two of them may reach it too."
    )


def table(
    tunable: Tunable, values: Sequence[float], names: Sequence[str], columns: Columns, metric: Metric
) -> list[dict[str, Any]]:
    """A row a value, a column a scheduler."""
    head, unit = theme.title_with_unit(tunable.title, tunable.unit), theme.display_unit(metric.unit)[1]
    rows = []
    for index, value in enumerate(values):
        cells = {f"{name} ({unit})": _cell(column[index], metric) for name, column in zip(names, columns)}
        rows.append({head: value} | cells)
    return rows


def _cell(number: float | None, metric: Metric) -> Any:
    return value_text(None, metric.unit) if number is None else float(f"{number:.6g}")
