"""What of a study is told in words: its parameters with their units, its numbers with how sure they are, and what was run."""

from __future__ import annotations

from math import floor, isnan, log10
from typing import NamedTuple

from engine.analysis.metrics import Metric
from engine.experiments.parameters import Tunable, tunables
from engine.scenario.model import Scenario
from engine.schedulers.names import parse
from engine.studies.result import StudyResult
from engine.studies.study import Study
from engine.version import VERSION

DIGITS = 2  # of an interval's half that are told
MOST_DECIMALS = 4
SHORT_DIGEST = 12
NOTHING = "–"


class Axis(NamedTuple):
    """A parameter that varies. label: its name for people with its unit."""

    path: str
    label: str
    values: tuple[float | str, ...]


def axes(study: Study) -> list[Axis]:
    """Of each parameter; one that nobody offers to turn is called by its path."""
    known = {one.path: one for one in tunables(Scenario.of(study.scenario), study.schedulers)}
    return [Axis(one.path, _label(one.path, known), one.values) for one in study.vary]


def _label(path: str, known: dict[str, Tunable]) -> str:
    tunable, title = known.get(path), None
    if tunable:
        title = tunable.title
    elif tunable := known.get(path.replace("[*]", "[0]")):  # of every entry of a list that has one, or whose entries are offered one by one
        title = tunable.title.rpartition(": ")[2]
        title = title[:1].upper() + title[1:]
    if not tunable or not title:
        return path
    return f"{title} ({tunable.unit})" if tunable.unit and tunable.unit not in title.lower().replace(",", "").split() else title


def value_text(value: float | str) -> str:
    """One value of a parameter."""
    return value if isinstance(value, str) else f"{value:.10g}"


def scaled(metric: Metric, value: float) -> float:
    """In the unit that people read: shares as per cent."""
    return 100 * value if metric.unit == "share" else value


def unit_of(metric: Metric, is_difference: bool = False) -> str:
    """As `scaled` has it; a difference between shares is in percentage points."""
    if metric.unit == "share":
        return "pp" if is_difference else "%"
    return metric.unit


def about(metric: Metric, mean: float, half: float, is_difference: bool = False) -> str:
    """A mean and half its interval with as many digits as that leaves sure: -61.2 ± 9.3 s. half: nan where it is not known, 0 for what is exact."""
    if isnan(mean):
        return NOTHING
    mean, half, unit = scaled(metric, mean), scaled(metric, half), unit_of(metric, is_difference)
    places = decimals(half) if half > 0 else 2
    number = f"{mean:,.{places}f}"
    number = f"+{number}" if is_difference and mean > 0 else number
    return f"{number} ± {half:,.{places}f} {unit}" if half > 0 else f"{number} {unit}"


def decimals(half: float) -> int:
    """How many places behind the point DIGITS of it take."""
    return min(max(DIGITS - 1 - floor(log10(half)), 0), MOST_DECIMALS)


def full_names(study: Study) -> list[tuple[str, str]]:
    """(name, the same with the rules that it leaves out), of those whose name leaves out any."""
    whole = []
    for name in study.schedulers:
        chosen = parse(name)
        whole.append((name, f"{chosen.order}+{chosen.reduce_start}+{chosen.admission}"))
    return [(name, full) for name, full in whole if name != full]


def seeds_text(study: Study) -> str:
    """Which seeds were run."""
    first, last = study.seed(0), study.seed(study.seeds - 1)
    return f"seed {first}" if first == last else f"seeds {first}-{last}"


def origin(study: Study) -> str:
    """What makes the same numbers again."""
    jitter = f"fixed durations drawn with a coefficient of variation of {study.jitter:g}" if study.jitter else "durations as the scenario has them"
    seeds = seeds_text(study)
    return f"{seeds[:1].upper()}{seeds[1:]}, common to all schedulers; {jitter}. Gantry {VERSION}, study {study.digest[:SHORT_DIGEST]}."


def missing_lines(found: StudyResult) -> list[str]:
    """A sentence a scheduler that has runs without numbers: how many, at which points, and why the first had none."""
    lines = []
    for place, name in enumerate(found.study.schedulers):
        bad = [(point, found.missing(point, place)) for point in range(len(found.study.points))]
        bad = [(point, count) for point, count in bad if count]
        if bad:
            point = bad[0][0]
            at = ", ".join(f"{one.path}={value_text(value)}" for one, value in zip(found.study.vary, found.study.points[point]))
            points = f" at {len(bad)} of {len(found.study.points)} points" if found.study.vary else ""
            because = found.because.get((point, place), "")
            count = sum(count for _, count in bad)
            lines.append(f"{name}: {count:,} {'run has' if count == 1 else 'runs have'} no numbers{points}{f'; at {at}' if at else ''}: {because}")
    return lines
