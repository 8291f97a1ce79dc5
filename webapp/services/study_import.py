"""A study's file as the page opens it: its scenario and schedulers as a draft, and the study with its sliders, to be run once the draft was."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Any

from engine import MEASURES, Range, Scenario, Study, Vary, tunables
from webapp.services.studies import VALUES, values_of
from webapp.services.study_address import Moved, StudyLook

CHOICES = "The study varies choices, which this page can't: its scenario and schedulers are opened alone."
NOTHING = "The study varies nothing: its scenario and schedulers are opened alone."


def is_study(data: dict[str, Any]) -> bool:
    """Are these JSON values meant as a study, and not as a scenario?"""
    return isinstance(data.get("scenario"), dict) and "cluster" not in data


def opened_study(data: dict[str, Any]) -> dict[str, Any]:
    """A draft with its notes, and `study` as the page's script has it, where it can be shown; ScenarioError with every fault."""
    of = Study.of(data)
    scenario = Scenario.of(of.scenario | {"seed": of.seed(0)})
    draft = {"scenario": scenario.plain(), "schedulers": list(of.schedulers), "assumed": []}
    if not of.vary or any(isinstance(value, str) for one in of.vary for value in one.values):
        return draft | {"assumed": [CHOICES if of.vary else NOTHING]}
    present = {one.path: one.value for one in tunables(scenario, of.schedulers)}
    moved = [Moved(one.path, now if isinstance(now := present.get(one.path), (int, float)) else None, *_steps(one)) for one in of.vary]
    fits = lambda one, slider, most: list(one.values) == values_of(Range(*slider[2:]), most, slider.value)
    least = max(max(len(one.values) for one in of.vary), 2)
    count = next((most for most in (least, *VALUES) if all(fits(*pair, most) for pair in zip(of.vary, moved))), least)
    odd = [one for one, slider in zip(of.vary, moved) if not fits(one, slider, count)]
    draft["assumed"] += [f"{one.path}: the study's {len(one.values):,} values are no even steps; the page takes such between its ends." for one in odd]
    metric = next((key for key in of.metrics if MEASURES[key].compared), "makespan_s")
    return draft | {"study": StudyLook(of.seeds, of.jitter, count, metric, len(moved), tuple(moved)).plain()}


def _steps(one: Vary) -> Range:
    """The widest even steps on which all values are, as decimals."""
    values = [Fraction(repr(value)) for value in sorted(one.values)]
    gaps = [after - before for before, after in zip(values, values[1:])] or [Fraction(1)]
    under = lcm(*(gap.denominator for gap in gaps))
    step = Fraction(gcd(*(int(gap * under) for gap in gaps)), under)
    plain = lambda number: int(number) if number.denominator == 1 else float(number)
    return Range(*map(plain, (values[0], values[-1], step)))
