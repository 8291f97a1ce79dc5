"""Pages beside the dashboard, for everyone: their headings, heads, links to sections, and the rules their
scripts come under.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server
from webapp.pages.limits import LIMITATIONS

LEVELS = """() => [...document.querySelectorAll("h1, h2, h3, h4")].filter((node) => node.checkVisibility()).map((node) => Number(node.localName[1]))"""  # noqa: E501
VIOLATIONS = (
    "() => document.addEventListener('securitypolicyviolation', (event) => console.error(`refused: "
    "${event.violatedDirective} ${event.blockedURI}`))"
)
PAGES = (
    "/exercises",
    "/exercises/first-to-finish",
    "/schedulers",
    "/schedulers/fair",
    "/model",
    "/checked-against-hadoop",
    "/help",
    "/help/tutorial",
    "/",
)
CURRENT = {
    "/exercises": ("Exercises", "page"),
    "/exercises/first-to-finish": ("Exercises", "true"),
    "/model": ("Limits", "page"),
    "/schedulers": ("Schedulers", "page"),
    "/schedulers/fair": ("Schedulers", "true"),
    "/help": ("Help", "page"),
    "/help/tutorial": ("Help", "true"),
}
SECTIONS = {"/model": LIMITATIONS[len(LIMITATIONS) // 2].key}


def test_every_page_has_its_headings_and_rules_and_leads_on(page: Page, server: Server) -> None:
    page.add_init_script(f"({VIOLATIONS})()")  # the page's console must be clean, refusals included
    # An address without a page leads back.
    assert page.goto(f"{server.url}/nothing/here").status == 404
    expect(page.locator("h1")).to_have_text("Page not found")
    assert page.complaints and all("404" in complaint for complaint in page.complaints)
    page.complaints.clear()
    page.click("text=Go to the dashboard")
    expect(page).to_have_url(re.compile(re.escape(server.url) + "/?$"))
    expect(page.locator("#run")).to_be_visible()

    for path in PAGES:
        answer = page.goto(server.url + path)
        # Scripts come from here alone, and none is made of text.
        rules = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
        assert all(
            source == "'self'" or re.fullmatch(r"'sha256-[\w+/=]+'", source)
            for source in rules["script-src"].split()
        )
        assert (rules["default-src"], rules["object-src"], rules["base-uri"], rules["frame-ancestors"]) == (
            "'self'",
            "'none'",
            "'self'",
            "'self'",
        )
        expect(page.locator("h1")).to_have_count(1)
        if path == "/":
            dashboard.drawn(page, 2)
            dashboard.show(page, "More charts")
            expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=dashboard.READY_MS)
        if path == "/schedulers/fair":
            page.wait_for_function(
                "() => [...document.querySelectorAll('main img')].some((picture) => picture.naturalWidth "
                "> 100)"
            )
        # Headings go down one level at a time, and the head says which page this is.
        levels = page.evaluate(LEVELS)
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False)), (
            f"{path}: {levels}"
        )
        if path in CURRENT:
            name, what = CURRENT[path]
            expect(page.locator(".head nav [aria-current]")).to_have_count(1)
            expect(
                page.get_by_role("navigation", name="Pages").get_by_role("link", name=name)
            ).to_have_attribute("aria-current", what)

    # A link to a section leads to it and stays there, opened or clicked.
    for path, key in SECTIONS.items():
        link = f"{path}#{key}"
        section = page.locator(f"[id='{key}']")
        for how in ("opened", "clicked"):
            page.goto("about:blank")
            with dashboard.answered(page):
                page.goto(server.url + (link if how == "opened" else path))
                section.wait_for(state="attached", timeout=dashboard.READY_MS)
                if how == "clicked":
                    page.locator(f"a[href='#{key}']").first.click()
            assert page.url.endswith(link)
            assert -1 <= section.bounding_box()["y"] < 150
