"""A click into a Gantt chart: what runs there is told under the card's head, on demand with the decision behind it, and its job is highlighted everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from dash import ALL, MATCH, ClientsideFunction, Dash, Input, Output, State, html, no_update

from engine import GantryError, Run
from webapp import runs, theme
from webapp.figures import shared_rows
from webapp.figures.details import details
from webapp.figures.rows import rows
from webapp.figures.slices import slices

MOST_CANDIDATES = 8


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
    """The callbacks of a click and of the question why; another result forgets both."""
    texts = {"type": "picked", "index": ALL}
    app.clientside_callback(
        ClientsideFunction("gantry", "forget"),
        Output(texts, "children", allow_duplicate=True),
        Input("result", "data"),
        State(texts, "id"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output(texts, "children"),
        Output("highlight", "data", allow_duplicate=True),
        Output("picked-container", "data"),
        Input("picked", "data"),
        State(texts, "id"),
        State("result", "data"),
        State("highlight", "data"),
        prevent_initial_call=True,
    )
    def pick(picked: dict | None, cards: list, result: dict | None, highlight: str | None):
        task = runs.known(result["key"]) if picked and result else None
        place = _place(picked)
        if task is None or place is None or not 0 <= place[0] < len(task.schedulers) or len(cards) != len(task.schedulers):
            return [no_update] * len(cards), no_update, no_update
        number, *where = place
        found = [one.run for one in task.outcomes()]
        container = container_at(found[number], shared_rows(found), *where)
        told: list[Any] = [None] * len(cards)
        if container is None:
            return told, None if highlight else no_update, None
        told[number] = _told(found[number], container, number)
        job = found[number].workload.job_names[int(found[number].containers.job[container])]
        return told, no_update if job == highlight else job, container

    @app.callback(
        Output({"type": "because", "index": MATCH}, "children"),
        Input({"type": "why", "index": MATCH}, "n_clicks"),
        State({"type": "why", "index": MATCH}, "id"),
        State("picked-container", "data"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    def why(clicks: int | None, id: dict, container: Any, result: dict | None):
        task = runs.known(result["key"]) if clicks and result else None
        if task is None or not isinstance(container, int) or not 0 <= id["index"] < len(task.schedulers):
            return no_update
        try:
            return _decision(runs.why(task, task.schedulers[id["index"]], container))
        except GantryError as error:
            return str(error)


def _told(run: Run, container: int, number: int) -> list:
    button = html.Button("Why there and then?", id={"type": "why", "index": number}, type="button", className="link-button")
    return [*_words(details(run, np.array([container]))[0]), " ", button, html.Div(id={"type": "because", "index": number})]


def _decision(found: dict[str, Any]) -> list:
    """The sentence, and the requests that could have had the node with what the orders compare of them."""
    heads = ("", "Job", "Kind", "Waiting", "Size", "Job holds", "Queue")
    shown = sorted(found["candidates"], key=lambda row: not row["chosen"])[:MOST_CANDIDATES]
    rows = [
        ("★" if row["chosen"] else "", row["job"], row["kind"], f"{row['waiting']:,}", _size(row, ""), _size(row, "job_used_"), row["queue"]) for row in shown
    ]
    left = len(found["candidates"]) - len(shown)
    return [
        html.P(f"{found['because']}."),
        html.Div(
            html.Table([html.Thead(html.Tr([html.Th(head) for head in heads])), html.Tbody([html.Tr([html.Td(cell) for cell in row]) for row in rows])]),
            className="candidates",
        ),
        html.P(f"And {theme.count(left, 'others')} that fitted.", className="help") if left else None,
    ]


def _size(row: dict[str, Any], prefix: str) -> str:
    return f"{theme.memory(row[f'{prefix}memory_mb'])}, {theme.vcores(row[f'{prefix}vcores'])}"


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
