"""Shares of the cluster held and fair shares over time: one strip per entity, its deficit shaded."""

from __future__ import annotations

import numpy as np

from engine import Run, quantities
from engine.dashboard import DominantShares, display_name
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_margin, name_chars, named_margin
from webapp.figures.frame import BOTTOM_PX, base, heights, plain_axis, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.short_names import cut_names
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
    sides = named_margin(width)
    return max((width - sides["l"] - sides["r"]) // COLUMN_PX, 1)


def drawn_entities(
    shares: DominantShares, highlighted: np.ndarray | None, max_count: int = MAX_STRIPS
) -> list[int]:
    """The entities that are drawn: all in their order where they are few, else those with the largest
    deficits, highlighted ones before them.
    """
    if len(shares.names) <= max_count:
        return list(range(len(shares.names)))
    order = np.lexsort(
        (
            np.arange(len(shares.names)),
            -shares.total_deficit,
            ~highlighted if highlighted is not None else np.zeros(len(shares.names), bool),
        )
    )
    return order[:max_count].tolist()


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
    plot = max(width - sides["l"] - sides["r"], 1)
    sides |= legend_margin(NAMES, plot) | {"b": BOTTOM_PX + NOTE_PX}
    share, fair_share, deficit = (
        part[shown].astype(float) for part in (shares.share, shares.fair_share, shares.deficit)
    )
    top = max(float(np.maximum(fair_share, share).max(initial=0)), MIN_SHARE)
    bright = np.ones(len(shown), bool) if highlighted is None else highlighted[shown]
    data = []
    for strength in (1.0, DIM):
        rows = np.flatnonzero(bright == (strength == 1.0))
        if len(rows):
            data += _traces(
                shares,
                rows,
                share,
                fair_share,
                deficit,
                [shares.names[shown_run] for shown_run in shown],
                top,
                look,
                strength,
            )
    named: set[str] = set()
    for trace in data:
        trace["showlegend"] = trace["name"] not in named
        if "meta" in trace:
            trace["meta"] = f"{by}:{trace['meta']}"
        named.add(trace["name"])
    layout = base(sides, dark) | {
        **heights(len(shown) * STRIP_PX, len(shown) * MIN_STRIP_PX, sides["t"] + sides["b"]),
        "showlegend": True,
        "legend": legend(look),
        "dragmode": False,
    }
    fixed = plain_axis(look) | {"fixedrange": True}
    edges = (shares.edges[[0, -1]] / 1000).tolist()
    layout["xaxis"] = time_axis("time ({})", (edges[0], max(edges[1], edges[0] + 0.001)), plot, look) | {
        "fixedrange": True,
        "showgrid": True,
    }
    texts = [
        escaped(name)
        for name in cut_names(tuple(shares.names[shown_run] for shown_run in shown), name_chars(sides))
    ]
    texts = [
        f"<b>{text}</b>" if highlighted is not None and highlighted[shown_run] else text
        for text, shown_run in zip(texts, shown)
    ]
    layout["yaxis"] = fixed | {
        "range": [len(shown), 0],
        "tickmode": "array",
        "tickvals": (np.arange(len(shown)) + 0.55).tolist(),
        "ticktext": texts,
    }
    layout["yaxis"]["minor"] = {
        "tickmode": "array",
        "tickvals": list(range(1, len(shown))),
        "showgrid": True,
        "gridcolor": look.grid,
        "gridwidth": 1,
    }
    layout["annotations"] = [
        {
            "text": msg("figures.fair_shares.height_strip_cluster", percent=quantities.percent(top)),
            "x": 1,
            "xref": "paper",
            "xanchor": "right",
            "y": 0,
            "yref": "paper",
            "yanchor": "top",
            "yshift": -38,
            "showarrow": False,
            "font": {"size": 12, "color": look.muted},
        }
    ]
    return {"data": data, "layout": layout}


def _traces(
    shares: DominantShares,
    rows: np.ndarray,
    share: np.ndarray,
    fair_share: np.ndarray,
    deficit: np.ndarray,
    names: list[str],
    top: float,
    look: theme.Look,
    strength: float,
) -> list[dict]:
    """Areas of the deficits, the fair shares, and a line of the share of each row, which says under the
    pointer what both are.
    """
    x = np.append(shares.edges[:-1].repeat(2)[1:], shares.edges[-1]) / 1000
    height = lambda level: (rows[:, None] + 0.96) - STRIP_FILL * level[rows] / top
    held, owed = height(share), height(fair_share)
    areas = _areas(shares.edges / 1000, held, height(share + deficit), deficit[rows] > 0)
    ink = theme.with_alpha(look.ink, strength)
    style = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    times = [quantities.moment(1000 * at) for at in x.tolist()]
    traces = [
        style
        | {
            "x": typed_array(areas[0], "f8"),
            "y": typed_array(areas[1], "f4"),
            "fill": "toself",
            "fillcolor": theme.with_alpha(look.muted, 0.45 * strength),
        }
        | {"line": {"width": 0}, "name": NAMES[0]},
        style
        | {
            "x": typed_array(np.tile(np.append(x, np.nan), len(rows)), "f8"),
            "y": typed_array(_step_points(owed), "f4"),
            "name": NAMES[1],
        }
        | {"line": {"width": 1.2, "dash": "dot", "color": ink, "simplify": False}},
    ]
    for place, row in enumerate(rows.tolist()):
        both = typed_array(100 * np.stack([share[row], fair_share[row]], axis=1).repeat(2, axis=0), "f4") | {
            "shape": f"{len(x)}, 2"
        }
        says = (
            "%{customdata[0]:.1~f} % of the cluster held<br>%{customdata[1]:.1~f} % fair share<br>at "
            "%{text}<extra></extra>"
        )
        line = {
            "x": typed_array(x, "f8"),
            "y": typed_array(held[place].repeat(2), "f4"),
            "text": times,
            "line": {"width": 1.6, "color": ink, "simplify": False},
            "name": NAMES[2],
        }
        hover = {
            "customdata": both,
            "hovertemplate": f"<b>{escaped(shortened(names[row]))}</b><br>{says}",
            "hoverinfo": "all",
            "meta": names[row],
        }
        traces.append(style | line | hover)
    return traces


def _step_points(level: np.ndarray) -> np.ndarray:
    """Each level twice, for the two ends of its column, and a gap after each row."""
    twice = level.repeat(2, axis=1)
    return np.concatenate([twice, np.full((len(level), 1), np.nan)], axis=1).ravel()


def _areas(
    edges: np.ndarray, lower: np.ndarray, upper: np.ndarray, is_filled: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A rectangle a column in which something is there: x and y with gaps between."""
    row, column = np.nonzero(is_filled)
    a, b, low, high = edges[column], edges[column + 1], lower[row, column], upper[row, column]
    gap = np.full(len(row), np.nan)
    return np.stack([a, b, b, a, a, gap], axis=1).ravel(), np.stack(
        [low, low, high, high, low, gap], axis=1
    ).ravel()


def fair_share_rows(shares: DominantShares) -> list[dict]:
    """A row an entity, the largest deficit first."""
    span = max(int(shares.edges[-1] - shares.edges[0]), 1)
    widths = np.diff(shares.edges)
    held, owed = ((part.astype(float) @ widths) for part in (shares.share, shares.fair_share))
    rows = []
    for entity in np.argsort(-shares.total_deficit, kind="stable").tolist():
        active = max(int(shares.active_ms[entity]), 1)
        rows.append(
            {
                "Name": shares.names[entity],
                "Below fair share (s)": int(shares.below_ms[entity]) / 1000,
                "Of the time with demand (%)": round(100 * int(shares.below_ms[entity]) / active, 2),
                "Deficit (% of the cluster x s)": round(100 * float(shares.total_deficit[entity]) / 1000, 3),
                "Mean share (%)": round(100 * float(held[entity]) / span, 3),
                "Mean fair share (%)": round(100 * float(owed[entity]) / span, 3),
                "Weight": float(f"{shares.weight[entity]:.6g}"),
            }
        )
    return rows


def fair_share_story(run: Run, shares: DominantShares, shown: list[int], noun: str) -> str:
    """Which entities have the largest deficits and how long they lasted, and how many are left out."""
    worst = [
        entity
        for entity in np.argsort(-shares.total_deficit, kind="stable").tolist()[:3]
        if shares.below_ms[entity]
    ]
    count, all_ = int((shares.below_ms > 0).sum()), len(shares.names)
    if not worst:
        text = msg("figures.fair_shares.under_none_was_ever_below_its", scheduler=display_name(run.scheduler))
    else:
        longest = [
            msg(
                "figures.fair_shares.for",
                names=shares.names[entity],
                below_ms=quantities.duration(int(shares.below_ms[entity])),
                active_ms=quantities.duration(int(shares.active_ms[entity])),
            )
            for entity in worst
        ]
        largest_note = "" if count <= len(worst) else msg("figures.fair_shares.largest_deficits")
        below = (
            msg("figures.fair_shares.was_below_its_fair_share")
            if count == 1
            else msg("figures.fair_shares.were_below_their_fair_share")
        )
        text = msg(
            "figures.fair_shares.under",
            scheduler=display_name(run.scheduler),
            count=count,
            count2=quantities.count(all_, noun),
            below=below,
            largest_note=largest_note,
            longest=", ".join(longest),
        )
    left = all_ - len(shown)
    if left:
        which = (
            msg("figures.fair_shares.with_largest_deficits", shown=len(shown)) if worst else f"{len(shown):,}"
        )
        text += msg(
            "figures.fair_shares.drawn_left_out_table_has_all",
            which=which,
            count=quantities.count(left, noun),
        )
    if shares.step_ms > 1:
        text += msg(
            "figures.fair_shares.times_rounded_to_in_so_large", step_ms=quantities.duration(shares.step_ms)
        )
    return text
