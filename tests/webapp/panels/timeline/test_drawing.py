"""What the page's scripts fetch: charts for another zoom, what is under the pointer, neighbours, names,
extents, files.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from dash import Dash, html
from flask import Flask
from flask.testing import FlaskClient

from tests.phrases import phrase
from tests.webapp.live_server import CROWD
from tests.webapp.svg_reading import boxes, read
from webapp.panels.timeline import drawing
from webapp.runs import saved_tasks
from webapp.runs.cache import SharedCache, shared_cache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

NEAR = {"rows": 0.1, "ms": 10}
ACTS = (
    "draw",
    "map",
    "at",
    "row",
    "next",
    "extent",
    "picture",
    "signals",
    "search",
    "placed",
    "nodes",
    "step",
)


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    """Slowstart 0, fifo: the reduce from 0 to 17 s, the maps from 1 to 11 s and from 2 to 12 s, each in a row
    of its own.
    """
    small["jobs"][0]["slowstart"] = 0.0
    result = build_task(RunRequest(small, ("fifo+slowstart", "haste+slowstart")))
    saved_tasks.save_task(result)
    return result


@pytest.fixture
def client(task: Task) -> Iterator[FlaskClient]:
    server = Flask("draw")
    shared_cache.start(server, "test")
    app = Dash("draw", server=server)
    app.layout = html.Div()
    drawing.register(app)
    with server.app_context():
        saved_tasks.save_task(task)
    with server.test_client() as client:
        yield client


def test_charts_are_of_what_is_looked_at(task: Task) -> None:
    sent = {
        "window": {"x0": 1_000, "x1": 5_000, "y0": 1.0, "y1": 3.0},
        "highlight": "phase:map",
        "width": 700,
        "rows": {"by": "lane"},
    }
    result = drawing.draw(task, sent)
    assert result["key"] == task.key
    assert result["looked"] == result["asked"] == sent["window"]
    assert result["whole"]["rows"] == 3
    assert sorted(result["charts"]) == [0, 1]
    for chart in result["charts"].values():
        assert chart["drawn"] == {"x0": 0, "x1": 7_000, "y0": 1, "y1": 3}
        assert chart["exact"]
    fifo = read(result["charts"][0]["gantt"])
    # the reduce's row is not looked at
    assert (len(boxes(fifo, "p-map")), boxes(fifo, "p-waiting")) == (
        2,
        [],
    )
    assert sorted(drawing.draw(task, sent | {"charts": [1, 7]})["charts"]) == [1]


def test_what_is_under_the_pointer(task: Task) -> None:
    result = drawing.container_at_pointer(task, {"index": 0, "row": 1.0, "ms": 5_000, "near": NEAR})
    assert result["text"][0] == "one map 0"
    assert (result["row"], result["start"], result["end"]) == (1, 1_000, 11_000)
    assert drawing.container_at_pointer(task, {"index": 0, "row": 1.0, "ms": 60_000, "near": NEAR}) == {}
    assert (
        drawing.container_at_pointer(task, {"index": 9, "row": 1.0, "ms": 5_000, "near": NEAR})
        == drawing.container_at_pointer(task, {})
        == {}
    )
    jobs = drawing.container_at_pointer(
        task, {"index": 0, "row": 0.0, "ms": 5_000, "near": NEAR, "rows": {"by": "job"}}
    )
    assert jobs["group"] == "job:one"
    strip = drawing.container_at_pointer(
        task, {"index": 0, "row": None, "ms": 5_000, "near": NEAR, "strip": "memory"}
    )
    assert strip["text"] == ["at 0:05", "3,072 MB, 75 % in use"]


def test_a_row_its_neighbours_and_names(task: Task) -> None:
    assert drawing.row(task, {"row": 1.2}) == {"name": "node1", "group": "node:node1"}
    assert drawing.row(task, {"row": 99}) == drawing.row(task, {"row": "x"}) == drawing.row(task, {}) == {}
    by_node = {"rows": {"by": "node"}}
    first = drawing.neighbour(task, {"index": 0, "container": None, "by": 1})
    assert first["text"][0] == "one reduce 0"
    assert (
        drawing.neighbour(task, {"index": 0, "container": first["container"], "by": 1} | by_node)["text"][0]
        == "one map 0"
    )
    assert drawing.neighbour(task, {"index": 0, "container": first["container"], "by": -1} | by_node) == {}
    assert drawing.neighbour(task, {"index": 0, "container": 0, "by": 5}) == {}


def test_a_search_goes_round_its_matches_and_points_at_them_in_every_chart(task: Task) -> None:
    result = drawing.search_match(task, {"text": "one/1/map/1", "at": 0})
    assert (result["count"], result["at"], sorted(result["bars"])) == (1, 0, [0, 1])
    assert result["bars"][0]["start"] == 2_000
    every = [drawing.search_match(task, {"text": "one", "at": at}) for at in range(4)]
    assert [one["at"] for one in every] == [0, 1, 2, 0]
    assert [one["bars"][0]["start"] for one in every] == [0, 1_000, 2_000, 0]
    assert every[0]["highlight"] == "job:one"
    for sent in ({"text": "none", "at": 0}, {"text": "", "at": 0}, {"text": 5, "at": 0}, {"text": "one"}, {}):
        assert drawing.search_match(task, sent)["count"] == 0


def test_what_was_placed_last_is_said_with_its_reason(task: Task) -> None:
    result = drawing.last_placed(task, {"index": 0, "at": 1_500})
    assert result["text"].startswith("0:01 one map 0: ")
    assert result["bar"]["start"] == 1_000
    assert drawing.last_placed(task, {"index": 0, "at": 1_500, "brief": True})["text"] == "0:01 one map 0"
    assert drawing.last_placed(task, {"index": 0, "at": -1}) == {"text": "", "bar": None}
    assert (
        drawing.last_placed(task, {"index": 5, "at": 0})
        == drawing.last_placed(task, {"index": 0, "at": "x"})
        == {}
    )
    assert (
        drawing.last_placed(task, {"index": 0, "at": float("nan")})
        == drawing.last_placed(task, {"index": 0, "at": 10**400})
        == {}
    )


def test_signals_are_those_of_schedulers_that_measure_something(task: Task) -> None:
    result = drawing.signals(task, {"width": 400})
    assert sorted(result["signals"]) == [1]
    signals = result["signals"][1]
    assert 0 < len(signals["strips"]) <= signals["of"]
    for strip in signals["strips"]:
        read(strip)
    assert len(drawing.signals(task, {"all": True})["signals"][1]["strips"]) == signals["of"]


def test_a_chart_as_a_file_is_well_formed_and_named(task: Task) -> None:
    result = drawing.picture(
        task, {"index": 1, "dark": True, "window": {"x0": 0, "x1": 9_000}, "colour": "job"}
    )
    assert result["name"] == "haste+slowstart"
    element = ElementTree.fromstring(result["svg"])
    assert element.get("aria-label") == "small under haste+slowstart"
    assert "color-scheme:dark" in result["svg"]
    assert drawing.picture(task, {"index": 2}) == drawing.picture(task, {}) == {}


def test_the_extent_of_a_highlight_and_the_map(task: Task) -> None:
    assert drawing.extent(task, {"highlight": "phase:map"})["y1"] == 3
    assert drawing.extent(task, {"highlight": None}) == drawing.extent(task, {"highlight": "job:none"}) == {}
    assert drawing.overview(task, {})["map"].startswith("data:image/png;base64,")


def test_nonsense_gets_a_sentence_and_a_forgotten_run_is_said(task: Task, client: FlaskClient) -> None:
    assert client.post("/charts/draw", json={"key": task.key, "width": 700}).get_json()["charts"]
    for body in ([], "x", 3, None):
        answer = client.post("/charts/draw", json=body)
        assert (answer.status_code, answer.get_data(True)) == (
            400,
            phrase("timeline.expected_json_object_with_key"),
        )
    assert client.post("/charts/draw", data=b"\xff").status_code == 400
    assert client.post("/charts/none", json={"key": task.key}).status_code == 400
    for key in ("0" * 16, "\ud800", 5, None, ["x"], {}):
        assert client.post("/charts/draw", json={"key": key}).status_code == 410


NONSENSE = (
    "null",
    "true",
    "-1",
    "1e30",
    "1" * 400,
    "NaN",
    "Infinity",
    "-Infinity",
    '""',
    '"\\u0000"',
    '"\\ud800"',
    "[]",
    "[[]]",
    "{}",
    '{"x0": NaN}',
)
FIELDS = (
    "index",
    "row",
    "ms",
    "near",
    "container",
    "by",
    "at",
    "text",
    "strip",
    "all",
    "px",
    "window",
    "rows",
    "highlight",
    "colour",
    "dark",
    "width",
)
FIELDS += ("height", "room", "strips", "charts", "type", "brief")
SENSE = {
    "index": 0,
    "row": 1,
    "ms": 5_000,
    "near": NEAR,
    "container": 0,
    "by": 1,
    "at": 1_000,
    "text": "one",
    "width": 200,
}


LONG_FORM = pytest.mark.everything


@pytest.mark.parametrize(
    "rest",
    [
        {},
        pytest.param({"strip": "memory"}, marks=LONG_FORM),
        pytest.param({"rows": {"by": "job"}}, marks=LONG_FORM),
    ],
    ids=["plain", "strip", "jobs"],
)
@pytest.mark.parametrize("act", ACTS)
def test_forged_bodies_are_answered(task: Task, client: FlaskClient, act: str, rest: dict) -> None:
    assert client.post(f"/charts/{act}", json={"key": task.key} | SENSE | rest).status_code == 200
    for field in FIELDS:
        for value in NONSENSE:
            whole = {"key": task.key} | SENSE | rest
            whole.pop(field, None)
            body = json.dumps(whole)[:-1] + f', "{field}": {value}}}'
            assert (
                client.post(f"/charts/{act}", data=body, content_type="application/json").status_code == 200
            ), (act, field, value)


@pytest.mark.parametrize(
    "window",
    [
        {"x0": -1e14, "x1": 1e14},
        {"x0": 9e14, "x1": 9.1e14},
        {"x0": 0, "x1": 0.2},
        {"y0": -1e9, "y1": 1e9},
        {"y0": 5e9, "y1": 6e9},
    ],
)
def test_windows_where_nothing_is_are_drawn(task: Task, client: FlaskClient, window: dict) -> None:
    strips = {"memory": 20, "vcores": 20, "capacity": 20}
    for act in ("draw", "picture", "map", "signals"):
        assert (
            client.post(
                f"/charts/{act}",
                json={"key": task.key, "index": 1, "window": window, "strips": strips, "width": 300},
            ).status_code
            == 200
        )


def test_a_run_that_is_not_at_hand_is_to_be_run_again(client: FlaskClient) -> None:
    long = build_task(RunRequest(CROWD, ("fifo",)))
    saved_tasks.save_task(long).result()
    for act in ACTS:
        answer = client.post(
            f"/charts/{act}", json={"key": long.key, "index": 0, "at": 5, "text": "a", "by": 1, "row": 0}
        )
        assert answer.status_code in (200, 410), act
        assert answer.status_code == 410 or act in ("at", "step", "nodes", "signals", "row"), act
    assert client.post("/charts/draw", json={"key": long.key}).get_data(as_text=True).endswith("Run again.")


def test_nobody_draws_for_who_has_gone(
    client: FlaskClient, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one: 32 dropped requests silenced the site for 70 s."""
    monkeypatch.setattr(drawing.saved_tasks, "load_task", lambda key: pytest.fail("it was looked for"))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.close()
        assert (
            client.post(
                "/charts/draw", json={"key": task.key}, environ_base={"werkzeug.socket": ours}
            ).status_code
            == 499
        )
