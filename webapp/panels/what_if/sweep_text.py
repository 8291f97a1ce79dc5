"""The sentences of a sweep and its goal, and the table of the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import ALREADY, FOUND, GoalAnswer, Metric, Tunable, container_count, range_values
from webapp import theme
from webapp.panels.compare.metric_tables import words
from webapp.services.fault_text import sentence_text
from webapp.services.runs import Task
from webapp.services.whatif import Ask, Found

Columns = Sequence[Sequence[float | None]]


def at(value: float | None, tunable: Tunable) -> str:
    """A value of a number with its unit."""
    return tunable.without if value is None else theme.quantity(value, tunable.unit)


def best(values: Sequence[float], column: Sequence[float | None], better: str | None, present: float | None) -> int | None:
    """The place of the best value, of equal ones that nearest to the present; None where there is none or all are alike."""
    known = [(number, place) for place, number in enumerate(column) if number is not None]
    if not known or better is None or len({number for number, _ in known}) == 1:
        return None
    sign = 1 if better == "smaller" else -1
    return min(known, key=lambda one: (sign * one[0], abs(values[one[1]] - (present or 0))))[1]


def sampled(task: Task, ask: Ask) -> str:
    """How many values a curve has, where that is not all of them."""
    shown, every = len(ask.values(task)), len(range_values(ask.range))
    if shown == every:
        return ""
    containers = theme.count(container_count(task.scenario.plain()), "containers")
    return f"{shown} of the {every:,} values of this range, as a scenario of {containers} takes its time."


def alike(found: Found, columns: Columns, metric: Metric) -> list[list[int]]:
    """Places of schedulers whose curves, present values and reasons for gaps are the same, which stand once."""
    groups: dict[str, list[int]] = {}
    for place, (column, points) in enumerate(zip(columns, found.sweep.points)):
        same = repr((column, (found.now[place] or {}).get(metric.key), [point and point.because for point in points]))
        groups.setdefault(same, []).append(place)
    return list(groups.values())


def named(found: Found, places: Sequence[int]) -> str:
    """Schedulers in a sentence: "fifo, fair and drf"."""
    *others, last = [found.sweep.schedulers[place] for place in places]
    if others and len(places) == len(found.sweep.schedulers):
        return "All schedulers"
    return f"{', '.join(others)} and {last}" if others else last


def story(tunable: Tunable, found: Found, columns: Columns, metric: Metric) -> str:
    """Where schedulers are best, those that are alike named together, and why there are gaps."""
    groups = alike(found, columns, metric)
    values, present = found.sweep.values, found.ask.present
    by_best: dict[int, list[str]] = {}
    level, nowhere = [], []
    for places in groups:
        column, name, now = columns[places[0]], named(found, places), (found.now[places[0]] or {}).get(metric.key)
        top = best(values, column, metric.better, present)
        known = [number for number in column if number is not None]
        if top is not None:
            by_best.setdefault(top, []).append(f"{name} {theme.amount(column[top], metric.unit)} ({theme.amount(now, metric.unit)})")
        elif known:
            level.append(f"{name} {theme.amount(known[0], metric.unit)}")
        else:
            nowhere.append(name)
    lines = [f"Best at {at(values[top], tunable)}, in brackets at {at(present, tunable)}: {', '.join(texts)}." for top, texts in sorted(by_best.items())]
    lines += [f"{head}: {', '.join(texts)}." for head, texts in (("The same at every value", level), ("No value anywhere", nowhere)) if texts]
    return " ".join([*lines, *_gaps(tunable, found, groups)])


def _gaps(tunable: Tunable, found: Found, groups: Sequence[Sequence[int]]) -> list[str]:
    """Values at which a scheduler could not be run or came to no end, with the first of the reasons."""
    sentences = []
    for places in groups:
        points = found.sweep.points[places[0]]
        gaps = [(value, point.because) for value, point in zip(found.sweep.values, points) if point and point.because]
        if gaps:
            first, last = gaps[0][0], gaps[-1][0]
            where = at(first, tunable) if first == last else f"{len(gaps)} values from {at(first, tunable)} to {at(last, tunable)}"
            sentences.append(f"{named(found, places)} {'have' if len(places) > 1 else 'has'} no value at {where}: {sentence_text(gaps[0][1]).rstrip('.')}.")
    return sentences


def answers(found: Found, tunable: Tunable, metric: Metric) -> list[str]:
    """What it would take, a sentence for schedulers of which the same holds."""
    groups: dict[str, list[int]] = {}
    for place, one in enumerate(found.answers):
        groups.setdefault(answer("", one, found, tunable, metric), []).append(place)
    return [named(found, places) + text for text, places in groups.items()]


def answer(name: str, one: GoalAnswer, found: Found, tunable: Tunable, metric: Metric) -> str:
    """What it would take under one scheduler, and what was tried between the values of the curve."""
    title = metric.title[:1].lower() + metric.title[1:]
    if one.state == ALREADY:
        return f"{name}: already reached, {title} is {theme.amount(one.there, metric.unit)} at {at(one.value, tunable)}."
    if one.state == FOUND:
        beyond = f"; not yet at {at(one.beyond, tunable)}" if one.beyond is not None else ""
        more = f" ({theme.count(one.tried, 'values')} in between tried{', by bisection' if one.bisected else ''})" if one.tried else ""
        there = f"{at(one.value, tunable)} instead of {at(found.ask.present, tunable)}, {title} is then {theme.amount(one.there, metric.unit)}"
        return f"{name}: {there}{beyond}{more}."
    nearest = f"; nearest is {theme.amount(one.best_there, metric.unit)} at {at(one.best, tunable)}" if one.best is not None else ""
    return f"{name}: not within the range{nearest}."


def tried_text(found: Found, tunable: Tunable) -> str:
    """What all answers to a goal rest on."""
    values = found.sweep.values
    span = f"{theme.count(len(values), 'values')} from {at(values[0], tunable)} to {at(values[-1], tunable)}"
    return f"Tried {span}: the answer is the one nearest to the current value that reaches the goal; values between two of them may reach it too."


def table(tunable: Tunable, values: Sequence[float], names: Sequence[str], columns: Columns, metric: Metric) -> list[dict[str, Any]]:
    """A row a value, a column a scheduler."""
    head, unit = theme.titled(tunable.title, tunable.unit), theme.column(metric.unit)[1]
    rows = []
    for place, value in enumerate(values):
        cells = {f"{name} ({unit})": _cell(column[place], metric) for name, column in zip(names, columns)}
        rows.append({head: value} | cells)
    return rows


def _cell(number: float | None, metric: Metric) -> Any:
    return words(None, metric.unit) if number is None else float(f"{number:.6g}")
