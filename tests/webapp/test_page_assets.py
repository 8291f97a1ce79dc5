"""What a document asks for; each of these fails where another Dash sends something else."""

from __future__ import annotations

import re
from pathlib import Path

from flask.testing import FlaskClient

from webapp import page_assets

ADDRESS = re.compile(r'(?:src|href|data-grid|data-plotly)="(/[^"]+\.(?:js|css))"')
MAX_BYTES = 700_000  # before the first chart: a third of what a first visit may take
GZIP = {"Accept-Encoding": "gzip"}


def test_a_document_asks_for_two_scripts_and_a_style_sheet(client: FlaskClient) -> None:
    for path in ("/", "/model", "/papers/haste"):
        text = client.get(path).text
        assert re.findall(r'<script src="/bundle/\w{16}/([^"]+)"', text) == ["dash-renderer.js", "gantry.js"]
        assert re.findall(r'<link rel="stylesheet" href="/bundle/\w{16}/([^"]+)"', text) == ["gantry.css"]
        assert re.findall(r'as="fetch" crossorigin href="([^"]+)"', text) == [
            "/_dash-layout",
            "/_dash-dependencies",
        ]
        assert "_dash-component-suites" not in text
        # icon, and Dash's scripts in the document: its settings, one callback, its start
        assert len(re.findall("<script|<link", text)) == 2 + 1 + 2 + 4


def test_what_the_first_look_needs_is_small_and_all_there_is_answers(client: FlaskClient) -> None:
    by_name = {
        address: client.get(address, headers=GZIP) for address in ADDRESS.findall(client.get("/").text)
    }
    assert {answer.status_code for answer in by_name.values()} == {200}
    assert {answer.headers["Content-Encoding"] for answer in by_name.values()} == {"gzip"}
    first = [
        answer
        for address, answer in by_name.items()
        if address.endswith(("dash-renderer.js", "gantry.js", "gantry.css"))
    ]
    assert len(by_name) - len(first) == 2  # the tables' and the charts' library
    assert 400_000 < sum(len(answer.data) for answer in first) < MAX_BYTES


def test_each_library_is_told_where_it_would_lie_and_those_left_out_are_not_there(
    client: FlaskClient,
) -> None:
    address = next(
        address for address in ADDRESS.findall(client.get("/").text) if address.endswith("dash-renderer.js")
    )
    told = re.findall(r'src: "/bundle/\w{16}/([^"]+)" \} \}\);$', client.get(address).text, re.MULTILINE)
    names = [re.sub(r"[@.].*", "", Path(name).name) for name in told]
    assert names == [
        *("polyfill", "react", "react-dom", "prop-types", "dash_mantine_components"),
        *("dash_renderer", "dash_core_components", "dash_core_components-shared", "dash_html_components"),
    ]
    assert page_assets.CURRENT_SCRIPT_END in client.get(address).text


def test_dash_still_has_what_is_left_out(client: FlaskClient) -> None:
    for package, path in page_assets.LATE_LIBRARIES:
        assert client.get(f"/_dash-component-suites/{package}/{path}").status_code == 200


def test_a_part_of_a_library_lies_beside_it(client: FlaskClient) -> None:
    grid = re.search(r'data-grid="([^"]+)/dash_ag_grid/dash_ag_grid.min.js"', client.get("/").text)[1]
    for part in ("dash_ag_grid/async-community.js", "dash/dcc/async-graph.js"):
        assert client.get(f"{grid}/{part}").headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_layout_and_callbacks_are_made_once_and_asked_for_by_tag(client: FlaskClient) -> None:
    for name in page_assets.STATIC_ANSWERS:
        first = client.get(f"/{name}", headers=GZIP)
        assert (first.status_code, first.mimetype, first.headers["Cache-Control"]) == (
            200,
            "application/json",
            "public, no-cache",
        )
        again = client.get(f"/{name}", headers={**GZIP, "If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


def test_no_style_sheet_names_a_file_by_a_path_of_its_own() -> None:
    """The joined one lies elsewhere."""
    for path in page_assets.ASSETS.glob("*.css"):
        assert re.findall(r"url\((?![\"']?data:)[^)]*\)|@import", path.read_text("utf-8")) == [], path.name
