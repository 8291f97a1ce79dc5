"""A study's file as the page opens it: its scenario and schedulers as a draft, and the study with its
sliders, to be run once the draft was.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from engine import Scenario, Study, Vary, tunables
from engine.dashboard import STUDY_MEASURES, Range
from webapp.jobs.studies import VALUES, range_subset
from webapp.messages import msg
from webapp.url.study_url import SliderState, StudyView

CHOICES_VARIED = msg("jobs.study_import.study_varies_choices_which_page_cant")
NOTHING_VARIED = msg("jobs.study_import.study_varies_nothing_its_scenario_and")


def is_study(data: dict[str, Any]) -> bool:
    """Are these JSON values meant as a study, and not as a scenario?"""
    return isinstance(data.get("scenario"), dict) and "cluster" not in data


def import_study(data: dict[str, Any]) -> dict[str, Any]:
    """A draft with its notes, and `study` as the page's script has it, where it can be shown; ScenarioError
    with every fault.
    """
    study = Study.of(data)
    scenario = Scenario.of(study.scenario | {"seed": study.seed(0)})
    draft = {"scenario": scenario.plain(), "schedulers": list(study.schedulers)}
    varied = [value for dimension in study.vary for value in dimension.values]
    if not varied or any(isinstance(value, str) for value in varied):
        return draft | {"assumed": [CHOICES_VARIED if study.vary else NOTHING_VARIED]}
    present = {tunable.path: tunable.value for tunable in tunables(scenario, study.schedulers)}
    sliders = [_slider(dimension, present.get(dimension.path)) for dimension in study.vary]
    min_count = max(2, *(len(dimension.values) for dimension in study.vary))
    counts = (min_count, *VALUES)
    count = next((count for count in counts if not _uneven(study.vary, sliders, count)), min_count)
    assumed = [
        msg("jobs.study_import.studys_values_no_even_steps_page", path=one.path, values=len(one.values))
        for one in _uneven(study.vary, sliders, count)
    ]
    metric = next((key for key in study.metrics if STUDY_MEASURES[key].compared), "makespan_s")
    view = StudyView(study.seeds, study.jitter, count, metric, len(sliders), tuple(sliders))
    return draft | {"assumed": assumed, "study": view.plain()}


def _slider(dimension: Vary, value: float | str | None) -> SliderState:
    present = value if isinstance(value, (int, float)) else None
    return SliderState(dimension.path, present, *_even_steps(dimension))


def _uneven(vary: Sequence[Vary], sliders: Sequence[tuple[Any, ...]], count: int) -> list[Vary]:
    """Those whose values are none that the page would take of their sliders, at most so many."""
    return [
        dimension
        for dimension, (_, present, *steps) in zip(vary, sliders)
        if list(dimension.values) != range_subset(Range(*steps), count, present)
    ]


def _even_steps(dimension: Vary) -> Range:
    """The widest even steps on which all values are, as decimals."""
    values = [Fraction(repr(value)) for value in sorted(dimension.values)]
    gaps = [after - before for before, after in zip(values, values[1:])] or [Fraction(1)]
    denominator = lcm(*(gap.denominator for gap in gaps))
    step = Fraction(gcd(*(int(gap * denominator) for gap in gaps)), denominator)
    plain = lambda number: int(number) if number.denominator == 1 else float(number)
    return Range(*map(plain, (values[0], values[-1], step)))
