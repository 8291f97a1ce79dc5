"""The schedulers' pages, and composing a scheduler from its parts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine import VERSION
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase

CASES = ".case img.schedule"
LIGHT, DARK = "255,255,255,255", "36,36,36,255"
PAPERS = f"""() => [...document.querySelectorAll("{CASES}")].map((image) => {{
    const pen = document.createElement("canvas").getContext("2d");
    pen.drawImage(image, 0, 0);
    return [...pen.getImageData(1, 1, 1, 1).data].join();
}})"""


def drawn(page: Page, cases: int = 2) -> None:
    """Wait until the cases of a policy's page are run and drawn."""
    expect(page.locator(CASES)).to_have_count(2 * cases, timeout=dashboard.READY_MS)


def test_from_the_header_to_the_policies_their_cases_and_files(page: Page, server: Server) -> None:
    page.emulate_media(color_scheme="dark")
    dashboard.opened(page, server.url)
    version = page.locator(".version")
    expect(version.first).to_have_text(f"Gantry {VERSION}")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Schedulers").click()
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Schedulers")
    assert violations(page) == []
    page.get_by_role("link", name="HaSTE", exact=True).click()
    expect(title).to_contain_text("HaSTE haste")
    expect(version.first).to_have_text(f"Gantry {VERSION}")
    drawn(page)
    assert violations(page) == []
    mathematics_is_drawn(page)
    wins = page.locator(".case").first
    expect(wins).to_contain_text("24.2 % less")
    expect(page.locator(".case").nth(1)).to_contain_text("49.9 % more")
    wins.get_by_role("link", name=phrase("browser.open_this_case_in_dashboard")).click()
    dashboard.drawn(page, 2)
    expect(page.locator("#lanes h3")).to_have_text(["haste+slowstart", "ffd-dp+slowstart"])
    expect(page.locator("#metrics-grid")).to_contain_text("45.5 s")

    # The comparison and the catalogue lead to the pages.
    dashboard.compose(page)
    expect(page.locator("#about-schedulers a")).to_contain_text(["haste", "ffd-dp", "slowstart"])
    page.get_by_role("button", name="All policies").click()
    expect(page.get_by_role("dialog").get_by_role("link", name="Lazy start")).to_be_visible()
    assert violations(page, "[role=dialog]") == []
    page.get_by_role("dialog").get_by_role("link", name="Lazy start").click()
    expect(title).to_contain_text("Lazy start")

    # From page to page; a case and the parameters are taken away.
    page.goto(f"{server.url}/schedulers/fifo")
    page.get_by_role("link", name="Next: Fair sharing").click()
    drawn(page, 4)
    expect(page.get_by_role("heading", name=re.compile("Static slots"))).to_be_visible()
    for menu, entry, name in (
        (page.locator(".case .card-menu").first, "Numbers as CSV", "gantry-fair-case-1.csv"),
        (page.locator(".case .card-menu").nth(1), "Chart as PNG", "gantry-fair-case-2.png"),
        (page.locator(".paper-title .card-menu"), "Numbers as CSV", "gantry-fair-parameters.csv"),
    ):
        menu.locator("summary").click()
        with page.expect_download() as download:
            menu.get_by_text(entry).click()
        assert download.value.suggested_filename == name
    page.get_by_role("link", name=phrase("browser.previous_first_in_first_out")).focus()
    page.keyboard.press("Enter")
    expect(title).to_contain_text(phrase("browser.first_in_first_out"))

    # A page fits a telephone, and its drawings follow the scheme.
    follows_the_scheme(page, server, 360, "dark")
    page.goto(f"{server.url}/schedulers/nothing")
    expect(page.get_by_role("main")).to_contain_text(phrase("pages.this_address_has_no_page"))
    expect(version.first).to_have_text(f"Gantry {VERSION}")
    assert [said for said in page.complaints if "404" not in said] == []
    page.complaints.clear()


