"""Shares of the cluster held and fair shares over time: one strip per entity, its deficit shaded."""

from __future__ import annotations

import numpy as np

from engine import Run, quantities
from engine.dashboard import DominantShares, display_name
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_margin, name_chars, named_margin
from webapp.figures.frame import BOTTOM_PX, FIXED_GRID, chart, plot_width, row_axis, still, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.traces import UNTOLD, lines, tick_names, with_gaps
from webapp.messages import msg

MAX_STRIPS = 12
STRIP_PX, MIN_STRIP_PX = 44, 28  # of one; in a low drawer
STRIP_FILL = 0.86  # of a strip's height
DIM = 0.3
NOTE_PX = 16
NAMES = ("deficit", msg("figures.fair_shares.fair_share"), "held")
COLUMN_PX = 3
MIN_SHARE = 1e-4


def column_count(width: int) -> int:
    """How many columns a picture of this width shows."""
    return max(plot_width(width, named_margin(width)) // COLUMN_PX, 1)


def drawn_entities(
    shares: DominantShares, highlighted: np.ndarray | None, max_count: int = MAX_STRIPS
) -> list[int]:
    """The entities that are drawn: all in their order where they are few, else those with the largest
    deficits, highlighted ones before them.
    """
    if len(shares.names) <= max_count:
        return list(range(len(shares.names)))
    first = np.zeros(len(shares.names), bool) if highlighted is None else highlighted
    return np.lexsort((-shares.total_deficit, ~first))[:max_count].tolist()


def fair_share_figure(
    shares: DominantShares,
    by: str,
    shown: list[int],
    highlighted: np.ndarray | None,
    *,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """A figure dict; by: what the entities are; shown: indices of them, from the top; highlighted:
    bool[entities], the others are dimmed, or None.

    All strips have one scale. A click on a strip highlights its entity: trace.meta names it.
    """
    look, sides = theme.look(dark), named_margin(width)
    plot = plot_width(width, sides)
    sides |= legend_margin(NAMES, plot) | {"b": BOTTOM_PX + NOTE_PX}
    names = [shares.names[entity] for entity in shown]
    is_bold = () if highlighted is None else highlighted[shown]
    bright = np.ones(len(shown), bool) if highlighted is None else highlighted[shown]
    share, fair_share = shares.share[shown], shares.fair_share[shown]
    top = max(float(np.maximum(fair_share, share).max(initial=0)), MIN_SHARE)
    data = []
    for strength in (1.0, DIM):
        rows = np.flatnonzero(bright == (strength == 1.0))
        if len(rows):
            data += _traces(shares, by, shown, rows, top, look, strength)
    named: set[str] = set()
    for trace in data:
        trace["showlegend"] = trace["name"] not in named
        named.add(trace["name"])
    first, last = (shares.edges[[0, -1]] / 1000).tolist()
    between = {"tickmode": "array", "tickvals": list(range(1, len(shown))), "showgrid": True}
    rows_axis = row_axis(
        tick_names(names, name_chars(sides), is_bold),
        look,
        range=[len(shown), 0],
        tickvals=(np.arange(len(shown)) + 0.55).tolist(),
        minor=between | {"gridcolor": look.grid, "gridwidth": 1},
    )
    note = msg("figures.fair_shares.height_strip_cluster", percent=quantities.percent(top))
    place = {"x": 1, "xref": "paper", "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top"}
    font = {"size": 12, "color": look.muted}
    layout = still(legend(look)) | {
        "xaxis": time_axis("time ({})", (first, max(last, first + 0.001)), plot, look) | FIXED_GRID,
        "yaxis": rows_axis,
        "annotations": [place | {"text": note, "yshift": -38, "showarrow": False, "font": font}],
    }
    return chart(data, layout, sides, len(shown) * STRIP_PX, len(shown) * MIN_STRIP_PX, dark)


def _traces(
    shares: DominantShares,
    by: str,
    shown: list[int],
    rows: np.ndarray,
    top: float,
    look: theme.Look,
    strength: float,
) -> list[dict]:
    """Areas of the deficits, the fair shares, and a line of the share of each row, which says under the
    pointer what both are.
    """
    entities = [shown[row] for row in rows.tolist()]
    share, fair_share, deficit = (
        part[entities].astype(float) for part in (shares.share, shares.fair_share, shares.deficit)
    )
    x = np.append(shares.edges[:-1].repeat(2)[1:], shares.edges[-1]) / 1000
    height = lambda level: (rows[:, None] + 0.96) - STRIP_FILL * level / top
    held, owed = height(share), height(fair_share)
    ink = theme.with_alpha(look.ink, strength)
    area_x, area_y = _areas(shares.edges / 1000, held, height(share + deficit), deficit > 0)
    fill = {"fill": "toself", "fillcolor": theme.with_alpha(look.muted, 0.45 * strength)}
    dotted = {"width": 1.2, "dash": "dot", "color": ink, "simplify": False}
    owed_x, owed_y = np.tile(np.append(x, np.nan), len(rows)), typed_array(_step_points(owed), "f4")
    traces = [
        lines(area_x, typed_array(area_y, "f4"), {"width": 0}, name=NAMES[0]) | UNTOLD | fill,
        lines(owed_x, owed_y, dotted, name=NAMES[1]) | UNTOLD,
    ]
    times = [quantities.moment(1000 * at) for at in x.tolist()]
    says = (
        "%{customdata[0]:.1~f} % of the cluster held<br>%{customdata[1]:.1~f} % fair share<br>at "
        "%{text}<extra></extra>"
    )
    line = {"width": 1.6, "color": ink, "simplify": False}
    for place, entity in enumerate(entities):
        name = shares.names[entity]
        both = 100 * np.stack([share[place], fair_share[place]], axis=1).repeat(2, axis=0)
        hover = {
            "text": times,
            "customdata": typed_array(both, "f4") | {"shape": f"{len(x)}, 2"},
            "hovertemplate": f"<b>{escaped(shortened(name))}</b><br>{says}",
            "hoverinfo": "all",
            "meta": f"{by}:{name}",
        }
        traces.append(lines(x, typed_array(held[place].repeat(2), "f4"), line, name=NAMES[2]) | hover)
    return traces


def _step_points(level: np.ndarray) -> np.ndarray:
    """Each level twice, for the two ends of its column, and a gap after each row."""
    twice = level.repeat(2, axis=1)
    return np.pad(twice, ((0, 0), (0, 1)), constant_values=np.nan).ravel()


def _areas(
    edges: np.ndarray, lower: np.ndarray, upper: np.ndarray, is_filled: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A rectangle a column in which something is there: x and y with gaps between."""
    row, column = np.nonzero(is_filled)
    a, b, low, high = edges[column], edges[column + 1], lower[row, column], upper[row, column]
    return with_gaps(a, b, b, a, a), with_gaps(low, low, high, high, low)


def fair_share_rows(shares: DominantShares) -> list[dict]:
    """A row an entity, the largest deficit first."""
    span = max(int(shares.edges[-1] - shares.edges[0]), 1)
    widths = np.diff(shares.edges)
    held, owed = ((part.astype(float) @ widths) for part in (shares.share, shares.fair_share))
    rows = []
    for entity in np.argsort(-shares.total_deficit, kind="stable").tolist():
        below, active = int(shares.below_ms[entity]), max(int(shares.active_ms[entity]), 1)
        rows.append(
            {
                "Name": shares.names[entity],
                "Below fair share (s)": below / 1000,
                "Of the time with demand (%)": round(100 * below / active, 2),
                "Deficit (% of the cluster x s)": round(100 * float(shares.total_deficit[entity]) / 1000, 3),
                "Mean share (%)": round(100 * float(held[entity]) / span, 3),
                "Mean fair share (%)": round(100 * float(owed[entity]) / span, 3),
                "Weight": float(f"{shares.weight[entity]:.6g}"),
            }
        )
    return rows


def fair_share_story(run: Run, shares: DominantShares, shown: list[int], noun: str) -> str:
    """Which entities have the largest deficits and how long they lasted, and how many are left out."""
    order = np.argsort(-shares.total_deficit, kind="stable").tolist()
    worst = [entity for entity in order[:3] if shares.below_ms[entity]]
    count, all_ = int((shares.below_ms > 0).sum()), len(shares.names)
    scheduler, duration = display_name(run.scheduler), lambda ms: quantities.duration(int(ms))
    if not worst:
        text = msg("figures.fair_shares.under_none_was_ever_below_its", scheduler=scheduler)
    else:
        longest = [
            msg(
                "figures.fair_shares.for",
                names=shares.names[entity],
                below_ms=duration(shares.below_ms[entity]),
                active_ms=duration(shares.active_ms[entity]),
            )
            for entity in worst
        ]
        text = msg(
            "figures.fair_shares.under",
            scheduler=scheduler,
            count=count,
            count2=quantities.count(all_, noun),
            below=msg("figures.fair_shares.was_below_its_fair_share")
            if count == 1
            else msg("figures.fair_shares.were_below_their_fair_share"),
            largest_note="" if count <= len(worst) else msg("figures.fair_shares.largest_deficits"),
            longest=", ".join(longest),
        )
    left = quantities.count(all_ - len(shown), noun)
    if all_ > len(shown):
        which = f"{len(shown):,}"
        if worst:
            which = msg("figures.fair_shares.with_largest_deficits", shown=len(shown))
        text += msg("figures.fair_shares.drawn_left_out_table_has_all", which=which, count=left)
    if shares.step_ms > 1:
        text += msg("figures.fair_shares.times_rounded_to_in_so_large", step_ms=duration(shares.step_ms))
    return text
