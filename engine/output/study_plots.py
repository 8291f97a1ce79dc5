"""What a study's figure shows, by how many parameters vary: lines with bands, a map, or distributions.

Colours are Okabe and Ito's, which colour-blind eyes tell apart; each comes with a dash and a symbol of its
own, which grey print tells apart.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine import quantities
from engine.analysis.metrics import Metric
from engine.messages import msg
from engine.output.study_labels import (
    Axis,
    decimals,
    display_unit,
    display_value,
    study_axes,
    value_text,
)
from engine.studies.result import StudyResult
from engine.studies.statistics import Winner, corrected, empirical_distribution, estimates, winners

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Dark and light by turns, so that neighbours differ in grey too; a palette, dashes and symbols of other
# lengths than each other repeat late.
COLOURS = ("#0072B2", "#E69F00", "#D55E00", "#56B4E9", "#009E73", "#CC79A7", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)))
SYMBOLS = ("o", "s", "^", "D", "v", "P", "X", "*")
BAND_ALPHA = 0.22  # how dark
LINE_PT, SYMBOL_PT = 1.1, 3.2
SMALL_PT, LETTER_WIDTH = 6.5, 0.535  # size of small text, and of it a letter's mean width
# letters of a name on a line of a legend; from one line to the next, in its letters' size
MAX_LEGEND_LETTERS, LINE_HEIGHT = (
    28,
    1.6,
)
HANDLE_LENGTH = 3.2  # length of a line in a legend, in its letters' size
MAX_SYMBOLS = 12  # along a line
MAX_TICKS = 8
MIN_TINT = 0.2  # of a colour, where the margin is nothing
CELL_PT = 5.5
UNSURE_COLOUR = "#f0f0f0"
UNSURE_HATCH: dict[str, Any] = {"edgecolor": "#999999", "hatch": "//////", "linewidth": 0.3}


class LineStyle(NamedTuple):
    """How a scheduler is drawn."""

    colour: str
    dash: Any  # as matplotlib's linestyle
    symbol: str


def line_style(index: int) -> LineStyle:
    """Of the scheduler at this place."""
    return LineStyle(
        COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)], SYMBOLS[index % len(SYMBOLS)]
    )


def draw_study(figure: Figure, result: StudyResult, metric: Metric) -> str:
    """Draws it, and returns what is to be said of it below."""
    varied = study_axes(result.study)
    if not varied:
        return _draw_distributions(figure, result, metric)
    if len(varied) == 1:
        return _draw_lines(figure, result, metric, varied[0])
    if len(result.study.schedulers) == 1 or metric.better is None:
        return _draw_mean_map(figure, result, metric, varied)
    return _draw_winner_map(figure, result, metric, varied)


def _label(metric: Metric) -> str:
    return f"{metric.title} ({display_unit(metric)})"


def _legend(figure: Figure, handles: Sequence[Any], handle: float = HANDLE_LENGTH) -> None:
    """Above the plot, where it hides nothing, and the figure is the higher for it: as many columns as there
    is room for. handle: in letters.
    """
    names = [
        textwrap.fill(legend_handle.get_label(), MAX_LEGEND_LETTERS, break_on_hyphens=False)
        for legend_handle in handles
    ]
    max_letters = max(len(line) for name in names for line in name.splitlines())
    letters = figure.get_figwidth() * 72 / (SMALL_PT * LETTER_WIDTH)
    columns = max(1, min(len(names), int(letters / (max_letters + 2 * handle))))
    rows = -(-len(names) // columns)  # columns are filled one after the other
    lines = max(
        sum(name.count("\n") + 1 for name in names[first : first + rows])
        for first in range(0, len(names), rows)
    )
    figure.set_figheight(figure.get_figheight() + (lines - 1) * LINE_HEIGHT * SMALL_PT / 72)
    figure.legend(
        handles,
        names,
        loc="outside upper center",
        ncols=columns,
        frameon=False,
        handlelength=handle,
        columnspacing=1.2,
    )


def _axes(figure: Figure, x: str, y: str) -> Axes:
    ax = figure.add_subplot()
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color="#dddddd", linewidth=0.4)
    ax.set_axisbelow(True)
    return ax


def _draw_lines(figure: Figure, result: StudyResult, metric: Metric, axis: Axis) -> str:
    study, mean = result.study, estimates(result, metric.key)
    is_scale = all(not isinstance(value, str) for value in axis.values)
    positions = np.array(axis.values, float) if is_scale else np.arange(len(axis.values), dtype=float)
    order = np.argsort(positions)
    ax = _axes(figure, axis.label, _label(metric))
    for index, name in enumerate(study.schedulers):
        style = line_style(index)
        y, half = (display_value(metric, array[order, index]) for array in (mean.mean, mean.half))
        every = max(1, -(-len(positions) // MAX_SYMBOLS))
        symbols: dict[str, Any] = {
            "marker": style.symbol,
            "markersize": SYMBOL_PT,
            "markerfacecolor": "white",
            "markeredgewidth": 0.8,
            "markevery": (0, every),
        }
        if is_scale:
            ax.fill_between(
                positions[order], y - half, y + half, color=style.colour, alpha=BAND_ALPHA, linewidth=0
            )
            ax.plot(
                positions[order],
                y,
                color=style.colour,
                linestyle=style.dash,
                linewidth=LINE_PT,
                label=name,
                **symbols,
            )
        else:
            shift = (index - (len(study.schedulers) - 1) / 2) * 0.12
            ax.errorbar(
                positions + shift,
                y,
                np.nan_to_num(half),
                color=style.colour,
                linestyle="none",
                elinewidth=0.8,
                capsize=2,
                label=name,
                **symbols,
            )
    if not is_scale:
        ax.set_xticks(positions, [value_text(value) for value in axis.values])
    _legend(figure, ax.get_legend_handles_labels()[0])
    return _interval(result, "Bands" if is_scale else "Bars")


def _interval(result: StudyResult, what: str) -> str:
    study = result.study
    if not study.is_random:
        return msg("output.study_plots.deterministic_exact")
    if study.seeds == 1:
        return msg("output.study_plots.one_seed_no_interval_known")
    return msg("output.study_plots.interval_mean_over_seeds_students_t", what=what, seeds=study.seeds)


def _draw_distributions(figure: Figure, result: StudyResult, metric: Metric) -> str:
    ax = _axes(figure, _label(metric), msg("output.study_plots.share_runs"))
    for index, name in enumerate(result.study.schedulers):
        values, share = empirical_distribution(result, metric.key, 0, index)
        if len(values):
            style = line_style(index)
            x = display_value(metric, np.concatenate([values[:1], values]))
            every = max(1, -(-len(x) // MAX_SYMBOLS))
            symbols: dict[str, Any] = {
                "marker": style.symbol,
                "markersize": SYMBOL_PT,
                "markerfacecolor": "white",
                "markeredgewidth": 0.8,
                "markevery": (1, every),
            }
            ax.step(
                x,
                [0, *share],
                where="post",
                color=style.colour,
                linestyle=style.dash,
                linewidth=LINE_PT,
                label=name,
                **symbols,
            )
    ax.set_ylim(0, 1.02)
    _legend(figure, ax.get_legend_handles_labels()[0])
    return (
        f"The share of the {result.study.seeds} runs, one per seed, at or below a value (empirical "
        "distribution function)."
        if result.study.is_random
        else msg("output.study_plots.deterministic_one_value")
    )


def _draw_winner_map(figure: Figure, result: StudyResult, metric: Metric, varied: Sequence[Axis]) -> str:
    """The winner's colour and symbol, the paler the smaller its margin; hatched where it is not sure."""
    best = winners(result, metric.key)
    max_margin = max((winner.margin for winner in best if winner.is_clear), default=0.0)
    ax, (rows, columns) = _cell_axes(figure, varied)
    has_text, size = _cell_text_fit(figure, rows, columns)
    for point, winner in enumerate(best):
        row, column = divmod(point, columns)
        _fill_winner_cell(ax, row, column, winner, max_margin)
        if winner.scheduler_index >= 0:
            _mark_winner(ax, row + 0.2 * has_text, column, winner, size)
            if has_text:
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85}
                text = _margin(metric, winner)
                ax.text(column, row - 0.22, text, ha="center", va="center", fontsize=CELL_PT, bbox=box)
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(-0.5, rows - 0.5))
    _legend(figure, _winner_handles(result.study.schedulers, best), 2.0)
    caption = msg(
        "output.study_plots.best_mean_at_each_point_before",
        value="in the cells its margin" if has_text else "the darker the larger its margin",
    )
    if max_margin:
        caption += msg(
            "output.study_plots.at_most",
            unit=display_unit(metric, is_difference=True),
            margin=quantities.estimate(max_margin, 0.0, metric.unit, is_difference=True).lstrip("+"),
        )
    if not result.study.is_random:
        return msg("output.study_plots.deterministic_exact_caption", caption=caption)
    comparisons = len(best) * (len(result.study.schedulers) - 1)
    each = msg(
        "output.study_plots.paired_on_common_seeds_each_so",
        corrected=100 * corrected(comparisons),
        comparisons=comparisons,
    )
    return msg("output.study_plots.hatched_interval_difference_meets_zero", caption=caption, each=each)


