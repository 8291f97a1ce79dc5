"""What a study's figure shows, by how many parameters vary: lines with bands, a map, or distributions.

Colours are Okabe and Ito's, which colour-blind eyes tell apart; each comes with a dash and a symbol of its own, which grey print tells apart.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.analysis.metrics import Metric
from engine.output.study_words import Axis, about, axes, decimals, scaled, unit_of, value_text
from engine.studies.result import StudyResult
from engine.studies.statistics import Winner, corrected, empirical_distribution, estimates, winners

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Dark and light by turns, so that neighbours differ in grey too; a palette, dashes and symbols of other lengths than each other repeat late.
COLOURS = ("#0072B2", "#E69F00", "#D55E00", "#56B4E9", "#009E73", "#CC79A7", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)))
SYMBOLS = ("o", "s", "^", "D", "v", "P", "X", "*")
BAND = 0.22  # how dark
LINE_PT, SYMBOL_PT = 1.1, 3.2
SMALL_PT, LETTER = 6.5, 0.535  # size of small text, and of it a letter's mean width
LONGEST, LINE_HEIGHT = 28, 1.6  # letters of a name on a line of a legend; from one line to the next, in its letters' size
HANDLE = 3.2  # length of a line in a legend, in its letters' size
MOST_SYMBOLS = 12  # along a line
MOST_TICKS = 8
PALEST = 0.2  # of a colour, where the margin is nothing
CELL_PT = 5.5
UNSURE = "#f0f0f0"


class Look(NamedTuple):
    """How a scheduler is drawn."""

    colour: str
    dash: object
    symbol: str


def look(place: int) -> Look:
    """Of the scheduler at this place."""
    return Look(*(of[place % len(of)] for of in (COLOURS, DASHES, SYMBOLS)))


def draw(figure: Figure, found: StudyResult, metric: Metric) -> str:
    """Draws it, and returns what is to be said of it below."""
    of = axes(found.study)
    if not of:
        return _distributions(figure, found, metric)
    if len(of) == 1:
        return _lines(figure, found, metric, of[0])
    if len(found.study.schedulers) == 1 or metric.better is None:
        return _values(figure, found, metric, of)
    return _map(figure, found, metric, of)


def _label(metric: Metric) -> str:
    return f"{metric.title} ({unit_of(metric)})"


def _legend(figure: Figure, handles: Sequence[Any], handle: float = HANDLE) -> None:
    """Above the plot, where it hides nothing, and the figure is the higher for it: as many columns as there is room for. handle: in letters."""
    names = [textwrap.fill(one.get_label(), LONGEST, break_on_hyphens=False) for one in handles]
    longest = max(len(line) for name in names for line in name.splitlines())
    letters = figure.get_figwidth() * 72 / (SMALL_PT * LETTER)
    columns = max(1, min(len(names), int(letters / (longest + 2 * handle))))
    rows = -(-len(names) // columns)  # columns are filled one after the other
    lines = max(sum(name.count("\n") + 1 for name in names[first : first + rows]) for first in range(0, len(names), rows))
    figure.set_figheight(figure.get_figheight() + (lines - 1) * LINE_HEIGHT * SMALL_PT / 72)
    figure.legend(handles, names, loc="outside upper center", ncols=columns, frameon=False, handlelength=handle, columnspacing=1.2)


def _axes(figure: Figure, x: str, y: str) -> Axes:
    ax = figure.add_subplot()
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color="#dddddd", linewidth=0.4)
    ax.set_axisbelow(True)
    return ax


def _lines(figure: Figure, found: StudyResult, metric: Metric, axis: Axis) -> str:
    study, mean = found.study, estimates(found, metric.key)
    is_scale = all(not isinstance(value, str) for value in axis.values)
    at = np.array(axis.values, float) if is_scale else np.arange(len(axis.values), dtype=float)
    order = np.argsort(at)
    ax = _axes(figure, axis.label, _label(metric))
    for place, name in enumerate(study.schedulers):
        own = look(place)
        y, half = (scaled(metric, one[order, place]) for one in (mean.mean, mean.half))
        every = max(1, -(-len(at) // MOST_SYMBOLS))
        symbols = {"marker": own.symbol, "markersize": SYMBOL_PT, "markerfacecolor": "white", "markeredgewidth": 0.8, "markevery": (0, every)}
        if is_scale:
            ax.fill_between(at[order], y - half, y + half, color=own.colour, alpha=BAND, linewidth=0)
            ax.plot(at[order], y, color=own.colour, linestyle=own.dash, linewidth=LINE_PT, label=name, **symbols)
        else:
            shift = (place - (len(study.schedulers) - 1) / 2) * 0.12
            ax.errorbar(at + shift, y, np.nan_to_num(half), color=own.colour, linestyle="none", elinewidth=0.8, capsize=2, label=name, **symbols)
    if not is_scale:
        ax.set_xticks(at, [value_text(value) for value in axis.values])
    _legend(figure, ax.get_legend_handles_labels()[0])
    return _interval(found, "Bands" if is_scale else "Bars")


def _interval(found: StudyResult, what: str) -> str:
    study = found.study
    if not study.is_random:
        return "Nothing is drawn: values are exact."
    if study.seeds == 1:
        return "One seed: no interval is known."
    return f"{what}: 95 % interval of the mean over {study.seeds} seeds (Student's t)."


def _distributions(figure: Figure, found: StudyResult, metric: Metric) -> str:
    ax = _axes(figure, _label(metric), "Share of runs")
    for place, name in enumerate(found.study.schedulers):
        values, share = empirical_distribution(found, metric.key, 0, place)
        if len(values):
            own = look(place)
            x = scaled(metric, np.concatenate([values[:1], values]))
            every = max(1, -(-len(x) // MOST_SYMBOLS))
            symbols = {"marker": own.symbol, "markersize": SYMBOL_PT, "markerfacecolor": "white", "markeredgewidth": 0.8, "markevery": (1, every)}
            ax.step(x, [0, *share], where="post", color=own.colour, linestyle=own.dash, linewidth=LINE_PT, label=name, **symbols)
    ax.set_ylim(0, 1.02)
    _legend(figure, ax.get_legend_handles_labels()[0])
    return (
        f"The share of the {found.study.seeds} runs, one a seed, that have at most so much (empirical distribution function)."
        if found.study.is_random
        else "Nothing is drawn: each scheduler has one value."
    )


def _map(figure: Figure, found: StudyResult, metric: Metric, of: Sequence[Axis]) -> str:
    """The winner's colour and symbol, the paler the smaller its margin; hatched where it is not sure."""
    from matplotlib.colors import to_rgb
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch, Rectangle

    best = winners(found, metric.key)
    most = max((one.margin for one in best if one.is_clear), default=0.0)
    ax, (rows, columns) = _cells(figure, of)
    has_text, size = _room(figure, rows, columns)
    for point, one in enumerate(best):
        row, column = divmod(point, columns)
        paint = UNSURE if one.place < 0 or not one.is_clear else _paled(to_rgb(look(one.place).colour), one.margin / most if most else 1.0)
        hatch = None if one.is_clear or one.place < 0 else "//////"
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=paint, edgecolor="#999999", hatch=hatch, linewidth=0.3))
        if one.place >= 0:
            face = "white" if one.is_clear else UNSURE
            ax.plot(column, row + 0.2 * has_text, look(one.place).symbol, color="black", markersize=size, markerfacecolor=face, markeredgewidth=0.5)
        if one.place >= 0 and has_text:
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85}
            ax.text(column, row - 0.22, _margin(metric, one), ha="center", va="center", fontsize=CELL_PT, bbox=box)
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(-0.5, rows - 0.5))
    shown = sorted({one.place for one in best if one.place >= 0})
    handles: list[Any] = [
        Line2D([], [], marker=look(place).symbol, markersize=SYMBOL_PT + 1, color=look(place).colour, linestyle="none", label=found.study.schedulers[place])
        for place in shown
    ]
    if any(not one.is_clear for one in best):
        handles.append(Patch(facecolor=UNSURE, edgecolor="#999999", hatch="//////", linewidth=0.3, label="not sure"))
    _legend(figure, handles, 2.0)
    comparisons = len(best) * (len(found.study.schedulers) - 1)
    said = f"Best mean at each point; {'in the cells its margin' if has_text else 'the darker the larger its margin'} before the next"
    said += f" ({unit_of(metric, is_difference=True)}), {scaled(metric, most):,.3g} at most" if most else ""
    if not found.study.is_random:
        return f"{said}. Nothing is drawn: values are exact."
    each = f"paired on common seeds, {100 * corrected(comparisons):.4g} % each so that all {comparisons} hold at once with 95 % (Bonferroni)"
    return f"{said}. Hatched: an interval of a difference meets zero ({each})."


