"""A link opens to the same scenario, schedulers, view and figures: elsewhere, after a restart, and on another server process."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from engine import presets
from tests.browser import dashboard
from tests.browser.conftest import visit
from tests.browser.server import ROOT, Server
from tests.webapp.store.released import left_by
from webapp.services import url_state
from webapp.services.url_state import Asked

FIGURES = f"() => [...document.querySelectorAll('{dashboard.CHARTS} .moving')].map((painted) => painted.innerHTML)"


def settled(page: Page) -> list[str]:
    """The figures, once a second goes by in which they stay as they are."""
    figures = page.evaluate(FIGURES)
    while True:
        page.wait_for_timeout(1000)
        before, figures = figures, page.evaluate(FIGURES)
        if figures and figures == before:
            return figures


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server of this test alone, to restart."""
    server = Server(tmp_path)
    yield server
    server.stop()


@contextmanager
def stranger(elsewhere: BrowserContext, url: str) -> Iterator[Page]:
    """Somebody else opens the address in a browser in which nothing is stored."""
    with visit(elsewhere) as page:
        yield dashboard.opened(page, url)


def shared(page: Page) -> str:
    """The link of one click."""
    page.click("#share")
    expect(page.locator("#share-link")).not_to_have_value("")
    return page.locator("#share-link").input_value()


def composed(page: Page, url: str) -> None:
    """A page with a result of its own, zoomed and with a highlight."""
    dashboard.opened(page, url)
    dashboard.compose(page)
    page.get_by_label("Title of the scenario").fill("Shown in the lecture")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    dashboard.run(page)
    page.click("#turn-rail")
    page.locator(".chart").first.focus()
    page.keyboard.press("w")
    page.locator("#find").fill("wordcount2")
    page.wait_for_url(re.compile(r"x0=\d+&x1=\d+&job=wordcount2"))


def test_a_link_opens_to_the_same_after_a_restart(page: Page, own: Server, elsewhere: BrowserContext) -> None:
    composed(page, own.url)
    link, figures, zoom = shared(page), settled(page), dashboard.ranges(page)
    page.goto("about:blank")
    own.restart()

    with stranger(elsewhere, link) as other:
        expect(other.locator("#run-status")).to_contain_text("Shown in the lecture: 4 schedulers")
        expect(other.get_by_label("Title of the scenario")).to_have_value("Shown in the lecture")
        assert (settled(other), dashboard.ranges(other)) == (figures, zoom)
        assert other.url == link


def test_a_link_opens_on_another_server_process_with_the_same_store(page: Page, own: Server, elsewhere: BrowserContext) -> None:
    composed(page, own.url)
    link, figures = shared(page), settled(page)
    second = Server(own.data)
    try:
        with stranger(elsewhere, link.replace(own.url, second.url)) as other:
            expect(other.locator("#run-status")).to_contain_text("Shown in the lecture")
            assert settled(other) == figures
    finally:
        second.stop()


def test_a_small_scenario_fits_in_the_address_alone(page: Page, server: Server, elsewhere: BrowserContext, tmp_path: Path) -> None:
    composed(page, server.url)
    shared(page)
    inline = page.locator("#share-inline").input_value()
    figures, zoom = settled(page), dashboard.ranges(page)
    second = Server(tmp_path)
    try:
        with stranger(elsewhere, inline.replace(server.url, second.url)) as other:
            expect(other.locator("#run-status")).to_contain_text("Shown in the lecture")
            assert (settled(other), dashboard.ranges(other)) == (figures, zoom)
    finally:
        second.stop()


def test_another_title_is_another_link(page: Page, server: Server, elsewhere: BrowserContext) -> None:
    dashboard.opened(page, server.url)
    first = shared(page)
    page.locator("#share-title").fill("For the 9 o'clock class <b>&")
    page.click("#share-retitle")
    page.wait_for_function("first => document.getElementById('share-link').value !== first", arg=first)
    link = page.locator("#share-link").input_value()
    expect(page.locator("#share-title")).to_have_value("For the 9 o'clock class <b>&")
    expect(page.locator("#share-code img")).to_have_attribute("alt", f"QR code of {link}")
    with stranger(elsewhere, link) as other:
        expect(other.locator("#run-status")).to_contain_text("For the 9 o'clock class <b>&: 4 schedulers")


