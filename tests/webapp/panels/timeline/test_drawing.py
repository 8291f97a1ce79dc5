"""What the page's scripts fetch: figures for another zoom, what is under the pointer, neighbours, names, extents."""

from __future__ import annotations

import pytest
from dash import Dash, html
from flask import Flask

from webapp.panels.timeline import drawing
from webapp.panels.timeline.viewport import View, figures, rows_seen
from webapp.services import runs
from webapp.services.cache import Shared, shared
from webapp.services.runs import Task
from webapp.services.url_state import Asked

NEAR = {"rows": 0.1, "ms": 10}


@pytest.fixture
def task(cache: Shared, small: dict) -> Task:
    """Slowstart 0, fifo: the reduce from 0 to 17 s, the maps from 1 to 11 s and from 2 to 12 s, each in a row of its own."""
    small["jobs"][0]["slowstart"] = 0.0
    found = runs.task(Asked(small, ("fifo+slowstart", "fair+slowstart")))
    runs.keep(found)
    return found


def test_figures_are_of_what_is_looked_at(task: Task) -> None:
    sent = {"window": {"x0": 1_000, "x1": 5_000, "y0": 1.0, "y1": 3.0}, "highlight": "phase:map", "dark": True, "width": 700, "rows": {"by": "lane"}}
    for figure in drawing.drawn(task, sent)["figures"]:
        assert figure["layout"]["xaxis"]["range"] == [1.0, 5.0]
        assert figure["layout"]["yaxis"]["range"] == [2.5, 0.5]
        meta = figure["layout"]["meta"]["drawn"]
        assert meta["window"] == sent["window"]
        assert (meta["key"], meta["highlight"], meta["dark"], meta["whole"]["rows"]) == (task.key, "phase:map", True, 3)


def test_what_makes_no_sense_is_left_at_its_default() -> None:
    sent = {"window": {"x0": "a", "x1": None, "y0": 5, "y1": 2}, "highlight": "planet:mars", "width": float("nan"), "rows": {"by": 7, "opened": [1, "a"]}}
    assert View.of({"rows": 3, "window": []}) == View()
    found = View.of(sent | {"width": "wide"})
    assert (found.window, found.seen, found.highlight, found.width) == (None, None, None, View.width)
    assert found.wanted.opened == {"a"}
    assert View.of({"width": 10**8}).width == 4000
    assert View.of({"rows": {"find": "x" * 500}}).wanted.find == "x" * 100


def test_what_is_under_the_pointer(task: Task) -> None:
    found = drawing.at(task, {"index": 0, "row": 1.0, "ms": 5_000, "near": NEAR})
    assert found["text"][0] == "<b>one</b> map 0"
    assert (found["row"], found["start"], found["end"]) == (1, 1_000, 11_000)
    assert drawing.at(task, {"index": 0, "row": 1.0, "ms": 60_000, "near": NEAR}) == {}
    assert drawing.at(task, {"index": 9, "row": 1.0, "ms": 5_000, "near": NEAR}) == drawing.at(task, {}) == {}
    jobs = drawing.at(task, {"index": 0, "row": 0.0, "ms": 5_000, "near": NEAR, "rows": {"by": "job"}})
    assert jobs["group"] == "job:one"


def test_a_row_its_neighbours_and_names(task: Task) -> None:
    assert drawing.row(task, {"row": 1.2}) == {"name": "node1", "group": "node:node1"}
    assert drawing.row(task, {"row": 99}) == drawing.row(task, {"row": "x"}) == drawing.row(task, {}) == {}
    by_node = {"rows": {"by": "node"}}
    first = drawing.neighbour(task, {"index": 0, "container": None, "by": 1})
    assert first["text"][0] == "<b>one</b> reduce 0"
    assert drawing.neighbour(task, {"index": 0, "container": first["container"], "by": 1} | by_node)["text"][0] == "<b>one</b> map 0"
    assert drawing.neighbour(task, {"index": 0, "container": first["container"], "by": -1} | by_node) == {}
    assert drawing.neighbour(task, {"index": 0, "container": 0, "by": 5}) == {}
    assert drawing.found(task, {"index": 1, "name": "one/1/map/1"})["index"] == 1
    assert drawing.found(task, {"index": 1, "name": "none/1/map/1"}) == drawing.found(task, {"index": 1}) == {}


def test_the_extent_of_a_highlight_and_the_map(task: Task) -> None:
    assert drawing.extent(task, {"highlight": "phase:map"})["y1"] == 3
    assert drawing.extent(task, {"highlight": None}) == drawing.extent(task, {"highlight": "job:none"}) == {}
    assert drawing.mapped(task, {})["map"].startswith("data:image/png;base64,")


def test_a_pinned_scenario_has_rows_of_its_own(task: Task, small: dict) -> None:
    small["cluster"]["nodes"][0]["count"] = 5
    both = runs.beside(task, runs.task(Asked(small, ("fifo+slowstart",))))
    found = figures(both, View())
    assert [figure["layout"]["meta"]["rows"] for figure in found] == [3, 5, 3]
    assert len({tuple(figure["layout"]["xaxis"]["range"]) for figure in found}) == 1
    assert rows_seen(both, View()).count == 3


def test_nonsense_gets_a_sentence_and_a_forgotten_run_is_said(task: Task) -> None:
    server = Flask("draw")
    shared.start(server, "test")
    made = Dash("draw", server=server)
    made.layout = html.Div()
    drawing.register(made)
    with server.app_context():
        runs.keep(task)
    client = server.test_client()
    assert client.post("/charts/draw", json={"key": task.key, "width": 700}).get_json()["figures"]
    for body in ([], "x", 3, None):
        answer = client.post("/charts/draw", json=body)
        assert (answer.status_code, answer.get_data(True)) == (400, "Expected a JSON object with a key.")
    assert client.post("/charts/draw", data=b"\xff").status_code == 400
    assert client.post("/charts/none", json={"key": task.key}).status_code == 400
    assert client.post("/charts/draw", json={"key": "0" * 16}).status_code == 410
