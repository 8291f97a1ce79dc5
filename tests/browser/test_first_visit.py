"""The first visit shows a finished example, and nothing a visitor does is lost by a reload."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server


def test_a_first_visit_shows_a_finished_example(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    expect(page.locator("#lanes h3")).to_have_text(["fifo", "fair", "drf", "capacity"])
    expect(page.locator("#run-status")).to_contain_text("4 schedulers, 59")
    assert dashboard.modes(page) == ["exact"] * 4
    assert sum(len(dashboard.bars(page, chart, kind)) for chart in range(4) for kind in ("master", "map", "shuffle", "waiting", "reduce")) > 500
    assert "Gantry" in page.title()
    page.wait_for_timeout(500)
    assert page.url.rstrip("/") == server.url  # what the page shows by itself needs no address


def test_the_example_is_no_recent_run(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.click("#show-recent")
    expect(page.locator("#recent-list")).to_contain_text("No runs yet")


def test_every_result_links_to_what_the_model_leaves_out(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.locator("header a[href='/model']").click()
    expect(page.locator("h1")).to_have_text("Limits of the model")
    for topic in ("off until you ask", "Why attempts fail", "Reservations", "Preemption", "Shared network"):
        expect(page.locator("#results")).to_contain_text(topic)


def test_a_reload_and_a_closed_tab_lose_nothing(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    page.get_by_label("Title of the scenario").fill("My own batch")
    expect(page.locator("#run-reason")).to_have_text("Inputs changed: run again.")
    dashboard.run(page)
    page.locator(".chart").first.focus()
    page.keyboard.press("w")
    page.wait_for_url("**x0=*")
    zoom = dashboard.ranges(page)[0]

    page.reload()
    dashboard.drawn(page)
    expect(page.locator("#run-status")).to_contain_text("My own batch")
    assert dashboard.ranges(page) == [zoom] * 4

    again = page.context.new_page()
    dashboard.opened(again, server.url)
    expect(again.locator("#run-status")).to_contain_text("My own batch")


def test_recent_runs_are_listed_and_open_again(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    for title in ("One", "Two"):
        page.get_by_label("Title of the scenario").fill(title)
        dashboard.run(page)
    page.click("#show-recent")
    expect(page.locator("#recent-list strong")).to_have_text(["Two", "One"])
    page.locator("#recent-list li").nth(1).locator("button").first.click()
    expect(page.locator("#run-status")).to_contain_text("One: 4 schedulers")
    expect(page.get_by_label("Title of the scenario")).to_have_value("One")
    expect(page.locator("#recent-list")).not_to_be_visible()


def test_an_address_without_a_page_leads_back(page: Page, server: Server) -> None:
    assert page.goto(f"{server.url}/nothing/here").status == 404
    expect(page.locator("h1")).to_have_text("Page not found")
    assert all("404" in complaint for complaint in page.complaints)
    page.complaints.clear()
    page.click("text=Go to the dashboard")
    dashboard.drawn(page)


def test_back_from_the_limits_the_charts_are_there(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.evaluate("() => document.querySelector('#rail a[href=\"/model\"]').click()")
    expect(page).to_have_url(server.url + "/model")
    expect(page.locator("h1")).to_have_count(1)
    page.go_back()
    dashboard.drawn(page)