def test_a_title_and_its_link_come_together_however_busy_the_page_is(page: Page, server: Server) -> None:
    """Typed and pressed within one frame of a page that has no time."""
    dashboard.opened(page, server.url)
    first = shared(page)
    page.evaluate("() => { const until = performance.now() + 400; setInterval(() => { while (performance.now() < until) ; }, 0); }")
    page.locator("#share-title").fill("Typed in haste")
    page.click("#share-retitle", no_wait_after=True)
    page.wait_for_function("first => document.getElementById('share-link').value !== first", arg=first)
    assert page.locator("#share-title").input_value() == "Typed in haste"
    dashboard.opened(page, page.locator("#share-link").input_value())
    expect(page.get_by_label("Title of the scenario")).to_have_value("Typed in haste")


def test_a_link_keeps_what_the_address_says_is_looked_at(page: Page, server: Server) -> None:
    looked = {
        "x0": "2000", "x1": "90000", "job": "wordcount3", "colour": "job", "folded": "0,2", "t": "15000", "span": "5000-9000", "why": "1:20",
        "tab": "capacity", "drawer": "300", "dock": "right", "present": "1",
    }  # fmt: skip
    dashboard.opened(page, f"{server.url}/?{urlencode(looked)}", charts=2)
    expect(page.locator("#decision-title")).to_contain_text("Decision 21 of")
    link = shared(page)
    for address in (link, page.locator("#share-inline").input_value()):
        kept = dict(parse_qsl(urlsplit(address).query))
        assert {key: value for key, value in kept.items() if key not in url_state.RESULT} == looked


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_code_is_large_and_black_on_white(page: Page, server: Server, scheme: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme=scheme)
    dashboard.opened(page, server.url)
    link = shared(page)
    code = page.locator("#share-code img")
    expect(code).to_have_attribute("alt", f"QR code of {link}")
    expect(code).to_be_in_viewport(ratio=1)
    box = code.bounding_box()
    assert min(box["width"], box["height"]) >= 240
    assert code.evaluate("image => getComputedStyle(image).backgroundColor") == "rgb(255, 255, 255)"


def test_a_link_is_copied_at_once_and_again_by_keyboard(page: Page, server: Server) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    dashboard.opened(page, server.url)
    link = shared(page)
    page.wait_for_function("async link => (await navigator.clipboard.readText()) === link", arg=link)
    page.evaluate("() => navigator.clipboard.writeText('')")
    copy = page.get_by_role("button", name="Copy: Link")
    copy.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("async link => (await navigator.clipboard.readText()) === link", arg=link)
    expect(copy).to_be_focused()


def test_a_preset_under_other_schedulers_opens_from_its_readable_address(page: Page, server: Server) -> None:
    dashboard.opened(page, f"{server.url}/?preset=wordcount&s=fair&s=haste", 2)
    expect(page.locator("#run-status")).to_contain_text("Four WordCount jobs: 2 schedulers")


def test_a_link_that_writes_out_defaults_opens_as_what_ran(page: Page, server: Server) -> None:
    scenario = presets()[0].scenario.plain()
    asked = Asked(scenario | {"seed": 0, "jobs": [job | {"arrival_s": 0} for job in scenario["jobs"]]}, ("fifo", "fair"))
    dashboard.opened(page, server.url + url_state.address(asked=asked), 2)
    expect(page.locator("#editor-about")).not_to_be_empty()
    page.wait_for_timeout(400)  # the check of what was composed has come back
    expect(page.locator("#run-reason")).to_be_empty()