def _margin(metric: Metric, one: Winner) -> str:
    if one.second < 0:
        return "alone"
    half = scaled(metric, one.half)
    return f"{scaled(metric, one.margin):,.{decimals(half) if half > 0 else 1}f}"


def _values(figure: Figure, found: StudyResult, metric: Metric, of: Sequence[Axis]) -> str:
    """The mean of the first scheduler: one alone has nobody to win from."""
    mean = estimates(found, metric.key)
    ax, (rows, columns) = _cells(figure, of)
    values = scaled(metric, mean.mean[:, 0].reshape(rows, columns))
    image = ax.imshow(values, cmap="cividis", origin="lower", aspect="auto", interpolation="nearest")
    bar = figure.colorbar(image, ax=ax, label=_label(metric))
    bar.outline.set_linewidth(0.6)
    if _room(figure, rows, columns)[0]:
        middle = (np.nanmin(values) + np.nanmax(values)) / 2
        halves = scaled(metric, mean.half[:, 0].reshape(rows, columns))
        for (row, column), value in np.ndenumerate(values):
            if value == value:
                text = f"{value:,.{decimals(halves[row, column]) if halves[row, column] > 0 else 1}f}"
                ax.text(column, row, text, ha="center", va="center", fontsize=CELL_PT, color="black" if value > middle else "white")
    widest = np.nanmax(mean.half[:, 0]) if np.isfinite(mean.half[:, 0]).any() else np.nan
    known = f"; 95 % intervals of the means are ± {about(metric, widest, 0.0, is_difference=True).lstrip('+')} at most" if widest > 0 else ""
    return f"Mean under {found.study.schedulers[0]} over {found.study.seeds} seeds{known}." if found.study.is_random else "Nothing is drawn: values are exact."


def _cells(figure: Figure, of: Sequence[Axis]) -> tuple[Axes, tuple[int, int]]:
    """Axes of cells: the first parameter upwards, the second across; a tick a value as far as there is room."""
    ax = figure.add_subplot()
    for axis, ticks, name in ((of[1], ax.set_xticks, ax.set_xlabel), (of[0], ax.set_yticks, ax.set_ylabel)):
        every = max(1, -(-len(axis.values) // MOST_TICKS))
        ticks(range(0, len(axis.values), every), [value_text(value) for value in axis.values[::every]])
        name(axis.label)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=2)
    return ax, (len(of[0].values), len(of[1].values))


def _room(figure: Figure, rows: int, columns: int) -> tuple[bool, float]:
    """Whether a cell has room for a number, and its symbol's size in points."""
    across, up = (figure.get_figwidth() - 0.6) * 72 / columns, 1.5 * 72 / rows
    has_text = across >= 26 and up >= 17
    return has_text, min(4.0, 0.45 * min(across, up)) if not has_text else 3.5


def _paled(colour: tuple[float, float, float], part: float) -> tuple[float, ...]:
    """Towards white."""
    strength = PALEST + (1 - PALEST) * part
    return tuple(1 - strength * (1 - one) for one in colour)
