"""A study's file as the page opens it: its scenario and schedulers as a draft, and the study with its
sliders, to be run once the draft was.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Any

from engine import Scenario, Study, Vary, tunables
from engine.dashboard import MEASURES, Range
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
    if not study.vary or any(
        isinstance(value, str) for dimension in study.vary for value in dimension.values
    ):
        return draft | {"assumed": [CHOICES_VARIED if study.vary else NOTHING_VARIED]}
    present = {tunable.path: tunable.value for tunable in tunables(scenario, study.schedulers)}
    sliders = [
        SliderState(
            dimension.path,
            now if isinstance(now := present.get(dimension.path), (int, float)) else None,
            *_even_steps(dimension),
        )
        for dimension in study.vary
    ]
    fits = lambda dimension, slider, count_: (
        list(dimension.values) == range_subset(Range(*slider[2:]), count_, slider.value)
    )
    min_count = max(max(len(dimension.values) for dimension in study.vary), 2)
    count = next(
        (
            count_
            for count_ in (min_count, *VALUES)
            if all(fits(*pair, count_) for pair in zip(study.vary, sliders))
        ),
        min_count,
    )
    uneven = [
        dimension for dimension, slider in zip(study.vary, sliders) if not fits(dimension, slider, count)
    ]
    assumed = [
        msg(
            "jobs.study_import.studys_values_no_even_steps_page",
            path=dimension.path,
            values=len(dimension.values),
        )
        for dimension in uneven
    ]
    metric = next((key for key in study.metrics if MEASURES[key].compared), "makespan_s")
    return draft | {
        "assumed": assumed,
        "study": StudyView(study.seeds, study.jitter, count, metric, len(sliders), tuple(sliders)).plain(),
    }


def _even_steps(dimension: Vary) -> Range:
    """The widest even steps on which all values are, as decimals."""
    values = [Fraction(repr(value)) for value in sorted(dimension.values)]
    gaps = [after - before for before, after in zip(values, values[1:])] or [Fraction(1)]
    denominator = lcm(*(gap.denominator for gap in gaps))
    step = Fraction(gcd(*(int(gap * denominator) for gap in gaps)), denominator)
    plain = lambda number: int(number) if number.denominator == 1 else float(number)
    return Range(*map(plain, (values[0], values[-1], step)))