def test_the_same_result_has_the_same_link(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    first = shared(page)
    page.keyboard.press("Escape")
    assert shared(page) == first


def test_an_address_of_0_1_says_what_its_names_meant_and_shows_that(page: Page, server: Server) -> None:
    plain = json.dumps({"scenario": presets()[0].scenario.plain(), "schedulers": ["fair", "fresh"]})
    packed = base64.urlsafe_b64encode(zlib.compress(plain.encode())).decode().rstrip("=")
    dashboard.opened(page, f"{server.url}/?s=v1.{packed}", 2)
    meant = "fair(reservations=no, update_ms=0)+slowstart+admit-all"
    expect(page.locator("#meant")).to_have_text(f"This link was made with Gantry 0.1, where fair meant {meant}; it is shown so.")
    expect(page.locator("#lanes h3")).to_have_text([meant, "fresh"])
    shared(page)
    assert "?s=v2." in page.locator("#share-inline").input_value()
    dashboard.opened(page, page.locator("#share-inline").input_value(), 2)
    expect(page.locator("#meant")).to_be_hidden()
    expect(page.locator("#lanes h3")).to_have_text([meant, "fresh"])


def test_a_database_of_0_1_is_served_and_its_links_come_and_go_by_commands(page: Page, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    data, meant = tmp_path / "data", ["fair(reservations=no, update_ms=0)+slowstart+admit-all", "fifo+slowstart+admit-all"]
    id = left_by("0.1", f"sqlite:///{data}/links.sqlite")
    server = Server(data)

    def links(*words: str) -> None:
        subprocess.run([sys.executable, "-m", "webapp", "links", *words], cwd=ROOT, env={**os.environ, "GANTRY_DATA": str(data)}, check=True)

    try:
        for _ in range(2):
            dashboard.opened(page, f"{server.url}/?r={id}", 1)  # its two runs are equal
            expect(page.locator("#meant")).to_contain_text(f"made with Gantry 0.1, where fair meant {meant[0]} and fifo meant {meant[1]}; it is shown so.")
            expect(page.get_by_label("Title of the scenario")).to_have_value("Kept by 0.1: ünï'code")
            links("backup", f"{tmp_path}/links.gz")
            links("delete", id)
            dashboard.opened(page, f"{server.url}/?r={id}", 1)  # its two runs are equal
            expect(page.locator("#complaints p")).to_have_count(1)
            links("restore", f"{tmp_path}/links.gz")
    finally:
        page.goto("about:blank")
        server.stop()


@pytest.mark.parametrize("query", ["?r=0123456789abcdef", "?r=nonsense", "?s=v1.nonsense", "?s=", "?x0=9&x1=1", "?r=%00%ff&job=%3Cscript%3E"])
def test_a_broken_link_is_a_sentence_over_the_visitors_own_draft(shared_page: Page, server: Server, query: str) -> None:
    page = shared_page
    if page.url == "about:blank":
        dashboard.opened(page, server.url)
        dashboard.compose(page)
        page.get_by_label("Title of the scenario").fill("Mine")
        expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    dashboard.opened(page, server.url + "/" + query)
    expect(page.locator("#complaints p")).to_have_count(0 if query == "?s=" else 1)
    expect(page.get_by_label("Title of the scenario")).to_have_value("Mine")
    expect(page.locator("#run-status")).to_contain_text("Mine")


def test_opening_a_link_can_be_undone_and_a_change_leaves_it(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    link = shared(page)
    page.keyboard.press("Escape")
    dashboard.compose(page)
    page.get_by_label("Title of the scenario").fill("Mine")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    dashboard.opened(page, link)
    expect(page.get_by_label("Title of the scenario")).to_have_value("Four WordCount jobs")
    page.click("#editor-undo")
    expect(page.get_by_label("Title of the scenario")).to_have_value("Mine")
    page.wait_for_function("() => window.location.search === ''")
    page.reload()
    dashboard.drawn(page)
    expect(page.get_by_label("Title of the scenario")).to_have_value("Mine")


def test_a_database_that_is_away_is_a_sentence(page: Page, tmp_path: Path) -> None:
    server = Server(tmp_path, {"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/nothing"})
    try:
        dashboard.opened(page, server.url)
        page.click("#share")
        expect(page.locator("#share-says")).to_contain_text("could not be kept: the server's database does not answer")
        expect(page.locator("#share-inline")).not_to_have_value("")
        dashboard.opened(page, server.url + "/?r=0123456789abcdef")
        expect(page.locator("#complaints")).to_contain_text("could not be opened")
    finally:
        page.goto("about:blank")  # the panels of the drawer may still be on their way
        server.stop()


def test_several_gunicorn_workers_follow_work_and_open_links(page: Page, tmp_path: Path, elsewhere: BrowserContext) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "webapp.app:server", "--bind", f"127.0.0.1:{port}", "--workers", "3", "--threads", "4"]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "GANTRY_DATA": str(tmp_path)}, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(url, timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        composed(page, url)
        page.wait_for_load_state("networkidle")
        link, figures = shared(page), settled(page)
        for _ in range(4):
            with stranger(elsewhere, link) as other:
                other.wait_for_load_state("networkidle")  # a first drawing is drawn anew where equal runs leave more room
                assert settled(other) == figures
    finally:
        process.terminate()
        process.wait()
