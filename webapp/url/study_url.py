"""A study in an address: seeds, jitter, values, the metric, how many of the sliders are moved, and the
sliders themselves.

study=10,0.2,20,makespan_s,1;cluster.nodes.total,8,2,24,1;seed,3,0,8,1: each slider is its path, value, first,
last and step; the first is x, and of a map the second y; the others are held where they stand. The scripts of
the page write the same (assets/scripts/what_if/study.ts).
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

MAX_SLIDERS = 20
MAX_TEXT = 1_600  # characters
PATH = re.compile(r"[\w.\[\]*-]{1,200}", re.ASCII)
NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?(e[+-]?\d{1,2})?")
CHOICE = re.compile(r"[a-z-]{0,40}")
WORD = re.compile(r"\w{1,40}", re.ASCII)
AXES = re.compile("[12]")
POSITIVE_INTEGER = re.compile(r"[1-9]\d{0,5}")


class SliderState(NamedTuple):
    """A slider; value: None where none is given."""

    path: str
    value: float | str | None
    first: float
    last: float
    step: float


class StudyView(NamedTuple):
    """axes: how many of the sliders are moved, 1 or 2, the first ones."""

    seeds: int
    jitter: float
    values: int
    metric: str
    axes: int
    sliders: tuple[SliderState, ...]

    @classmethod
    def of(cls, text: str) -> StudyView | None:
        """From an address, which may be anything; None for what is none."""
        head, *slider_texts = text.split(";") if len(text) <= MAX_TEXT else [""]
        words = head.split(",")
        sliders = [slider for text in slider_texts if (slider := _parse_slider(text))]
        if len(words) != 5 or len(sliders) < len(slider_texts) or not 1 <= len(sliders) <= MAX_SLIDERS:
            return None
        seeds, jitter, values, metric, axes = words
        patterns = (POSITIVE_INTEGER, NUMBER, POSITIVE_INTEGER, WORD, AXES)
        if not all(map(re.Pattern.fullmatch, patterns, words)) or int(axes) > len(sliders):
            return None
        return cls(int(seeds), float(jitter), int(values), metric, int(axes), tuple(sliders))

    @property
    def text(self) -> str:
        """As `of` reads it."""
        head = f"{self.seeds},{self.jitter:g},{self.values},{self.metric},{self.axes}"
        sliders = (",".join([slider.path, *map(_format_value, slider[1:])]) for slider in self.sliders)
        return ";".join([head, *sliders])

    def plain(self) -> dict[str, Any]:
        """As JSON values, for the page's script."""
        return self._asdict() | {"sliders": [slider._asdict() for slider in self.sliders]}


def _parse_slider(text: str) -> SliderState | None:
    words = text.split(",")
    if len(words) != 5 or not PATH.fullmatch(words[0]) or not all(map(NUMBER.fullmatch, words[2:])):
        return None
    first, last, step = map(float, words[2:])
    if not first <= last or not step > 0:
        return None
    if NUMBER.fullmatch(words[1]):
        return SliderState(words[0], float(words[1]), first, last, step)
    return SliderState(words[0], words[1] or None, first, last, step) if CHOICE.fullmatch(words[1]) else None


def _format_value(value: float | str | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
