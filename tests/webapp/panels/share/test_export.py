"""Files of a result: which address a report may link back to."""

from __future__ import annotations

import pytest
from dash import Dash, html
from flask import Flask

from tests.phrases import phrase
from webapp import settings
from webapp.panels.share import export
from webapp.runs import saved_tasks
from webapp.runs.cache import shared_cache
from webapp.runs.task import Task, build_task
from webapp.runs.task_link import make_link
from webapp.url import links
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache, small: dict) -> Task:
    return build_task(RunRequest(small, ("fair",)))


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("https://gantry.example:8443/", "https://gantry.example:8443/"),
        ("http://gantry.example:8443/behind/a/prefix?r=x#y", "http://gantry.example:8443/behind/a/prefix/"),
        ("https://elsewhere.example/", ""),
        ("https://somebody@gantry.example:8443/", ""),
        ("javascript://gantry.example:8443/%0aalert(1)", ""),
        ("https://[", ""),
        ("", ""),
    ],
)
def test_a_report_links_to_its_own_server_alone(asked: str, page: str) -> None:
    assert export.dashboard_address(asked, "gantry.example:8443") == page


def test_a_report_has_the_link_once_the_result_was_shared(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    links.link_store.cache_clear()
    text = lambda page: "".join(export.content(task, "report.html", page)[0])
    page = "http://gantry.example/"
    assert "Open it" not in text(page)
    make_link(task)
    assert f'href="http://gantry.example/?r={task.key}"' in text(page)
    assert 'href="http://gantry.example/model"' in text(page)
    assert "gantry.example" not in text("")
    assert phrase("panels.add_to_dashboards_address", f"?r={task.key}") in text("") and "href" not in text("")
    links.link_store.cache_clear()


def test_a_database_that_is_away_costs_the_link_alone(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        export, "link_store", lambda: links.LinkStore("postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    )
    assert "Open it" not in "".join(export.content(task, "report.html", "http://gantry.example/")[0])


def test_a_page_s_address_is_taken_from_any_host_where_none_is_asked_for() -> None:
    assert (
        export.dashboard_address("http://elsewhere.example/gantry?r=x") == "http://elsewhere.example/gantry/"
    )
    assert export.dashboard_address("http:///gantry") == ""


def test_the_menu_has_every_file() -> None:
    Dash("tests")  # gives the menu its addresses
    links = [part for part in export.button()._traverse() if isinstance(getattr(part, "id", None), dict)]
    assert [part.id["file"] for part in links] == [file for file, _, _ in export.FILES]


@pytest.mark.parametrize(
    ("host", "trusted", "page"),
    [
        ("evil.example", "", ""),
        ("evil.example:80", "", ""),
        ("127.0.0.1:8050", "", "http://127.0.0.1:8050/"),
        ("localhost", "", "http://localhost/"),
        ("[::1]:8050", "", "http://[::1]:8050/"),
        ("localhost.evil.example", "", ""),
        ("127.0.0.1@evil.example", "", ""),
        ("gantry.example", "gantry.example", "http://gantry.example/"),
        ("a.gantry.example", ".gantry.example", "http://a.gantry.example/"),
        ("evil.example", "gantry.example", None),
    ],
)
def test_a_report_says_where_it_is_from_by_nothing_a_visitor_sends(
    task: Task, host: str, trusted: str, page: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """page: what its links begin with, "" for no links, None for a request that is refused."""
    monkeypatch.setenv("GANTRY_TRUSTED_HOSTS", trusted)
    links.link_store.cache_clear()
    server = Flask("export")
    shared_cache.start(server, "test")
    saved_tasks.save_task(task)
    make_link(task)
    server.config["TRUSTED_HOSTS"] = settings.trusted_hosts() or None
    app = Dash("export", server=server)
    app.layout = html.Div()
    export.register(app)
    answer = server.test_client().get(
        f"/export/{task.key}/report.html", query_string={"page": f"http://{host}/"}, headers={"Host": host}
    )
    assert answer.status_code == (200 if page is not None else 400)
    if page is not None:
        assert f"?r={task.key}" in answer.text
        assert ("href=" in answer.text) == bool(page)
        assert f'href="{page}?r={task.key}"' in answer.text or not page
        assert "evil.example" not in answer.text
    links.link_store.cache_clear()
