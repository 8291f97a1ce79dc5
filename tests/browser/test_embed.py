"""In a page of another site: shown and run where the owner allows the site, refused elsewhere and by default;
by TLS, so that a browser sends back the cookie of a frame.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.browser import axe, dashboard
from tests.browser.chromium import visitor_of, watch
from tests.browser.server import Server
from tests.phrases import phrase
from tests.webapp.deployment.site import NAME, Behind, Proxy, nginx

TWO = "/?preset=wordcount&s=fair&s=haste&embed=1"
EXERCISE = "/exercises/first-to-finish?embed=1"
KEPT = "() => [Object.keys(localStorage), document.cookie]"


class CoursePage(BaseHTTPRequestHandler):
    """A page of a course, which shows the address in its query in a frame."""

    def do_GET(self) -> None:
        shown = parse_qs(urlsplit(self.path).query).get("show", ["about:blank"])[0]
        text = (
            "<!DOCTYPE html><html lang='en'><title>Course</title><h1>Course</h1>"
            f"<iframe src='{escape(shown)}' title='Charts' width='100%' height='600'></iframe>"
        )
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def course() -> Iterator[str]:
    """A site of its own, by its origin."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), CoursePage)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


@pytest.fixture(scope="module")
def allowed() -> Iterator[str]:
    with course() as origin:
        yield origin


