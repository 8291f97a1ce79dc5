"""Pieces of SVG as text. Colours are classes, so that the page's scheme, the printer and forced colours
decide about them.
"""

from __future__ import annotations

from html import escape

import numpy as np

from webapp.figures.plotly_arrays import shortened as cut

LETTER_PX = 6.6  # mean width of a letter of 12 px


def box_path(
    left: np.ndarray, top: np.ndarray, width: np.ndarray, height: float | np.ndarray, kind: str
) -> str:
    """One path of upright rectangles, of one height or a height each. left, top, width: float[boxes] in px;
    kind: its class.
    """
    if not len(left):
        return ""
    if isinstance(height, np.ndarray):
        numbers = np.stack([left, top, width, height, width], axis=1).ravel().tolist()
        return path_element(("M%.1f %.1fh%.1fv%.1fh-%.1fz" * len(left)) % tuple(numbers), kind)
    numbers = np.stack([left, top, width, width], axis=1).ravel().tolist()
    return path_element((f"M%.1f %.1fh%.1fv{height:.1f}h-%.1fz" * len(left)) % tuple(numbers), kind)


def step_path(x: np.ndarray, y: np.ndarray) -> str:
    """The path of a level that holds until the next point; points that change nothing are left out. x, y:
    float[points] in px.
    """
    keep = np.concatenate([[True], y[1:] != y[:-1]])
    keep[-1] = True
    numbers = np.stack([x[keep], y[keep]], axis=1).ravel().tolist()
    return ("M%.1f %.1f" + "H%.1fV%.1f" * (len(numbers) // 2 - 1)) % tuple(numbers)


def area_under(x: np.ndarray, y: np.ndarray, floor: float) -> str:
    """The path of all that lies between such a level and the floor."""
    return close_area(step_path(x, y), x, floor)


def close_area(level: str, x: np.ndarray, floor: float) -> str:
    """The same of a level whose path is known."""
    return f"{level}V{floor:.1f}H{x[0]:.1f}z"


def area_between(x: np.ndarray, upper: np.ndarray, lower: np.ndarray) -> str:
    """The path of all that lies between two such levels of the same points."""
    back = np.stack([lower[:-1][::-1], x[:-1][::-1]], axis=1)
    return f"{step_path(x, upper)}" + ("V%.1fH%.1f" * len(back)) % tuple(back.ravel().tolist()) + "z"


def path_element(d: str, kind: str) -> str:
    """A path of a class."""
    return f'<path class="{kind}" d="{d}"/>'


def text_element(x: float, y: float, words: str, kind: str = "") -> str:
    """Words at a place; kind: a class."""
    of_class = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{of_class}>{escape(words, quote=False)}</text>'


def image_element(source: str, left: float, top: float, width: float, height: float) -> str:
    """An image that is stretched into a box."""
    return (
        f'<image x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'preserveAspectRatio="none" href="{source}"/>'
    )


def svg_element(width: float, height: float, *parts: str) -> str:
    """An element that holds these parts, in px."""
    return f'<svg width="{width:g}" height="{height:g}" aria-hidden="true">{"".join(parts)}</svg>'


def fit_text(words: str, max_px: float) -> str:
    """What of the words fits into so many px of letters 12 px high, its end kept; "" where that is less than
    three letters.
    """
    max_chars = int(max_px / LETTER_PX)
    return cut(words, max_chars) if max_chars >= min(len(words), 3) else ""
