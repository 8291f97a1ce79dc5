"""Traces and pictures of figure dicts: what those of all charts have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from webapp import theme
from webapp.figures.plotly_arrays import escaped, typed_array
from webapp.figures.short_names import cut_names

UNTOLD = {"hoverinfo": "skip"}
UNSEEN = UNTOLD | {"showlegend": False}  # by pointer and legend

Places = Sequence[Any] | np.ndarray | dict  # a float array is sent as f8, a dict is an array made ready


def lines(x: Places, y: Places, line: dict, **more: Any) -> dict:
    """A trace of lines."""
    return _scatter("lines", x, y) | {"line": line} | more


def marks(x: Places, y: Places, marker: dict, **more: Any) -> dict:
    """A trace of marks."""
    return _scatter("markers", x, y) | {"marker": marker} | more


def bars(x: Places, y: Places, marker: dict, **more: Any) -> dict:
    """A trace of bars that lie."""
    return {"type": "bar", "orientation": "h", "x": _sent(x), "y": _sent(y), "marker": marker} | more


def shift_bars(shift: theme.Shift, x: Places, y: Places, words: list[str], dark: bool, **more: Any) -> dict:
    """Bars of what is earlier or later, each with its words behind it."""
    outside = {"text": words, "textposition": "outside", "cliponaxis": False}
    font = {"size": 12, "color": theme.look(dark).ink}
    return bars(x, y, {"color": shift.colour(dark)}, name=shift.title, textfont=font) | outside | more


def legend_mark(name: str, colour: str) -> dict:
    """A mark of nothing, for the legend alone."""
    marker = {"symbol": "square", "size": 11, "color": colour}
    return marks([None], [None], marker, name=name, showlegend=True) | UNTOLD


def told(texts: list[str]) -> dict:
    """The part of a trace that says this of each point under the pointer."""
    return {"hovertext": texts, "hoverinfo": "text"}


def with_gaps(*ends: np.ndarray) -> np.ndarray:
    """One coordinate of many lines in one trace: of each line its points, then a gap. ends: float[lines] of
    the first, second, … point of all.
    """
    return np.stack([*ends, np.full(len(ends[0]), np.nan)], axis=1).ravel()


def scheduler_line(place: int, dark: bool, width: float) -> dict:
    """A scheduler's line by its place among those shown."""
    colour, dash = theme.scheduler(place, dark), theme.DASHES[place % len(theme.DASHES)]
    return {"width": width, "color": colour, "dash": dash}


def scheduler_mark(place: int, dark: bool, size: float, edge: dict) -> dict:
    """A scheduler's mark by its place; every second one is hollow."""
    symbol = theme.SYMBOLS[place % len(theme.SYMBOLS)] + "-open" * (place % 2)
    return {"symbol": symbol, "size": size, "color": theme.scheduler(place, dark), "line": edge}


def hatch(phase: theme.Phase, dark: bool) -> dict:
    """A phase's hatch over its colour."""
    colours = {"fgcolor": theme.hatch_colour(phase.key, dark), "bgcolor": phase.colour(dark)}
    return colours | {"shape": phase.hatch, "size": 6, "solidity": 0.2}


def phase_marker(phase: theme.Phase, dark: bool) -> dict:
    """How a bar of a phase is filled."""
    pattern = {"pattern": hatch(phase, dark)} if phase.hatch else {}
    return {"color": phase.colour(dark)} | pattern


def image(source: str, left: float, top: float, width: float, height: float, ref: str | None = None) -> dict:
    """An entry of layout.images, stretched from its upper left corner. ref: of both axes, x and y without."""
    place = {"xref": ref or "x", "yref": ref or "y", "x": left, "y": top, "sizex": width, "sizey": height}
    stretched = {"xanchor": "left", "yanchor": "top", "sizing": "stretch", "layer": "above"}
    return place | stretched | {"source": source}


def tick_names(names: Iterable[str], max_chars: int, bold: Iterable[Any] = ()) -> list[str]:
    """Names of rows as their axis shows them; bold: whether each is, none without."""
    texts = [escaped(name) for name in cut_names(tuple(names), max_chars)]
    is_bold = list(bold) or [False] * len(texts)
    return [f"<b>{text}</b>" if strong else text for text, strong in zip(texts, is_bold)]


def _scatter(mode: str, x: Places, y: Places) -> dict:
    return {"type": "scatter", "mode": mode, "x": _sent(x), "y": _sent(y)}


def _sent(places: Places) -> Any:
    return typed_array(places, "f8") if isinstance(places, np.ndarray) else places
