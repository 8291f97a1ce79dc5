"""Files of a result: which address a report may link back to."""

from __future__ import annotations

import pytest
from dash import Dash

from webapp.panels.share import export
from webapp.panels.share.share import made
from webapp.services import runs
from webapp.services.runs import Task
from webapp.services.url_state import Asked
from webapp.store import links


@pytest.fixture
def task(cache, small: dict) -> Task:
    return runs.task(Asked(small, ("fair",)))


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
    assert export.own_page(asked, "gantry.example:8443") == page


def test_a_report_has_the_link_once_the_result_was_shared(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    links.store.cache_clear()
    text = lambda page: "".join(export.content(task, "report.html", page)[0])
    page = "http://gantry.example/"
    assert "Open it" not in text(page)
    made(task)
    assert f'href="http://gantry.example/?r={task.key}"' in text(page)
    assert 'href="http://gantry.example/model"' in text(page)
    assert "gantry.example" not in text("")
    links.store.cache_clear()


def test_a_database_that_is_away_costs_the_link_alone(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "store", lambda: links.Store("postgresql+psycopg://nobody@127.0.0.1:9/nothing"))
    assert "Open it" not in "".join(export.content(task, "report.html", "http://gantry.example/")[0])


def test_a_page_s_address_is_taken_from_any_host_where_none_is_asked_for() -> None:
    assert export.own_page("http://elsewhere.example/gantry?r=x") == "http://elsewhere.example/gantry/"
    assert export.own_page("http:///gantry") == ""


def test_the_menu_has_every_file() -> None:
    Dash("tests")  # gives the menu its addresses
    links = [part for part in export.button()._traverse() if isinstance(getattr(part, "id", None), dict)]
    assert [part.id["file"] for part in links] == [file for file, _, _ in export.FILES]
