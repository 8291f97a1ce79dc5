"""What a response curve and its goal say in words, and the curve's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import ALREADY, FOUND, Answer, Knob, Metric, container_count, grid
from webapp import theme
from webapp.panels.tables import words
from webapp.runs import Task
from webapp.whatif import Ask, Found

Columns = Sequence[Sequence[float | None]]


def at(value: float | None, knob: Knob) -> str:
    """A value of a number with its unit."""
    return "not given" if value is None else theme.quantity(value, knob.unit)


def best(values: Sequence[float], column: Sequence[float | None], better: str | None, present: float | None) -> int | None:
    """The place of the best value, of equal ones that nearest to the present; None where there is none or all are alike."""
    known = [(number, place) for place, number in enumerate(column) if number is not None]
    if not known or better is None or len({number for number, _ in known}) == 1:
        return None
    sign = 1 if better == "smaller" else -1
    return min(known, key=lambda one: (sign * one[0], abs(values[one[1]] - (present or 0))))[1]


def sampled(task: Task, ask: Ask) -> str:
    """How many values a curve has, where that is not all of them."""
    shown, every = len(ask.values(task)), len(grid(ask.range))
    if shown == every:
        return ""
    containers = theme.count(container_count(task.scenario.plain()), "containers")
    return f"{shown} of the {every:,} values of this range, as a scenario of {containers} takes its time."


def story(knob: Knob, found: Found, names: Sequence[str], columns: Columns, metric: Metric) -> str:
    """A sentence a scheduler, and why there are gaps."""
    said = [_line(name, place, knob, found, columns[place], metric) for place, name in enumerate(names)]
    return " ".join([*said, *_gaps(knob, found)])


def _line(name: str, place: int, knob: Knob, found: Found, column: Sequence[float | None], metric: Metric) -> str:
    values, now = found.response.values, (found.now[place] or {}).get(metric.key)
    top = best(values, column, metric.better, found.ask.present)
    here = f"{theme.amount(now, metric.unit)} now" if now is not None else "no value now"
    if top is None:
        return f"{name}: {here}, the same all along." if any(number is not None for number in column) else f"{name}: no value anywhere."
    return f"{name}: {here}; best is {theme.amount(column[top], metric.unit)} at {at(values[top], knob)}."


def _gaps(knob: Knob, found: Found) -> list[str]:
    """Values at which a scheduler could not be run or came to no end, with the first of the reasons."""
    said = []
    for name, points in zip(found.response.schedulers, found.response.points):
        gaps = [(value, point.because) for value, point in zip(found.response.values, points) if point and point.because]
        if gaps:
            first, last = gaps[0][0], gaps[-1][0]
            where = at(first, knob) if first == last else f"{len(gaps)} values from {at(first, knob)} to {at(last, knob)}"
            said.append(f"{name} has no value at {where}: {gaps[0][1].rstrip('.')}.")
    return said


def answer(name: str, one: Answer, found: Found, knob: Knob, metric: Metric) -> str:
    """What it would take under one scheduler, and what was looked at between the values of the curve."""
    title = metric.title[:1].lower() + metric.title[1:]
    if one.state == ALREADY:
        return f"{name}: already reached, {title} is {theme.amount(one.there, metric.unit)} at {at(one.value, knob)}."
    if one.state == FOUND:
        beyond = f"; not yet at {at(one.beyond, knob)}" if one.beyond is not None else ""
        more = f" ({theme.count(one.tried, 'values')} in between looked at{', by halving' if one.halving else ''})" if one.tried else ""
        there = f"{at(one.value, knob)} instead of {at(found.ask.present, knob)}, {title} is then {theme.amount(one.there, metric.unit)}"
        return f"{name}: {there}{beyond}{more}."
    nearest = f"; nearest is {theme.amount(one.best_there, metric.unit)} at {at(one.best, knob)}" if one.best is not None else ""
    return f"{name}: not within the range{nearest}."


def looked(found: Found, knob: Knob) -> str:
    """What all answers to a goal rest on."""
    values = found.response.values
    span = f"{theme.count(len(values), 'values')} from {at(values[0], knob)} to {at(values[-1], knob)}"
    return f"Looked at {span}, the nearest to the present one that reaches the goal is told; what lies between two of them may do so too where not looked at."


def table(knob: Knob, values: Sequence[float], names: Sequence[str], columns: Columns, metric: Metric) -> list[dict[str, Any]]:
    """A row a value, a column a scheduler."""
    head, unit = theme.titled(knob.title, knob.unit), theme.column(metric.unit)[1]
    rows = []
    for place, value in enumerate(values):
        cells = {f"{name} ({unit})": _cell(column[place], metric) for name, column in zip(names, columns)}
        rows.append({head: value} | cells)
    return rows


def _cell(number: float | None, metric: Metric) -> Any:
    return words(None, metric.unit) if number is None else float(f"{number:.6g}")