def _fill_winner_cell(ax: Axes, row: int, column: int, winner: Winner, max_margin: float) -> None:
    """The winner's colour by its margin, hatched where it is not sure; neither without a winner."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    look: dict[str, Any] = UNSURE_HATCH | {"facecolor": UNSURE_COLOUR}
    if winner.scheduler_index < 0:
        look["hatch"] = None
    elif winner.is_clear:
        colour = to_rgb(line_style(winner.scheduler_index).colour)
        tint = _tint(colour, winner.margin / max_margin if max_margin else 1.0)
        look |= {"facecolor": tint, "hatch": None}
    ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **look))


def _mark_winner(ax: Axes, y: float, x: float, winner: Winner, size: float) -> None:
    ax.plot(
        x,
        y,
        line_style(winner.scheduler_index).symbol,
        color="black",
        markersize=size,
        markerfacecolor="white" if winner.is_clear else UNSURE_COLOUR,
        markeredgewidth=0.5,
    )


def _winner_handles(schedulers: Sequence[str], best: Sequence[Winner]) -> list[Any]:
    """The legend's entries: each scheduler that wins somewhere, and what is not sure."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    for index in sorted({winner.scheduler_index for winner in best if winner.scheduler_index >= 0}):
        style = line_style(index)
        handles.append(
            Line2D(
                [],
                [],
                marker=style.symbol,
                markersize=SYMBOL_PT + 1,
                color=style.colour,
                linestyle="none",
                label=schedulers[index],
            )
        )
    if any(not winner.is_clear for winner in best):
        handles.append(
            Patch(facecolor=UNSURE_COLOUR, label=msg("output.study_plots.not_significant"), **UNSURE_HATCH)
        )
    return handles


