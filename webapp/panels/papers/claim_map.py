"""The map of a paper's headline: where over two parameters a claim holds, as recorded, and any point of it
computed anew.
"""

from __future__ import annotations

import math
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html
from flask import jsonify

from engine import GantryError, paper_experiments
from engine.dashboard import Axis, ClaimGrid, ClaimMap, headline_maps, recorded_maps
from webapp.http import json_bodies
from webapp.jobs import live_claims
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
from webapp.panels.papers import downloads
from webapp.panels.papers.map_table import map_key, map_table
from webapp.panels.papers.map_words import axis_title, map_sentence, outcome_text, titled_values, with_unit
from webapp.panels.papers.pieces import folded, region

ADDRESS = "papers/claim-map"
UNKNOWN = msg("panels.claim_map.map_has_no_such_point")


def experiment_layout(name: str) -> list:
    """The map that belongs to "paper/experiment", if one does."""
    paper, _, _ = name.partition("/")
    claim_map = headline_maps().get(paper)
    if claim_map is None or claim_map.experiment != name:
        return []
    return [folded(msg("panels.claim_map.folded", title=claim_map.title), layout(paper, claim_map))]


def paper_layout(paper: str) -> list:
    """The map of a paper, if it has one, with a link to its experiment."""
    claim_map = headline_maps().get(paper)
    if claim_map is None:
        return []
    title = paper_experiments()[claim_map.experiment].title
    link = html.A(title, href=get_relative_path(f"/papers/{claim_map.experiment}"))
    of = html.P([msg("panels.claim_map.claim_experiment"), link, "."], className="quiet")
    return [folded(msg("panels.claim_map.folded", title=claim_map.title), [layout(paper, claim_map), of])]


def layout(paper: str, claim_map: ClaimMap) -> html.Section:
    """The map with its sentence and key, and the hand that computes a point."""
    grid = recorded_maps().get(paper)
    sentence, menu = msg("panels.claim_map.no_map_recorded_with_version_yet"), []
    if grid:
        sentence = map_sentence(claim_map, grid)
        menu = [card_menu(msg("panels.claim_map.map"), [_csv(paper, claim_map, grid)])]
    hint = msg("panels.claim_map.click_on_point_or_move_both")
    controls = html.Div(
        [
            html.Div(id="map-sliders", className="sensitivity-sliders"),
            html.P(hint, id="map-says", role="status", className="map-says"),
            html.P("", id="map-error", role="alert", className="deadlock"),
        ],
        className="map-hand",
    )
    drawing = html.Div(
        [
            html.P(f"↑ {axis_title(claim_map.y)}", className="map-axis"),
            region(f"Map: {claim_map.title}", map_table(claim_map, grid), "map-room"),
            html.P(f"{axis_title(claim_map.x)} →", className="map-axis map-axis-x"),
            map_key(claim_map, grid),
        ],
        className="map-drawing",
    )
    return html.Section(
        [
            dcc.Store(id="map-facts", data=facts(paper, claim_map)),
            html.Div([html.H3(claim_map.title, id="map-title"), *menu], className="paper-title"),
            html.P(claim_map.says),
            html.P(sentence, className="map-reads"),
            html.Div([drawing, controls], className="map-columns"),
        ],
        id="claim-map",
        className="claim-map",
        **attributes({"aria-labelledby": "map-title"}),
    )


def facts(paper: str, claim_map: ClaimMap) -> dict[str, Any]:
    """What the script needs: the address, and the stops of both sliders."""
    axes = (claim_map.x, claim_map.y)
    sliders = [
        {"title": axis.title, "stops": [[value, with_unit(axis, value)] for value in stops(axis)]}
        for axis in axes
    ]
    own = [axis.calibrated for axis in axes]
    return {"address": get_relative_path("/" + ADDRESS), "paper": paper, "axes": sliders, "own": own}


def stops(axis: Axis) -> list[float]:
    """The axis' values and one between each two of them; whole ones where all of them are."""
    is_whole = all(value == round(value) for value in axis.values)
    values = [axis.values[0]]
    for low, high in zip(axis.values, axis.values[1:]):
        middle = math.sqrt(low * high) if axis.log and low > 0 else (low + high) / 2
        middle = round(middle) if is_whole else float(f"{middle:.3g}")
        values += [middle, high] if low < middle < high else [high]
    return values


def register(app: Dash) -> None:
    """The points, and the address of those that are computed."""
    app.clientside_callback(
        ClientsideFunction("gantry", "mapFacts"), Output("claim-map", "aria-busy"), Input("map-facts", "data")
    )

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def claim_map_point() -> Any:
        sent = json_bodies.request_json()
        return jsonify(answer(sent if isinstance(sent, dict) else {}))


def answer(sent: dict[str, Any]) -> dict[str, str]:
    """A point in words as {says}, or why it can't be as {because}. sent: {paper, x, y}."""
    paper = sent.get("paper")
    if not isinstance(paper, str) or (claim_map := headline_maps().get(paper)) is None:
        return {"because": UNKNOWN}
    x, y = _stop(claim_map.x, sent.get("x")), _stop(claim_map.y, sent.get("y"))
    if x is None or y is None:
        return {"because": UNKNOWN}
    try:
        point = live_claims.map_point(paper, float(x), float(y))
    except GantryError as error:
        return {"because": str(error)}
    grid = recorded_maps().get(paper)
    says = msg(
        "panels.claim_map.computed_now",
        where=titled_values([(claim_map.x, x), (claim_map.y, y)]),
        name=claim_map.name,
        outcome_text=outcome_text(point.value, point.holds, claim_map, grid),
        recorded=_recorded(claim_map, grid, x, y),
    )
    return {"says": says}


def _stop(axis: Axis, value: Any) -> float | None:
    """The value, if it is one of an axis's."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and value in stops(axis) else None


def _recorded(claim_map: ClaimMap, grid: ClaimGrid | None, x: float, y: float) -> str:
    if grid is None:
        return msg("panels.claim_map.nothing_recorded")
    if x not in grid.x or y not in grid.y:
        return msg("panels.claim_map.lies_between_recorded_points")
    row, column = grid.y.index(y), grid.x.index(x)
    text = outcome_text(grid.value[row][column], grid.holds[row][column], claim_map, grid)
    return msg("panels.claim_map.recorded", outcome_text=text)


def _csv(paper: str, claim_map: ClaimMap, grid: ClaimGrid) -> downloads.Entry:
    """The map as a table: a row a point."""
    number = f"{claim_map.name} ({claim_map.unit})"
    heads = [axis_title(claim_map.x), axis_title(claim_map.y), number, msg("panels.claim_map.claim_holds")]
    points = [
        [x, y, value, holds]
        for y, values, of_claim in zip(grid.y, grid.value, grid.holds)
        for x, value, holds in zip(grid.x, values, of_claim)
    ]
    return downloads.table(f"{paper}-map", heads, points)
