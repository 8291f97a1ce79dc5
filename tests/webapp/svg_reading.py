"""Drawings of the server read back."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree


class Box(NamedTuple):
    """An upright rectangle, in px."""

    x: float
    y: float
    wide: float
    high: float


def read(parts: str) -> ElementTree.Element:
    """Parts of a drawing as elements; they must be well-formed."""
    return ElementTree.fromstring(f"<svg>{parts}</svg>")


def boxes(of: ElementTree.Element, kind: str) -> list[Box]:
    """The rectangles of the paths of a class, wherever they stand."""
    rows = []
    for path in of.iter("path"):
        if path.get("class") == kind:
            for x, y, wide, high, back in re.findall(
                r"M(-?[\d.]+) (-?[\d.]+)h([\d.]+)v([\d.]+)h-([\d.]+)z", path.get("d")
            ):
                assert back == wide
                rows.append(Box(float(x), float(y), float(wide), float(high)))
    return rows


def inside(of: ElementTree.Element, kind: str) -> ElementTree.Element | None:
    """The group of a class."""
    return next((group for group in of.iter("g") if group.get("class") == kind), None)


def words(of: ElementTree.Element, kind: str | None = None) -> list[str]:
    """What is written, of one class if named."""
    return [one.text for one in of.iter("text") if kind in (None, one.get("class"))]


def classes(text: str) -> set[str]:
    """Every class that a drawing uses."""
    return {name for result in re.findall(r'class="([^"]*)"', text) for name in result.split()}


def points(path: str) -> list[tuple[float, float]]:
    """The corners of a path of M, H and V."""
    rows: list[tuple[float, float]] = []
    for kind, numbers in re.findall(r"([MHV])([\d. -]+)", path):
        values = [float(number) for number in numbers.split()]
        x, y = rows[-1] if rows else (0.0, 0.0)
        rows.append(
            (values[0], values[1]) if kind == "M" else (values[0], y) if kind == "H" else (x, values[0])
        )
    return rows


def level_at(corners: list[tuple[float, float]], x: float) -> float | None:
    """The height of a level's line over x; None where there is none."""
    return next((b for (a, b), (c, d) in zip(corners, corners[1:]) if a <= x < c and b == d), None)
