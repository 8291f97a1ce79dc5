"""A link opens to the same scenario, schedulers, view and figures elsewhere; in test_behind_nginx.py on
another process, and after a restart.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import zlib
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from engine import explain, parse, presets, simulate
from tests.browser import dashboard
from tests.browser.conftest import visit
from tests.browser.server import ROOT, Server
from tests.browser.sharing import composed, figures, shared
from tests.phrases import phrase
from tests.webapp.store.released import IDS
from webapp.url import url_state

TITLE = phrase("browser.shown_in_lecture")
# as 0.1 meant them
FAIR, FIFO = (
    "fair(reservations=no, update_ms=0)+slowstart+admit-all",
    "fifo+slowstart+admit-all",
)
COPIED = """async ([link, patience]) => {
    for (const until = Date.now() + patience; (await navigator.clipboard.readText()) !== link; await new Promise(requestAnimationFrame))
        if (Date.now() > until) throw new Error("the clipboard has something else");
}"""  # noqa: E501
WRITTEN = """written = [];
    const put = history.replaceState.bind(history);
    history.replaceState = (state, title, to) => { written.push(to); put(state, title, to); };"""
LOW = {"width": 1280, "height": 720}
BUSY_MS = 400
TWO = "/?preset=wordcount&s=fair&s=haste"
KEPT_MS = 500  # after a change the draft is kept
BUSY = """(ms) => {
    const until = performance.now() + ms;
    const timer = setInterval(() => { while (performance.now() < until) ; clearInterval(timer); }, 0);
}"""


def test_share_copies_a_link_with_its_code_and_another_title_is_another_link(
    page: Page, server: Server, elsewhere: BrowserContext
) -> None:
    page.set_viewport_size(LOW)
    traffic = dashboard.Traffic(page)
    composed(page, server.url, TITLE)
    painted, zoom, link = figures(page, traffic), dashboard.ranges(page), shared(page)
    inline = page.locator("#share-inline").input_value()
    page.evaluate(COPIED, [link, dashboard.TIMEOUT_MS])
    page.evaluate("() => navigator.clipboard.writeText('')")
    copy = page.get_by_role("button", name="Copy: Link")
    copy.focus()
    page.keyboard.press("Enter")
    page.evaluate(COPIED, [link, dashboard.TIMEOUT_MS])
    expect(copy).to_be_focused()

    # Its code is read from the last row: large, and black on white in either scheme.
    code = page.locator("#share-code img")
    expect(code).to_have_attribute("alt", f"QR code of {link}")
    expect(code).to_be_in_viewport(ratio=1)
    box = code.bounding_box()
    assert min(box["width"], box["height"]) >= 240
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        expect(code).to_have_css("background-color", "rgb(255, 255, 255)")

    page.keyboard.press("Escape")
    assert shared(page) == link  # of the same result

    def retitled(before: str, title: str) -> str:
        page.locator("#share-title").fill(title)
        page.click("#share-retitle", no_wait_after=True)
        page.wait_for_function(
            "before => !['', before].includes(document.getElementById('share-link').value)", arg=before
        )
        expect(page.locator("#share-title")).to_have_value(title)
        return page.locator("#share-link").input_value()

    marked = retitled(link, phrase("browser.for_oclock_class", 9))
    expect(code).to_have_attribute("alt", f"QR code of {marked}")
    of_class = phrase("browser.for_oclock_class_schedulers", 9, 4)
    # a small scenario is in an address alone
    for address, says in (
        (marked, of_class),
        (inline, f"{TITLE}: 4 schedulers"),
    ):
        with visit(elsewhere) as other:
            other.set_viewport_size(LOW)
            traffic_of_other = dashboard.Traffic(other)
            dashboard.opened(other, address)
            expect(other.locator("#run-status")).to_contain_text(says)
            assert (figures(other, traffic_of_other), dashboard.ranges(other)) == (painted, zoom)
            assert other.url == address
    page.evaluate(BUSY, BUSY_MS)  # typed and pressed while the page has no time
    hasty = retitled(marked, "Typed in haste")

    # Opening a link is a step that undo takes back, over a draft that stays the visitor's own.
    page.keyboard.press("Escape")
    dashboard.compose(page)
    title = page.get_by_label(phrase("browser.title_scenario"))
    title.fill("Mine")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    dashboard.opened(page, hasty)
    expect(title).to_have_value("Typed in haste")
    page.click("#editor-undo")
    expect(title).to_have_value("Mine")
    page.wait_for_function("() => !new URLSearchParams(window.location.search).has('r')")
    dashboard.opened(page, server.url + "/?r=0123456789abcdef")
    expect(page.locator("#complaints p")).to_have_count(1)
    expect(title).to_have_value("Mine")
    expect(page.locator("#run-status")).to_contain_text("Mine")
    dashboard.opened(page, server.url + "/?preset=wordcount&s=fifo&why=0:999999", 1)
    expect(page.locator("#run-status")).to_contain_text(phrase("browser.four_wordcount_jobs_scheduler", 1))
    expect(page.locator("#complaints")).to_contain_text(
        phrase("browser.links_open_decision_why_container", "999,999", 0) + " "
    )
    expect(page.locator("#decision-title")).to_have_text("Decision")


def test_a_link_keeps_what_the_address_says_is_looked_at(page: Page, server: Server) -> None:
    """Two schedulers presented at a time, with why: asked for once, and in the address while its answer is
    long in coming.
    """
    at = 15_000
    looked = {
        "x0": "2000",
        "x1": "90000",
        "job": "wordcount3",
        "colour": "job",
        "folded": "0,2",
        "t": str(at),
        "span": "5000-9000",
        "why": "1:20",
        "tab": "capacity",
        "drawer": "300",
        "dock": "right",
        "present": "1",
    }
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def late(route: Route) -> None:
        if "decision-data" in (route.request.post_data or ""):
            page.wait_for_function("written.length")
        route.continue_()

    page.route("**/_dash-update-component", late)
    page.add_init_script(WRITTEN)
    dashboard.opened(page, f"{dashboard.four(server.url)}&{urlencode(looked)}", charts=2)
    expect(page.locator("#decision-title")).to_contain_text("Decision 21 of")
    expect(page.locator("#workbench")).to_have_attribute("data-presenting", "")
    expect(page.locator("#present")).to_have_attribute("aria-pressed", "true")
    fair = simulate(presets()[0].scenario, "fair")
    placed = int((fair.containers.start <= at).sum()) - 1
    expect(page.locator("#subtitle")).to_contain_text(explain(fair, parse("fair"), placed)["because"])
    assert sum(url.endswith("/jobs/run/start") for url in asked) == 1
    for address in [*page.evaluate("written"), page.url]:
        kept = dict(parse_qsl(urlsplit(address).query))
        assert {key: value for key, value in kept.items() if key not in url_state.RESULT_KEYS} == looked
    page.locator("#present").press("p")
    expect(page.locator("#drawer")).to_be_visible()
    page.wait_for_url(lambda address: "present" not in address)
    link = shared(page)
    for address in (link, page.locator("#share-inline").input_value()):
        kept = dict(parse_qsl(urlsplit(address).query))
        assert {key: value for key, value in kept.items() if key not in url_state.RESULT_KEYS} == {
            key: value for key, value in looked.items() if key != "present"
        }


@pytest.mark.everything
@pytest.mark.parametrize(
    "query", ["?r=nonsense", "?s=v1.nonsense", "?s=", "?x0=9&x1=1", "?r=%00%ff&job=%3Cscript%3E"]
)
def test_a_broken_link_is_a_sentence_over_the_visitors_own_draft(
    page: Page, server: Server, query: str
) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    page.get_by_label(phrase("browser.title_scenario")).fill("Mine")
    expect(page.locator("#run-reason")).to_contain_text("Inputs changed")
    dashboard.opened(page, server.url + "/" + query)
    expect(page.locator("#complaints p")).to_have_count(0 if query == "?s=" else 1)
    expect(page.get_by_label(phrase("browser.title_scenario"))).to_have_value("Mine")
    expect(page.locator("#run-status")).to_contain_text("Mine")


def test_addresses_and_a_database_of_0_1_say_what_their_names_meant(page: Page, server: Server) -> None:
    """A link goes by a command; an address that writes out defaults opens as what ran."""
    id = IDS["0.1"]
    dashboard.opened(page, f"{server.url}/?r={id}", 1)  # its two runs are equal
    expect(page.locator("#meant")).to_contain_text(
        phrase("browser.made_with_gantry_where_fair", 0.1, FAIR, FIFO)
    )
    expect(page.get_by_label(phrase("browser.title_scenario"))).to_have_value("Kept by 0.1: ünï'code")
    subprocess.run(
        [sys.executable, "-m", "webapp", "links", "delete", id],
        cwd=ROOT,
        env={**os.environ, "GANTRY_DATA": str(server.data)},
        check=True,
    )
    dashboard.opened(page, f"{server.url}/?r={id}", 1)
    expect(page.locator("#complaints p")).to_have_count(1)

    scenario = presets()[0].scenario.plain()
    scenario = scenario | {"seed": 0, "jobs": [job | {"arrival_s": 0} for job in scenario["jobs"]]}
    plain = json.dumps({"scenario": scenario, "schedulers": ["fair", "fresh"]})
    packed = base64.urlsafe_b64encode(zlib.compress(plain.encode())).decode().rstrip("=")
    dashboard.opened(page, f"{server.url}/?s=v1.{packed}", 2)
    expect(page.locator("#meant")).to_have_text(phrase("browser.this_link_was_made_with", 0.1, FAIR))
    expect(page.locator("#lanes h3")).to_have_text(["fair, textbook", "fresh"])
    shared(page)
    inline = page.locator("#share-inline").input_value()
    assert "?s=v2." in inline
    traffic = dashboard.Traffic(page)
    dashboard.opened(page, inline, 2)
    expect(page.locator("#meant")).to_be_hidden()
    expect(page.locator("#lanes h3")).to_have_text(["fair, textbook", "fresh"])
    expect(page.locator("#editor-about")).not_to_be_empty()
    traffic.wait_until_idle()  # the check of what was composed has come back
    expect(page.locator("#run-reason")).to_be_empty()


def test_a_link_for_students_opens_with_its_sentence_and_overwrites_nothing(
    page: Page, server: Server, elsewhere: BrowserContext
) -> None:
    dashboard.opened(page, server.url + TWO, 2)
    shared(page)
    page.locator("#share-title").fill("For the <b>class</b>")
    page.locator("#share-sentence").fill('Look at the "reduces"')
    page.get_by_label(phrase("browser.for_students")).check()
    expect(page.locator("#share-link")).to_have_value("")  # the one there was says none of this
    expect(page.locator("#share-code img")).to_have_count(0)
    page.evaluate(
        "() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('denied')) })"
    )
    page.evaluate("() => Object.assign(document, { execCommand: () => false })")
    page.click("#share-retitle")
    expect(page.locator("#share-link")).to_have_value(re.compile(r"\?r="))
    expect(page.locator("#share-says")).to_contain_text(phrase("browser.copy_from_its_field"))
    link = page.locator("#share-link").input_value()

    with visit(elsewhere) as student:
        dashboard.opened(student, server.url + TWO, 2)
        dashboard.compose(student)
        title = student.get_by_label(phrase("browser.title_scenario"))
        title.fill("Mine")
        dashboard.run(student)
        recent = student.evaluate("localStorage.getItem('recent')")
        student.wait_for_timeout(2 * KEPT_MS)

        dashboard.opened(student, link, 2)
        line = student.locator("#shared-line")
        expect(line).to_contain_text('For the <b>class</b> Look at the "reduces"')
        expect(student).to_have_title(phrase("webapp.window_title", "For the <b>class</b>"))
        dashboard.compose(student)
        title.fill("Moved")
        dashboard.run(student)  # all can be changed and run
        expect(student.locator("#run-status")).to_contain_text("Moved")
        expect(student.locator("#shared-words")).to_be_hidden()  # of another scenario it says nothing
        student.wait_for_timeout(2 * KEPT_MS)
        assert dict(parse_qsl(urlsplit(student.url).query))["r"] == opened_id(link)
        assert student.evaluate("localStorage.getItem('recent')") == recent

        # What is passed on of it is read-only too.
        passed_on = shared(student)
        expect(student.get_by_label(phrase("browser.for_students"))).to_be_checked()
        student.keyboard.press("Escape")
        dashboard.opened(student, passed_on, 2)
        expect(student.locator("#run-status")).to_contain_text("Moved")
        expect(line).to_contain_text(phrase("browser.read_only_link"))

        dashboard.opened(student, link, 2)  # as it was, whatever was moved
        expect(student.locator("#run-status")).to_contain_text("For the <b>class</b>")
        dashboard.opened(student, server.url, 2)
        expect(student.locator("#run-status")).to_contain_text("Mine")

        dashboard.opened(student, link, 2)
        student.get_by_role("button", name=phrase("browser.make_copy")).click()
        expect(line).to_contain_text(phrase("browser.own_copy"))
        expect(line).to_be_focused()
        student.wait_for_function("() => !new URLSearchParams(window.location.search).has('r')")
        student.wait_for_timeout(2 * KEPT_MS)
        dashboard.opened(student, server.url, 2)
        expect(student.locator("#run-status")).to_contain_text("For the <b>class</b>")


def opened_id(link: str) -> str:
    return dict(parse_qsl(urlsplit(link).query))["r"]