@pytest.fixture(scope="module")
def gantry(allowed: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The real server behind nginx; one site may frame it."""
    behind = Behind(
        tmp_path_factory.mktemp("behind") / "data", {"GANTRY_WORKERS": "1", "GANTRY_EMBED": allowed}
    )
    proxy = nginx(tmp_path_factory.mktemp("nginx"), f"unix:{behind.socket}")
    yield proxy
    proxy.stop()
    behind.stop()


@pytest.fixture
def student(browser: Browser) -> Iterator[Page]:
    context = visitor_of(browser, ignore_https_errors=True)
    opened = context.new_page()
    opened.complaints = watch(opened)
    yield opened
    context.close()


def framed(page: Page, site: str, address: str) -> Frame:
    """The frame of a page of that site."""
    page.goto(f"{site}/?show={address.replace('&', '%26').replace('?', '%3F')}")
    return page.frames[1]


def test_an_allowed_site_shows_it_and_it_plays(student: Page, allowed: str, gantry: Proxy) -> None:
    asked = []
    student.on("request", lambda request: asked.append(request))
    frame = framed(student, allowed, gantry.url + TWO)
    expect(frame.locator(".lane svg:visible").first).to_be_visible()
    expect(frame.locator("#answer-says")).to_contain_text("haste")
    for gone in (".head nav", "#run", "#share", "#rail", ".drawer", "#tour-offer", "#compare-with"):
        expect(frame.locator(gone)).to_be_hidden()

    # the cookie comes back, to this site alone
    [cookie] = student.context.cookies()
    assert cookie["name"] == "gantry" and cookie["domain"] == NAME
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "None")
    assert cookie["partitionKey"] == "http://127.0.0.1"
    [started] = [request for request in asked if request.url.endswith("/jobs/run/start")]
    assert f"gantry={cookie['value']}" in started.all_headers()["cookie"]

    # keys work once a chart has the focus; nothing of it is kept
    frame.locator(".chart").first.focus()
    student.keyboard.press("Space")
    frame.wait_for_function("() => gantry.state.at > 0")
    student.keyboard.press("Space")
    frame.wait_for_function("() => gantry.state.playing === false")
    assert frame.evaluate(KEPT) == [[], ""]

    # the way out shows the same at the same instant, in a tab of its own
    at = frame.evaluate("Math.round(gantry.state.at)")
    frame.wait_for_function("at => location.search.includes(`t=${at}`)", arg=at)
    with student.context.expect_page() as opened:
        frame.get_by_role("link", name="Open in Gantry").press("Enter")
    outside = opened.value
    expect(outside.locator("#run")).to_be_visible()
    query = parse_qs(urlsplit(outside.url).query)
    assert "embed" not in query and query["preset"] == ["wordcount"] and query["t"] == [str(at)]
    assert outside.evaluate("window.opener") is None and "embed=1" in frame.url
    assert not student.complaints


def test_an_exercise_stands_in_the_frame_and_other_pages_in_a_tab(
    student: Page, allowed: str, gantry: Proxy
) -> None:
    frame = framed(student, allowed, gantry.url + EXERCISE)
    frame.locator("#exercise-form input").first.check()
    frame.locator("#exercise-form button").press("Enter")
    expect(frame.locator(".exercise-verdict")).to_be_visible()
    expect(frame.locator(".head")).to_be_hidden()
    with student.context.expect_page() as opened:
        frame.get_by_role("link", name="fifo").first.click()
    expect(opened.value.locator(".head nav")).to_be_visible()
    frame.evaluate("""() => {
        const link = Object.assign(document.createElement("a"), { textContent: "Go on", href: "?class=x" });
        document.querySelector("main").append(link);
    }""")
    frame.get_by_role("link", name="Go on").click()
    frame.wait_for_url("**?class=x&embed=1")
    expect(frame.locator("#exercise-form button")).to_be_visible()
    assert not student.complaints


def test_other_sites_other_views_and_other_pages_are_refused(
    student: Page, allowed: str, gantry: Proxy, server: Server
) -> None:
    with course() as other:
        for site, address in (
            (other, gantry.url + TWO),
            (allowed, gantry.url + TWO.replace("&embed=1", "")),
            (allowed, gantry.url + "/schedulers?embed=1"),
            (other, server.url + TWO),  # whose owner allows none
        ):
            student.complaints.clear()
            frame = framed(student, site, address)
            student.wait_for_timeout(300)
            assert frame.url.startswith("chrome-error:")
            assert [text for text in student.complaints if "frame-ancestors" in text], address


@pytest.mark.parametrize("width", [1280, 360])
def test_the_view_breaks_no_rule_and_leaves_the_draft_alone(page: Page, server: Server, width: int) -> None:
    dashboard.opened(page, server.url + TWO.replace("&embed=1", ""), 2)
    page.set_viewport_size({"width": width, "height": 640})
    dashboard.load(page, {**page.evaluate("gantry.state.draft.scenario"), "seed": 77}, ["fifo"])
    page.wait_for_timeout(600)
    before = page.evaluate("JSON.stringify(localStorage)")
    page.goto(server.url + TWO)
    expect(page.locator(".lane svg:visible").first).to_be_visible()
    assert axe.violations(page) == []
    page.locator(".chart:visible").first.click()
    page.wait_for_timeout(600)
    assert page.evaluate("JSON.stringify(localStorage)") == before
    page.goto(server.url)
    page.wait_for_function("() => window.gantry?.state.draft?.scenario.seed === 77")


def test_share_has_the_snippet_where_a_site_is_allowed(
    student: Page, allowed: str, gantry: Proxy, page: Page, server: Server
) -> None:
    for opened, url in ((student, gantry.url), (page, server.url)):
        dashboard.opened(opened, url + TWO.replace("&embed=1", ""), 2)
        opened.locator("#share").click()
        expect(opened.locator("#share-link")).not_to_have_value("")
    expect(page.locator("#share-embed")).to_be_hidden()
    expect(page.get_by_role("dialog")).to_contain_text(phrase("browser.once_owner_allows_site"))

    student.get_by_role("button", name=phrase("browser.copy_for_course_page")).click()
    snippet = student.evaluate("navigator.clipboard.readText()")
    assert snippet == student.locator("#share-embed").input_value() and "&amp;embed=1" in snippet
    student.goto(allowed)
    student.evaluate("(snippet) => document.body.insertAdjacentHTML('beforeend', snippet)", snippet)
    frame = student.frame_locator("iframe[title='Four WordCount jobs']")
    expect(frame.locator(".lane svg:visible").first).to_be_visible()
    assert not student.complaints
