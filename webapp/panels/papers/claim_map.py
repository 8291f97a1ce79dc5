"""The map of a paper's headline: where over two parameters a claim holds, as recorded, and any point of it computed anew."""

from __future__ import annotations

import math
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html
from flask import jsonify

from engine import Axis, ClaimGrid, ClaimMap, GantryError, maps, paper_experiments, recorded_maps
from webapp.panels.components import card_menu
from webapp.panels.papers import downloads
from webapp.panels.papers.map_table import map_key, map_table
from webapp.panels.papers.map_words import outcome_text, reads, titled, with_unit
from webapp.services import bodies, live_claims

ADDRESS = "papers/claim-map"
UNKNOWN = "This map has no such point."


def of_experiment(name: str) -> list:
    """The map that belongs to "paper/experiment", if one does."""
    paper, _, _ = name.partition("/")
    one = maps().get(paper)
    return [layout(paper, one, html.H2)] if one and one.experiment == name else []


def of_paper(paper: str) -> list:
    """The map of a paper, if it has one, with a link to its experiment."""
    one = maps().get(paper)
    if one is None:
        return []
    link = html.A(paper_experiments()[one.experiment].title, href=get_relative_path(f"/papers/{one.experiment}"))
    return [layout(paper, one, html.H3), html.P(["The claim is of the experiment ", link, "."], className="quiet")]


def layout(paper: str, one: ClaimMap, head: type[html.H2 | html.H3]) -> html.Section:
    """The map with its sentence and key, and the hand that computes a point; head: its heading's level."""
    grid = recorded_maps().get(paper)
    said = reads(one, grid) if grid else "No map is recorded with this version yet; each point can be computed now."
    menu = [card_menu("the map", [downloads.table(f"{paper}-map", *_rows(one, grid))])] if grid else []
    hand = html.Div(
        [
            html.Div(id="map-sliders", className="bench-sliders"),
            html.P("Click on a point, or move both and let go: it is computed now.", id="map-says", role="status", className="map-says"),
            html.P("", id="map-error", role="alert", className="deadlock"),
        ],
        className="map-hand",
    )
    drawing = html.Div(
        [
            html.P(f"↑ {titled(one.y)}", className="map-axis"),
            html.Div(map_table(one, grid), className="map-room", tabIndex="0", role="region", **{"aria-label": f"Map: {one.title}"}),
            html.P(f"{titled(one.x)} →", className="map-axis map-axis-x"),
            map_key(one, grid),
        ],
        className="map-drawing",
    )
    return html.Section(
        [
            dcc.Store(id="map-facts", data=facts(paper, one)),
            html.Div([head(one.title, id="map-title"), *menu], className="paper-title"),
            html.P(one.says),
            html.P(said, className="map-reads"),
            html.Div([drawing, hand], className="map-columns"),
        ],
        id="claim-map",
        className="claim-map",
        **{"aria-labelledby": "map-title"},
    )


def facts(paper: str, one: ClaimMap) -> dict[str, Any]:
    """What the script needs: the address, and the stops of both sliders."""
    axes = [{"title": axis.title, "stops": [[value, with_unit(value, axis.unit)] for value in stops(axis)]} for axis in (one.x, one.y)]
    own = [axis.calibrated for axis in (one.x, one.y)]
    return {"address": get_relative_path("/" + ADDRESS), "paper": paper, "axes": axes, "own": own}


def stops(axis: Axis) -> list[float]:
    """The axis' values and one between each two of them; whole ones where all of them are."""
    whole = all(value == round(value) for value in axis.values)
    found = [axis.values[0]]
    for low, high in zip(axis.values, axis.values[1:]):
        middle = math.sqrt(low * high) if axis.log and low > 0 else (low + high) / 2
        middle = round(middle) if whole else float(f"{middle:.3g}")
        found += [middle, high] if low < middle < high else [high]
    return found


def register(app: Dash) -> None:
    """The points, and the address of those that are computed."""
    app.clientside_callback(ClientsideFunction("gantry", "mapFacts"), Output("claim-map", "aria-busy"), Input("map-facts", "data"))

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def claim_map_point() -> Any:
        asked = bodies.sent()
        return jsonify(answer(asked if isinstance(asked, dict) else {}))


def answer(asked: dict[str, Any]) -> dict[str, str]:
    """A point in words as {says}, or why it can't be as {because}. asked: {paper, x, y}."""
    paper, x, y = (asked.get(key) for key in ("paper", "x", "y"))
    one = maps().get(paper) if isinstance(paper, str) else None
    if one is None or not all(
        isinstance(value, (int, float)) and not isinstance(value, bool) and value in stops(axis) for value, axis in ((x, one.x), (y, one.y))
    ):
        return {"because": UNKNOWN}
    try:
        now = live_claims.point(paper, float(x), float(y))
    except GantryError as error:
        return {"because": str(error)}
    at = f"{one.x.title} {with_unit(x, one.x.unit)}, {one.y.title} {with_unit(y, one.y.unit)}"
    return {"says": f"{at}: {one.name} {outcome_text(now.value, now.holds, one, recorded_maps().get(paper))}, computed now. {_recorded(paper, one, x, y)}"}


def _recorded(paper: str, one: ClaimMap, x: float, y: float) -> str:
    grid = recorded_maps().get(paper)
    if grid is None:
        return "Nothing is recorded."
    if x not in grid.x or y not in grid.y:
        return "It lies between recorded points."
    row, column = grid.y.index(y), grid.x.index(x)
    return f"Recorded: {outcome_text(grid.value[row][column], grid.holds[row][column], one, grid)}."


def _rows(one: ClaimMap, grid: ClaimGrid) -> tuple[list[str], list[list[Any]]]:
    """The map as a table: a row a point."""
    points = [[x, y, grid.value[row][column], grid.holds[row][column]] for row, y in enumerate(grid.y) for column, x in enumerate(grid.x)]
    return [titled(one.x), titled(one.y), f"{one.name} ({one.unit})", "Claim holds"], points
