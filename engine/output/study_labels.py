"""What of a study is told in words: its parameters with their units, its numbers with how sure they are, and
what was run.
"""

from __future__ import annotations

from math import floor, isnan, log10
from typing import NamedTuple, TypeVar

import numpy as np

from engine import quantities
from engine.analysis.metrics import Metric
from engine.experiments.parameters import Tunable, tunables
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.studies.result import StudyResult
from engine.studies.study import Study
from engine.version import VERSION

Values = TypeVar("Values", float, np.ndarray)

SIGNIFICANT_DIGITS = 2  # of an interval's half that are told
MAX_DECIMALS = 4
SHORT_DIGEST = 12


class Axis(NamedTuple):
    """A parameter that varies. label: its name for people with its unit."""

    path: str
    label: str
    values: tuple[float | str, ...]


def study_axes(study: Study) -> list[Axis]:
    """Of each parameter; one that is no known parameter is called by its path."""
    tunable_by_path = {item.path: item for item in tunables(Scenario.of(study.scenario), study.parsed)}
    return [Axis(item.path, _label(item.path, tunable_by_path), item.values) for item in study.vary]


def _label(path: str, tunable_by_path: dict[str, Tunable]) -> str:
    tunable, title = tunable_by_path.get(path), None
    if tunable:
        title = tunable.title
    elif tunable := tunable_by_path.get(
        path.replace("[*]", "[0]")
    ):  # of every entry of a list that has one, or whose entries are offered one by one
        title = tunable.title.rpartition(": ")[2]
        title = title[:1].upper() + title[1:]
    if not tunable or not title:
        return path
    return (
        f"{title} ({tunable.unit})"
        if tunable.unit and tunable.unit not in title.lower().replace(",", "").split()
        else title
    )


def value_text(value: float | str) -> str:
    """One value of a parameter."""
    return value if isinstance(value, str) else f"{value:.10g}"


def display_value(metric: Metric, value: Values) -> Values:
    """In the unit that people read: shares as per cent."""
    return 100 * value if metric.unit == "share" else value


def display_unit(metric: Metric, is_difference: bool = False) -> str:
    """As `display_value` has it; a difference between shares is in percentage points."""
    if metric.unit == "share":
        return "pp" if is_difference else "%"
    return metric.unit


def estimate_cell(metric: Metric, mean: float, half: float, is_difference: bool = False) -> str:
    """A mean and half its interval in a table whose head has the unit, with as many digits as that leaves
    sure: -61.2 ± 9.3. half: nan where it is not known, 0 for what is exact.
    """
    if isnan(mean):
        return quantities.NO_VALUE
    mean, half = display_value(metric, mean), display_value(metric, half)
    places = decimals(half) if half > 0 else 2
    number = f"{mean:,.{places}f}"
    number = f"+{number}" if is_difference and mean > 0 else number
    return f"{number} ± {half:,.{places}f}" if half > 0 else number


def decimals(half: float) -> int:
    """How many places behind the point DIGITS of it take."""
    return min(max(SIGNIFICANT_DIGITS - 1 - floor(log10(half)), 0), MAX_DECIMALS)


def full_names(study: Study) -> list[tuple[str, str]]:
    """(name, the same with the rules that it leaves out), of those whose name leaves out any."""
    pairs = []
    for name, scheduler in zip(study.schedulers, study.parsed):
        pairs.append((name, f"{scheduler.order}+{scheduler.reduce_start}+{scheduler.admission}"))
    return [(name, full) for name, full in pairs if name != full]


def seeds_text(study: Study) -> str:
    """Which seeds were run."""
    first, last = study.seed(0), study.seed(study.seeds - 1)
    return (
        msg("output.study_labels.seed", first=first)
        if first == last
        else msg("output.study_labels.seeds", first=first, last=last)
    )


def provenance(study: Study) -> str:
    """What makes the same numbers again."""
    jitter = (
        msg("output.study_labels.fixed_durations_drawn_with_coefficient_varia", jitter=study.jitter)
        if study.jitter
        else msg("output.study_labels.durations_as_in_scenario")
    )
    seeds = seeds_text(study)
    return msg(
        "output.study_labels.common_to_all_schedulers_gantry_study",
        upper=seeds[:1].upper(),
        seeds=seeds[1:],
        jitter=jitter,
        version=VERSION,
        digest=study.digest[:SHORT_DIGEST],
    )


def missing_lines(result: StudyResult) -> list[str]:
    """A sentence a scheduler that has runs without numbers: how many, at which points, and why the first had
    none.
    """
    lines = []
    for index, name in enumerate(result.study.schedulers):
        missing = [(point, result.missing(point, index)) for point in range(len(result.study.points))]
        missing = [(point, count) for point, count in missing if count]
        if missing:
            point = missing[0][0]
            values = ", ".join(
                f"{dimension.path}={value_text(value)}"
                for dimension, value in zip(result.study.vary, result.study.points[point])
            )
            points = (
                msg("output.study_labels.at_points", missing=len(missing), points=len(result.study.points))
                if result.study.vary
                else ""
            )
            because = result.because.get((point, index), "")
            count = sum(count for _, count in missing)
            lines.append(
                msg(
                    "output.study_labels.no_numbers",
                    name=name,
                    count=count,
                    value="run has" if count == 1 else "runs have",
                    points=points,
                    ending=f"; at {values}" if values else "",
                    because=because,
                )
            )
    return lines