def _margin(metric: Metric, winner: Winner) -> str:
    if winner.second < 0:
        return "alone"
    half = display_value(metric, winner.half)
    return f"{display_value(metric, winner.margin):,.{decimals(half) if half > 0 else 1}f}"


def _draw_mean_map(figure: Figure, result: StudyResult, metric: Metric, varied: Sequence[Axis]) -> str:
    """The mean of the first scheduler: one alone has nobody to win from."""
    mean = estimates(result, metric.key)
    ax, (rows, columns) = _cell_axes(figure, varied)
    values = display_value(metric, mean.mean[:, 0].reshape(rows, columns))
    image = ax.imshow(values, cmap="cividis", origin="lower", aspect="auto", interpolation="nearest")
    bar = figure.colorbar(image, ax=ax, label=_label(metric))
    bar.outline.set_linewidth(0.6)
    if _cell_text_fit(figure, rows, columns)[0]:
        middle = (np.nanmin(values) + np.nanmax(values)) / 2
        halves = display_value(metric, mean.half[:, 0].reshape(rows, columns))
        for (row, column), value in np.ndenumerate(values):
            if value == value:
                half = float(halves[row, column])
                text = f"{value:,.{decimals(half) if half > 0 else 1}f}"
                ax.text(
                    column,
                    row,
                    text,
                    ha="center",
                    va="center",
                    fontsize=CELL_PT,
                    color="black" if value > middle else "white",
                )
    widest = np.nanmax(mean.half[:, 0]) if np.isfinite(mean.half[:, 0]).any() else np.nan
    interval_note = (
        msg(
            "output.study_plots.intervals_means_at_most",
            half=quantities.estimate(widest, 0.0, metric.unit, is_difference=True).lstrip("+"),
        )
        if widest > 0
        else ""
    )
    return (
        msg(
            "output.study_plots.mean_under_over_seeds",
            schedulers=result.study.schedulers[0],
            seeds=result.study.seeds,
            interval_note=interval_note,
        )
        if result.study.is_random
        else msg("output.study_plots.deterministic_exact")
    )


def _cell_axes(figure: Figure, varied: Sequence[Axis]) -> tuple[Axes, tuple[int, int]]:
    """Axes of cells: the first parameter upwards, the second across; a tick a value as far as there is
    room.
    """
    ax = figure.add_subplot()
    for axis, set_ticks, set_label in (
        (varied[1], ax.set_xticks, ax.set_xlabel),
        (varied[0], ax.set_yticks, ax.set_ylabel),
    ):
        every = max(1, -(-len(axis.values) // MAX_TICKS))
        set_ticks(range(0, len(axis.values), every), [value_text(value) for value in axis.values[::every]])
        set_label(axis.label)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=2)
    return ax, (len(varied[0].values), len(varied[1].values))


def _cell_text_fit(figure: Figure, rows: int, columns: int) -> tuple[bool, float]:
    """Whether a cell has room for a number, and its symbol's size in points."""
    across, up = (figure.get_figwidth() - 0.6) * 72 / columns, 1.5 * 72 / rows
    has_text = across >= 26 and up >= 17
    return has_text, min(4.0, 0.45 * min(across, up)) if not has_text else 3.5


def _tint(colour: tuple[float, float, float], part: float) -> tuple[float, ...]:
    """Towards white."""
    strength = MIN_TINT + (1 - MIN_TINT) * part
    return tuple(1 - strength * (1 - channel) for channel in colour)