def mathematics_is_drawn(page: Page) -> None:
    """The browser knows it for mathematics, sets one above the other, and says what a letter means."""
    fraction = page.locator(".formula mfrac").first
    assert fraction.evaluate("one => one.namespaceURI") == "http://www.w3.org/1998/Math/MathML"
    above, below = (fraction.locator(f":scope > :nth-child({place})").bounding_box() for place in (1, 2))
    assert above["y"] + above["height"] <= below["y"]
    letter = page.locator(".formula mi span", has_text="U").first
    expect(letter).to_have_attribute("title", re.compile(f"^{phrase('schedulers.urgency_of_request')}"))
    row = page.locator(".symbols tr", has=page.locator("math", has_text="Um"))
    expect(row).to_contain_text(phrase("schedulers.urgency_of_maps"))


def follows_the_scheme(page: Page, server: Server, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{server.url}/schedulers/saf")
    drawn(page)
    own, other = (DARK, LIGHT) if scheme == "dark" else (LIGHT, DARK)
    for paper in (own, other):
        page.wait_for_function(f"one => ({PAPERS})().every((paper) => paper === one)", arg=paper)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        if paper == own:
            page.click("#turn-scheme")


@pytest.mark.everything
@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1920, "dark"), (1920, "light")])
def test_a_page_fits_the_window_and_follows_the_scheme(
    page: Page, server: Server, width: int, scheme: str
) -> None:
    follows_the_scheme(page, server, width, scheme)


def chosen(page: Page, part: str, option: str) -> None:
    page.locator(f"#part-{part}").click()
    page.get_by_role("option", name=option, exact=True).click()


def test_schedulers_are_composed_of_parts_and_weights_and_run(page: Page, server: Server) -> None:
    page.emulate_media(color_scheme="dark")
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.show(page, "Compare")
    expect(page.locator("#about-schedulers a")).to_have_text(
        ["fifo", "fair", "drf", "capacity", "ramp-up", "admit-all", "am-share", "am-limit"]
    )
    name, add, last = (
        page.locator("#composed"),
        page.get_by_role("button", name="Add", exact=True).last,
        page.locator("#lanes h3").last,
    )

    def begins() -> None:
        page.get_by_role("button", name="Compose an order").click()
        expect(page.get_by_role("dialog", name="Compose an order")).to_be_visible()

    # Weights are set by keyboard and make an order that runs and is kept.
    begins()
    expect(name).to_have_text("weighted")
    assert violations(page, "[role=dialog]") == []
    for term, key, presses in (("fitness", "ArrowLeft", 2), ("remaining", "ArrowRight", 3)):
        page.get_by_role("slider", name=f"Weight of {term}").focus()
        for _ in range(presses):
            page.keyboard.press(key)
    expect(name).to_have_text("weighted(fitness=0, remaining=1.5)")
    expect(page.locator(".weight-value")).to_have_text(["0", "0", "0", "0", "0", "+1.5", "0"])
    add.click()
    dashboard.run(page)
    expect(last).to_have_text("weighted(fitness=0, remaining=1.5)")
    page.reload()
    dashboard.drawn(page, 5)
    expect(last).to_have_text("weighted(fitness=0, remaining=1.5)")

    # What makes no sense is refused in the dialog.
    begins()
    chosen(page, "order", "OMO (omo)")
    expect(name).to_have_text("omo")
    chosen(page, "reduce-start", "Ramp-up (ramp-up)")
    expect(page.locator("#composed-fault")).to_contain_text(phrase("browser.omo_starts_reduces_by_own"))
    expect(page.locator("#composed-add")).to_be_disabled()
    chosen(page, "reduce-start", "Lazy start (lazy-start)")
    expect(name).to_have_text("omo")
    expect(page.locator("#composed-add")).to_be_enabled()

    # Three drop-downs make a scheduler that runs.
    chosen(page, "order", "HaSTE (haste)")
    chosen(page, "admission", "AutoAdmin (autoadmin)")
    expect(name).to_have_text("haste+lazy-start+autoadmin")
    page.get_by_role("textbox", name="ema").fill("0.7")
    expect(name).to_have_text("haste+lazy-start(ema=0.7)+autoadmin")
    add.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    dashboard.run(page)
    expect(last).to_have_text("haste+lazy-start(ema=0.7)+autoadmin")
