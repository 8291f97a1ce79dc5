"""The schedulers' pages, and composing a scheduler from its parts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server

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


def composer(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    page.get_by_role("button", name="Compose an order").click()
    expect(page.get_by_role("dialog", name="Compose an order")).to_be_visible()
    expect(page.locator("#composed")).to_have_text("weighted")


def chosen(page: Page, part: str, option: str) -> None:
    page.locator(f"#part-{part}").click()
    page.get_by_role("option", name=option, exact=True).click()


def test_from_the_header_to_a_policy_and_its_case_into_the_dashboard(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Schedulers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Schedulers")
    page.get_by_role("link", name="HaSTE", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("HaSTE haste")
    drawn(page)
    wins = page.locator(".case").first
    expect(wins).to_contain_text("24.2 % less")
    expect(page.locator(".case").nth(1)).to_contain_text("49.9 % more")
    wins.get_by_role("link", name="Open this case in the dashboard").click()
    dashboard.drawn(page, 2)
    expect(page.locator("#lanes h3")).to_have_text(["haste+slowstart", "ffd-dp+slowstart"])
    expect(page.locator("#metrics-grid")).to_contain_text("45.5 s")


def test_a_case_and_the_parameters_are_taken_away(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/schedulers/fair")
    drawn(page, 4)
    for menu, entry, name in (
        (page.locator(".case .card-menu").first, "Numbers as CSV", "gantry-fair-case-1.csv"),
        (page.locator(".case .card-menu").nth(1), "Chart as PNG", "gantry-fair-case-2.png"),
        (page.locator(".paper-title .card-menu"), "Numbers as CSV", "gantry-fair-parameters.csv"),
    ):
        menu.locator("summary").click()
        with page.expect_download() as download:
            menu.get_by_text(entry).click()
        assert download.value.suggested_filename == name


def test_previous_next_and_a_name_that_none_has(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/schedulers/fifo")
    page.get_by_role("link", name="Next: Fair sharing").click()
    drawn(page, 4)
    expect(page.get_by_role("heading", name=re.compile("Static slots"))).to_be_visible()
    page.get_by_role("link", name="Previous: First in, first out").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("First in, first out")
    page.goto(f"{server.url}/schedulers/nothing")
    expect(page.get_by_role("main")).to_contain_text("This address has no page.")
    assert [said for said in page.complaints if "404" not in said] == []
    page.complaints.clear()


def test_the_comparison_and_the_catalogue_lead_to_the_pages(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.show(page, "Compare")
    expect(page.locator("#about-schedulers a")).to_have_text(["fifo", "fair", "drf", "capacity", "ramp-up", "admit-all", "am-share", "am-limit"])
    page.get_by_role("button", name="All policies").click()
    page.get_by_role("dialog").get_by_role("link", name="Lazy start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lazy start")


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1920, "light")])
def test_a_page_fits_the_window_and_follows_the_scheme(page: Page, server: Server, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{server.url}/schedulers/saf")
    drawn(page)
    page.wait_for_timeout(500)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert set(page.evaluate(PAPERS)) == {DARK if scheme == "dark" else LIGHT}
    page.click("#turn-scheme")
    page.wait_for_function(f"other => ({PAPERS})().every((paper) => paper === other)", arg=LIGHT if scheme == "dark" else DARK)


def test_three_drop_downs_make_a_scheduler_that_runs(page: Page, server: Server) -> None:
    composer(page, server)
    chosen(page, "order", "HaSTE (haste)")
    chosen(page, "reduce-start", "Lazy start (lazy-start)")
    chosen(page, "admission", "AutoAdmin (autoadmin)")
    expect(page.locator("#composed")).to_have_text("haste+lazy-start+autoadmin")
    page.get_by_label("ema").fill("0.7")
    expect(page.locator("#composed")).to_have_text("haste+lazy-start(ema=0.7)+autoadmin")
    page.get_by_role("button", name="Add", exact=True).last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    dashboard.run(page)
    expect(page.locator("#lanes h3").last).to_have_text("haste+lazy-start(ema=0.7)+autoadmin")


def test_weights_are_set_by_keyboard_and_make_an_order_that_runs_and_is_kept_in_the_link(page: Page, server: Server) -> None:
    composer(page, server)
    page.get_by_role("slider", name="Weight of fitness").focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.get_by_role("slider", name="Weight of remaining").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    name = "weighted(fitness=0, remaining=1.5)"
    expect(page.locator("#composed")).to_have_text(name)
    expect(page.locator(".weight-value")).to_have_text(["0", "0", "0", "0", "0", "+1.5", "0"])
    page.get_by_role("button", name="Add", exact=True).last.click()
    dashboard.run(page)
    expect(page.locator("#lanes h3").last).to_have_text(name)
    page.reload()
    dashboard.drawn(page, 5)
    expect(page.locator("#lanes h3").last).to_have_text(name)


def test_what_makes_no_sense_is_refused_in_the_dialog(page: Page, server: Server) -> None:
    composer(page, server)
    chosen(page, "order", "OMO (omo)")
    expect(page.locator("#composed")).to_have_text("omo")
    chosen(page, "reduce-start", "Ramp-up (ramp-up)")
    expect(page.locator("#composed-fault")).to_contain_text("omo starts reduces by its own lazy-start")
    expect(page.locator("#composed-add")).to_be_disabled()
    chosen(page, "reduce-start", "Lazy start (lazy-start)")
    expect(page.locator("#composed")).to_have_text("omo")
    expect(page.locator("#composed-add")).to_be_enabled()
