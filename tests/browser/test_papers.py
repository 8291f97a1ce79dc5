"""The gallery: from the list to an experiment, on to the next by keyboard, large type, and into the dashboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine import knobs_of, maps, paper_experiments
from tests.browser import dashboard
from tests.browser.server import Server
from webapp.panels.papers import bench

FIRST, SECOND = list(paper_experiments())[:2]
HAND = "dynamic-priority/table-1"
BENCHES = sorted(filter(bench.needed, paper_experiments()), key=lambda name: paper_experiments()[name].thousands)
BENCH = next(name for name in BENCHES if knobs_of(name)[0].key == "fetch_mb_s")  # the quickest that fetches
BESIDE = next((name for name, one in paper_experiments().items() if len(one.readings) > 1), "")
SIZES = """() => [...document.querySelectorAll("main *")]
  .filter((node) => !node.closest(".paper-schedule .chart") && [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim()))
  .map((node) => getComputedStyle(node).fontSize)"""


def computed(page: Page) -> None:
    """Wait until an experiment is run and its pictures and schedules are drawn."""
    expect(page.locator(".paper-answer:has-text('computed now') .paper-verdict").first).to_be_visible(timeout=dashboard.READY_MS)
    expect(page.locator(".paper-picture .cartesianlayer .subplot").first).to_be_attached(timeout=dashboard.READY_MS)
    expect(page.locator("#paper-charts img.schedule").first).to_be_visible(timeout=dashboard.READY_MS)


def test_from_the_header_to_an_experiment_and_its_schedule_in_the_dashboard(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Papers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Papers")
    page.locator(".experiments").get_by_role("link", name="Six jobs, by hand").click()
    computed(page)
    expect(page.locator(".paper-answer")).to_contain_text("agrees")
    row = page.get_by_role("row", name="Average waiting time under the score")
    expect(row).to_contain_text("18.33 s± 2.8 s18.33 s0.0 %")
    page.get_by_role("link", name="Open in the dashboard", exact=True).click()
    dashboard.drawn(page, 2)
    expect(page.locator("#lanes h3")).to_have_text(["fifo+slowstart", "priority-fifo(k1=1)+slowstart"])


def test_a_class_goes_on_by_keyboard_in_large_type(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{FIRST}")
    computed(page)
    size = "() => parseFloat(getComputedStyle(document.querySelector('.paper .says')).fontSize)"
    small = page.evaluate(size)
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Large type")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(size) > small
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{server.url}/papers/{SECOND}")
    expect(page.locator("h1")).to_have_text(paper_experiments()[SECOND].title)
    computed(page)
    assert page.evaluate(size) > small
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(f"{server.url}/papers/{FIRST}")
    page.reload()
    computed(page)
    expect(page.get_by_role("button", name="Large type")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("L")
    expect(page.get_by_role("button", name="Large type")).to_have_attribute("aria-pressed", "false")


def test_arrows_in_a_table_scroll_it_and_leave_the_page_where_it_is(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{FIRST}")
    computed(page)
    page.locator(".claims-room").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    expect(page).to_have_url(f"{server.url}/papers/{FIRST}")


def test_a_cell_of_the_matrix_leads_to_its_claim_and_arrows_walk_from_cell_to_cell(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers")
    cells = page.locator(".matrix-claims a")
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cells.nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cells.nth(3)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/papers/{SECOND}#claim-2")
    computed(page)
    row = page.locator("#claim-2")
    expect(row).to_be_in_viewport()
    expect(row).to_have_attribute("data-asked", "yes")


def test_the_matrix_of_experiments_leads_to_their_pages_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers")
    cells = page.locator(".verdict-cell")
    expect(cells).to_have_count(len(paper_experiments()))
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cells.nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".verdict-row").nth(1).locator(".verdict-cell").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/papers/{SECOND}")


def judged(page: Page, of: str) -> None:
    """Wait until the lamps show an answer over the seeds of a hand that rests; of: what else it says."""
    page.locator("#bench").scroll_into_view_if_needed()
    longest = 3 * dashboard.READY_MS  # on a machine that compiles the policies meanwhile
    expect(page.locator("#bench-says", has_text=of).or_(page.locator("#bench-error:not(:empty)"))).to_be_visible(timeout=longest)
    expect(page.locator("#bench-error")).to_be_empty()
    expect(page.locator("#bench")).to_have_attribute("aria-busy", "false", timeout=longest)


def test_lamps_follow_a_slider_and_go_back_with_reset(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{BENCH}")
    judged(page, "hold")
    lamps = page.locator("#bench-lamps .lamp-cell")
    own, said = lamps.all_inner_texts(), page.locator("#bench-says").inner_text()
    assert "not judged yet" not in "".join(own)
    slider = page.get_by_role("slider", name="Fetch rate")
    slider.focus()
    page.keyboard.press("Home")
    judged(page, "as it is")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^1 MB/s, instead of "))
    assert lamps.all_inner_texts() != own
    page.get_by_role("button", name="Reset to the experiment's own").click()
    expect(page.locator("#bench-says")).to_have_text(said, timeout=dashboard.READY_MS)
    assert lamps.all_inner_texts() == own
    assert page.url.endswith(BENCH), "keys on a slider don't leave the page"


def test_a_server_that_is_away_is_told_in_a_sentence(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{BENCH}")
    judged(page, "hold")
    page.route("**/papers/what-it-takes", lambda route: route.abort())
    page.get_by_role("slider", name="Fetch rate").focus()
    page.keyboard.press("Home")
    expect(page.locator("#bench-error")).to_have_text("The server does not answer; the lamps show what they did.")
    page.unroute("**/papers/what-it-takes")
    page.keyboard.press("End")
    expect(page.locator("#bench-error")).to_be_hidden()
    page.complaints.clear()


def test_the_next_page_has_sliders_of_its_own(page: Page, server: Server) -> None:
    names = list(paper_experiments())
    name = next(one for one, other in zip(names, names[1:]) if bench.needed(one) and bench.needed(other))
    after = names[names.index(name) + 1]
    page.goto(f"{server.url}/papers/{name}")
    expect(page.locator("#bench-sliders .bench-knob").first).to_be_visible()
    page.locator("#paper-after").click()
    expect(page).to_have_url(f"{server.url}/papers/{after}")
    expect(page.locator("#bench-lamps tr")).to_have_count(len([one for one in paper_experiments()[after].claims if one.basis != "formula"]))
    expect(page.locator("#bench-sliders .bench-knob")).to_have_count(len(knobs_of(after)))


@pytest.mark.skipif(not maps(), reason="no paper has a map")
def test_a_point_of_a_map_is_computed_by_a_click_and_by_keyboard(page: Page, server: Server) -> None:
    paper, one = next(iter(maps().items()))
    page.goto(f"{server.url}/papers/{paper}")
    cells = page.locator(".claim-grid button")
    expect(cells).to_have_count(len(one.x.values) * len(one.y.values))
    expect(page.locator("#map-sliders input")).to_have_count(2)
    cells.nth(1).click()
    says = page.locator("#map-says")
    expect(says).to_contain_text("computed now", timeout=dashboard.READY_MS)
    before = says.inner_text()
    expect(cells.nth(1)).to_have_attribute("data-asked", "")
    page.keyboard.press("ArrowRight")
    expect(cells.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(cells.nth(2)).to_have_attribute("data-asked", "")
    expect(says).not_to_have_text(before, timeout=dashboard.READY_MS)
    before = says.inner_text()
    page.locator("#map-sliders input").first.focus()
    page.keyboard.press("Home")
    expect(says).not_to_have_text(before, timeout=dashboard.READY_MS)
    expect(page.locator("#claim-map")).to_have_attribute("aria-busy", "false")


@pytest.mark.skipif(not BESIDE, reason="no experiment has two readings")
def test_readings_stand_beside_each_other(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{BESIDE}")
    computed(page)
    readings = paper_experiments()[BESIDE].readings
    expect(page.locator(".reading-card")).to_have_count(len(readings))
    expect(page.locator(".claims-beside thead th")).to_have_text(["What", "Paper", *(one.title for one in readings)])
    assert page.evaluate("() => { const ids = [...document.querySelectorAll('[id]')].map((one) => one.id); return ids.length - new Set(ids).size; }") == 0


def test_numbers_and_charts_are_taken_away_from_one_menu_a_card(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{HAND}")
    computed(page)
    menu = page.locator(".paper-picture .card-menu").first
    for entry, name, begin in (("Numbers as CSV", "csv", b"Series,Source,"), ("Chart as PNG", "png", b"\x89PNG"), ("Chart as SVG", "svg", b"<svg")):
        menu.locator("summary").click()
        with page.expect_download() as download:
            menu.get_by_text(entry).click()
        assert download.value.suggested_filename == f"gantry-dynamic-priority-table-1-1.{name}"
        assert download.value.path().read_bytes().startswith(begin)
        expect(menu).not_to_have_attribute("open", "")
    schedule = page.locator(".paper-schedule .card-menu").first
    schedule.locator("summary").click()
    with page.expect_download() as download:
        schedule.get_by_text("Chart as SVG").click()
    assert paper_experiments()[HAND].shows()[0].title in download.value.path().read_text("utf-8")


def test_a_menu_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/{HAND}")
    computed(page)
    menu = page.locator(".paper-picture .card-menu").first
    head = menu.locator("summary")
    head.focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_text("Chart as PNG")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(menu.get_by_text("Numbers as CSV")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{server.url}/papers/{HAND}")
    page.keyboard.press("Escape")
    expect(menu.get_by_text("Chart as PNG")).to_be_hidden()
    expect(head).to_be_focused()
    page.keyboard.press("Enter")
    expect(menu.get_by_text("Chart as PNG")).to_be_visible()
    page.locator("h1").click()
    expect(menu.get_by_text("Chart as PNG")).to_be_hidden()


def test_only_five_sizes_of_type(page: Page, server: Server) -> None:
    """Those of the charts of containers are the dashboard's."""
    page.goto(f"{server.url}/papers/{HAND}")
    computed(page)
    sizes = {"12px", "13px", "15px", "18px", "24px"}
    assert set(page.evaluate(SIZES)) <= sizes
    page.keyboard.press("l")
    expect(page.locator(".paper-picture .xtick text").first).to_have_css("font-size", "18px")
    assert set(page.evaluate(SIZES)) <= sizes


def test_an_experiment_that_none_has(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/papers/saf/nothing")
    expect(page.get_by_role("main")).to_contain_text("This address has no page.")
    assert [said for said in page.complaints if "404" not in said] == []
    page.complaints.clear()


@pytest.mark.parametrize("width", [360, 1280, 1920])
@pytest.mark.parametrize("path", ["/papers", f"/papers/{HAND}", f"/papers/{BENCH}", *(f"/papers/{paper}" for paper in [*maps()][:1])])
def test_nothing_is_wider_than_the_window(page: Page, server: Server, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(server.url + path)
    if path.count("/") == 3:
        computed(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
