"""Areas of SVG paths."""

from __future__ import annotations

from tests.webapp.svg_reading import points


def area(path: str) -> float:
    """What a closed path encloses, by the shoelace formula."""
    corners = points(path)
    return abs(sum(a * d - b * c for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1]))) / 2
