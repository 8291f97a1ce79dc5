"""A click into a Gantt chart: what runs there is told in words under the card's head, and its job is highlighted everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from dash import ALL, Dash, Input, Output, State, html, no_update

from engine import Run
from webapp import runs
from webapp.figures import shared_rows
from webapp.figures.details import details
from webapp.figures.rows import rows
from webapp.figures.slices import slices


def container_at(run: Run, needed: np.ndarray, row: float, ms: float, near_rows: float, near_ms: float) -> int | None:
    """Index into run.containers of what is drawn at a row and time, or the nearest within these distances; None where nothing is.

    needed: rows of each node, as the charts were drawn with.
    """
    found = slices(run, rows(needed, run.workload.node_racks).first)
    down = np.maximum(np.abs(found.row - row) - 0.5, 0)
    aside = np.maximum(np.maximum(found.start - ms, ms - found.end), 0)
    chosen = np.flatnonzero((down <= near_rows) & (aside <= near_ms))
    if not len(chosen):
        return None
    return int(found.container[chosen[np.argmin(aside[chosen] / max(near_ms, 1e-9) + down[chosen] / max(near_rows, 1e-9))]])


def register(app: Dash) -> None:
    """The callback of a click."""

    @app.callback(
        Output({"type": "picked", "index": ALL}, "children"),
        Output("highlight", "data", allow_duplicate=True),
        Input("picked", "data"),
        State("result", "data"),
        State("highlight", "data"),
        prevent_initial_call=True,
    )
    def pick(picked: dict | None, result: dict | None, highlight: str | None):
        task = runs.known(result["key"]) if picked and result else None
        place = _place(picked)
        if task is None or place is None or not 0 <= place[0] < len(task.schedulers):
            return [no_update] * len(task.schedulers if task else ()), no_update
        number, *where = place
        outcomes = task.outcomes()
        run = outcomes[number].run
        container = container_at(run, shared_rows([one.run for one in outcomes]), *where)
        texts: list[Any] = [None] * len(outcomes)
        if container is None:
            return texts, None if highlight else no_update
        texts[number] = _words(details(run, np.array([container]))[0])
        job = run.workload.job_names[int(run.containers.job[container])]
        return texts, no_update if job == highlight else job


def _place(picked: Any) -> tuple | None:
    try:
        near = picked["near"]
        return int(picked["index"]), float(picked["row"]), float(picked["ms"]), abs(float(near["rows"])), abs(float(near["ms"]))
    except (TypeError, KeyError, ValueError, OverflowError):
        return None


def _words(text: str) -> list:
    """plotly's lines as a sentence; names in it are escaped for plotly, Dash escapes by itself."""
    plain = text.replace("<b>", "").replace("</b>", "")
    for coded, letter in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        plain = plain.replace(coded, letter)
    first, *rest = plain.split("<br>")
    return [html.Strong(first), f": {'; '.join(rest)}."]
