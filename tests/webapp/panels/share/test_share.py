"""The dialog of Share: its link keeps what is looked at, with title and code in one answer."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import pytest
import segno
from dash._pages import _parse_query_string

from tests.phrases import phrase
from webapp.panels.share import share
from webapp.runs import run_cache, task_link
from webapp.runs.task import Task, build_task, with_pinned
from webapp.runs.task_link import with_title
from webapp.url import links, url_state
from webapp.url.url_state import RunRequest
from webapp.url.url_view import Decision, Drawer

PAGE = "https://gantry.example/"


@pytest.fixture
def task(cache, small: dict) -> Iterator[Task]:
    links.link_store.cache_clear()
    yield build_task(RunRequest(small, ("fair", "haste")))
    links.link_store.cache_clear()


def opened(address: str) -> url_state.UrlState:
    return url_state.read(_parse_query_string("?" + urlsplit(address).query))


def test_a_link_keeps_what_is_looked_at(task: Task) -> None:
    viewed = {
        "page": PAGE,
        "x0": 0,
        "x1": 9000,
        "job": "one",
        "t": 1500,
        "why": "1:2",
        "span": "5-9",
        "tab": "compare",
        "drawer": 300,
        "dock": "right",
    }
    values = share.dialog_values(
        task,
        viewed | {"folded": [1], "colour": "job", "present": True, "r": "f" * 16, "s": "v2.other"},
        retitled=False,
    )
    for address, result in (
        (values["link"], (task.link, None)),
        (values["inline"], (None, task.request)),
    ):
        read = opened(address)
        assert address.startswith(PAGE + "?") and (read.link, read.request) == result
        assert (read.viewport, read.highlight, read.time, read.span) == (
            {"x0": 0, "x1": 9000},
            "job:one",
            1500,
            {"x0": 5, "x1": 9},
        )
        assert (read.decision, read.drawer) == (Decision(1, 2), Drawer("compare", True, "right", 300))
        assert (read.folded, read.colour, read.present, read.complaints) == ((1,), "job", True, [])
    assert values["shared"] == {"key": task.key, "address": f"r={task.link}"}
    assert links.link_store().find(task.link).scenario == task.scenario.plain()


def test_a_link_that_was_made_opens_what_is_pinned_too(task: Task, small: dict) -> None:
    both = with_pinned(task, build_task(RunRequest(small | {"name": "before"}, ("fair",))))
    read = opened(share.dialog_values(both, {"page": PAGE}, retitled=False)["link"])
    assert (read.link, read.pinned) == (both.link, both.pinned.link)
    assert links.link_store().find(read.pinned).title == "before"


def test_another_title_has_its_own_link_and_code_and_leaves_the_page_s_address(task: Task) -> None:
    first = share.dialog_values(task, {"page": PAGE}, retitled=False)
    other = share.dialog_values(with_title(task, "For the 9 o'clock class"), {"page": PAGE}, retitled=True)
    assert (
        other["title"]
        == links.link_store().find(opened(other["link"]).link).title
        == "For the 9 o'clock class"
    )
    assert (
        other["link"] != first["link"] and other["code"].src != first["code"].src and other["shared"] is None
    )


def test_the_code_is_of_the_link_black_on_white_and_described(task: Task) -> None:
    values = share.dialog_values(task, {"page": PAGE}, retitled=False)
    assert values["code"].alt == f"QR code of {values['link']}"
    drawn = unquote(values["code"].src)
    assert "stroke='#000'" in drawn and "fill='#fff'" in drawn
    assert drawn == unquote(
        segno.make(values["link"], error="m", micro=False).svg_data_uri(
            omitsize=True, dark="#000", light="#fff"
        )
    )
    assert share.qr_code("https://gantry.example/" + "x" * 3000) is None


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (PAGE, share.IN_CLIPBOARD),
        ("http://127.0.0.1:8050/", share.IN_CLIPBOARD),
        ("http://10.0.0.7:8050/", share.BY_HAND),
        ("javascript:alert(1)", share.BY_HAND),
    ],
)
def test_only_a_secure_page_is_said_to_have_copied(task: Task, page: str, says: str) -> None:
    values = share.dialog_values(task, {"page": page}, retitled=False)
    assert values["says"] == says
    assert values["link"] == (page if page.startswith("http") else "") + f"?r={task.link}"


def test_a_database_that_is_away_leaves_the_address_that_needs_none(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        task_link, "link_store", lambda: links.LinkStore("postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    )
    values = share.dialog_values(task, {"page": PAGE}, retitled=False)
    assert "does not answer" in values["says"] and (values["link"], values["copied"], values["shared"]) == (
        "",
        None,
        None,
    )
    assert (
        values["inline"].startswith(PAGE + "?s=v2.")
        and values["code"].alt == f"QR code of {values['inline']}"
    )


def test_every_answer_has_what_the_callback_puts_out(task: Task) -> None:
    assert {*share.dialog_values(task, None, retitled=False)} == set(share.OUTPUTS)


def test_another_title_of_a_long_run_runs_nothing_again(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    task.outcomes()
    monkeypatch.setattr(run_cache, "MAX_ANSWER_ESTIMATE_S", 0.0)
    values = share.dialog_values(with_title(task, "Another"), {"page": PAGE}, retitled=True, original=task)
    assert links.link_store().find(opened(values["link"]).link).metrics == [
        one.metrics for one in task.outcomes()
    ]


def test_what_its_sharer_says_stands_in_the_link(task: Task) -> None:
    values = share.dialog_values(with_title(task, "A class"), {"page": PAGE}, True, task, "See.", True)
    assert (values["title"], values["sentence"], values["read_only"]) == ("A class", "See.", True)
    stored = links.link_store().find(opened(values["link"]).link)
    assert (stored.title, stored.sentence, stored.read_only) == ("A class", "See.", True)
    plain = share.dialog_values(task, {"page": PAGE}, False)
    assert (plain["sentence"], plain["read_only"]) == ("", False)
    assert opened(plain["link"]).link == task.link != stored.id


@pytest.mark.parametrize(
    ("title", "sentence", "says"),
    [
        ("t" * 200, "s" * 300, ""),
        ("t" * 201, "", phrase("panels.title_has_characters", 201, 200)),
        ("", "s" * 301, phrase("panels.sentence_has_characters", 301, 300)),
    ],
)
def test_what_is_too_long_is_refused_in_a_sentence(title: str, sentence: str, says: str) -> None:
    assert share.fault(title, sentence) == says


def test_a_line_stands_over_a_page_whose_link_says_something() -> None:
    assert share.line(None) is None
    assert share.line({"title": "A", "sentence": "", "read_only": ""}) is None
    said = str(share.line({"title": "<b>", "sentence": "See.", "read_only": ""}))
    assert "<b>" in said and "See." in said and "own-copy" not in said
    assert "own-copy" in str(share.line({"title": "", "sentence": "", "read_only": "r=0"}))
