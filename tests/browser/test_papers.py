"""The gallery: from the list to an experiment, on to the next by keyboard, large type, and into the
dashboard.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine import VERSION, paper_experiments
from engine.dashboard import headline_maps, sensitivity_parameters
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase
from webapp.panels.papers import sensitivity_panel

NAMES = list(paper_experiments())
FIRST, SECOND, THIRD = NAMES[:3]
HAND = "dynamic-priority/table-1"
BENCH = "dynamic-priority/batches"  # that fetches, quick under all of its conditions
SIZES = """() => [...document.querySelectorAll("main *")]
  .filter((node) => !node.closest(".paper-schedule .chart") && [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim()))
  .map((node) => getComputedStyle(node).fontSize)"""  # noqa: E501
TYPE = {"12px", "13px", "15px", "18px", "24px"}
SIZE = "() => parseFloat(getComputedStyle(document.querySelector('.paper .says')).fontSize)"
TWICE = (
    "() => { const ids = [...document.querySelectorAll('[id]')].map((one) => one.id); return ids.length - "
    "new Set(ids).size; }"
)
WIDE = "() => document.documentElement.scrollWidth"


def computed(page: Page) -> None:
    """Wait until an experiment is run and its pictures and schedules are drawn."""
    expect(page.locator(".paper-answer", has_text="Computed now.")).to_be_visible(timeout=dashboard.READY_MS)
    expect(page.locator(".paper-picture .cartesianlayer .subplot").first).to_be_attached(
        timeout=dashboard.READY_MS
    )
    expect(page.locator("#paper-charts img.schedule").first).to_be_visible(timeout=dashboard.READY_MS)


def fits(page: Page, width: int) -> None:
    """Nothing is wider than a window that becomes as narrow as this."""
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function(f"width => ({WIDE})() <= width", arg=width)
    page.set_viewport_size(before)


def says_its_version(page: Page) -> None:
    expect(page.locator(".version:visible").first).to_have_text(
        f"Gantry {VERSION}", timeout=dashboard.READY_MS
    )


def test_from_the_list_to_an_experiment_its_files_and_its_schedule_in_the_dashboard(
    page: Page, server: Server
) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server.url}/papers")
    expect(page.get_by_role("heading", level=1)).to_have_text("Papers")
    says_its_version(page)
    assert violations(page) == []
    fits(page, 360)
    dynamic = page.locator(".paper-summary").nth(2)
    dynamic.locator("summary").click()
    dynamic.get_by_role("link", name=phrase("browser.six_jobs_by_hand")).click()
    expect(page.locator(".paper-answer"), "what was recorded is there at once").to_contain_text(
        "numbers 17 of 17"
    )
    computed(page)
    assert violations(page) == []
    row = page.get_by_role("row", name=phrase("browser.average_waiting_time_under_score"))
    expect(row).to_contain_text("18.33 spaper 18.33 s ± 0.01 s")
    expect(row.locator(".lamp.good")).to_have_count(3)
    words = page.locator(".lamp-words")
    words.locator("summary").click()
    expect(words.locator("dt").last).to_be_visible()
    words.locator("summary").click()

    # Numbers and charts are taken away from one menu a card.
    menu = page.locator(".paper-picture .card-menu").first
    for entry, name, begin in (
        ("Numbers as CSV", "csv", b"Series,Source,"),
        ("Chart as PNG", "png", b"\x89PNG"),
        ("Chart as SVG", "svg", b"<svg"),
    ):
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

    # A menu by keyboard: its arrows are its own.
    head, first = menu.locator("summary"), menu.get_by_text("Chart as PNG")
    head.focus()
    page.keyboard.press("Enter")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(menu.get_by_text("Numbers as CSV")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(first).to_be_hidden()
    expect(head).to_be_focused()
    page.keyboard.press("Enter")
    expect(first).to_be_visible()
    page.locator("h1").click()
    expect(first).to_be_hidden()
    expect(page).to_have_url(f"{server.url}/papers/{HAND}")

    # Only five sizes of type; those of the charts of containers are the dashboard's.
    assert set(page.evaluate(SIZES)) <= TYPE
    page.keyboard.press("l")
    expect(page.locator(".paper-picture .xtick text").first).to_have_css("font-size", "18px")
    assert set(page.evaluate(SIZES)) <= TYPE
    page.keyboard.press("l")
    fits(page, 360)

    page.get_by_role("link", name=phrase("browser.run_this_paper"), exact=True).click()
    dashboard.drawn(page, 2)
    expect(page.locator("#lanes h3")).to_have_text(["fifo+slowstart", "priority-fifo(k1=1)+slowstart"])

    # The claim stands over the charts as a question, also after a reload, its answer folded.
    question = page.locator("#claim-question")
    expect(question).to_contain_text(phrase("papers.do_you_see_it"))
    expect(page).to_have_url(re.compile("claim=dynamic-priority"))
    page.reload()
    dashboard.drawn(page, 2)
    expect(question.locator(".lamp").first).to_be_hidden()
    question.locator("summary").click()
    expect(question.locator(".lamp.good").first).to_be_visible()
    assert violations(page) == []
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Papers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Papers")
    page.goto(f"{server.url}/papers/saf/nothing")
    expect(page.get_by_role("main")).to_contain_text(phrase("pages.this_address_has_no_page"))
    assert violations(page) == []
    assert [said for said in page.complaints if "404" not in said] == []
    page.complaints.clear()


def test_a_class_walks_through_the_gallery_by_keyboard_in_large_type(page: Page, server: Server) -> None:
    def at(name: str, claim: str = "") -> None:
        expect(page).to_have_url(f"{server.url}/papers/{name}{claim}")
        expect(page.locator("h1")).to_have_text(paper_experiments()[name].title)

    page.goto(f"{server.url}/papers/{SECOND}#claim-2")
    at(SECOND, "#claim-2")
    computed(page)
    expect(page.locator("#claim-2")).to_be_in_viewport()
    expect(page.locator("#claim-2")).to_have_attribute("data-asked", "yes")

    # Arrows in a table scroll it and leave the page where it is; elsewhere they go on, in large type. That is
    # chosen in a table too.
    page.locator(".claims-room").first.focus()
    page.keyboard.press("ArrowRight")
    small, large = page.evaluate(SIZE), page.get_by_role("button", name="Large type")
    page.keyboard.press("l")
    expect(large).to_have_attribute("aria-pressed", "true")
    page.evaluate("() => document.activeElement.blur()")
    assert page.evaluate(SIZE) > small
    at(SECOND, "#claim-2")
    page.keyboard.press("ArrowLeft")
    at(FIRST)
    computed(page)
    assert page.evaluate(SIZE) > small
    page.keyboard.press("ArrowRight")
    at(SECOND)
    page.reload()
    computed(page)
    expect(large).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("L")
    expect(large).to_have_attribute("aria-pressed", "false")

    # The next page has sliders of its own, and its other readings are folded.
    one = paper_experiments()[THIRD]
    assert (
        sensitivity_panel.has_sensitivity_panel(SECOND)
        and sensitivity_panel.has_sensitivity_panel(THIRD)
        and len(one.readings) > 1
    )
    page.locator("#sensitivity-title").click()
    expect(page.locator("#sensitivity-sliders .sensitivity-knob").first).to_be_visible()
    page.locator("#paper-after").click()
    at(THIRD)
    expect(page.locator("#sensitivity-claims tr")).to_have_count(
        len([claim for claim in one.claims if claim.basis != "formula"])
    )
    expect(page.locator("#sensitivity-sliders .sensitivity-knob")).to_have_count(
        len(sensitivity_parameters(THIRD))
    )
    others = page.locator("#paper-tried details").first
    expect(others).to_contain_text(f"({len(one.readings) - 1})", timeout=dashboard.READY_MS)
    others.locator("summary").click()
    expect(others.locator("h3")).to_have_text(
        [reading.title for reading in one.readings if reading is not one.shown]
    )
    assert page.evaluate(TWICE) == 0


# The claims are judged over more seeds where the answer over few came soon; how soon, the test says.
QUICK = "performance.now = () => 0"
SLOW = "() => { let now = 0; performance.now = () => (now += 10_000); }"


def judged(page: Page, of: str) -> None:
    """Wait until the lamps show an answer over the seeds of a slider at rest; of: what else it says."""
    page.locator("#sensitivity").scroll_into_view_if_needed()
    longest = 3 * dashboard.READY_MS  # on a machine that compiles the policies meanwhile
    expect(
        page.locator("#sensitivity-says", has_text=of).or_(page.locator("#sensitivity-error:not(:empty)"))
    ).to_be_visible(timeout=longest)
    expect(page.locator("#sensitivity-error")).to_be_empty()
    expect(page.locator("#sensitivity")).to_have_attribute("aria-busy", "false", timeout=longest)


def test_lamps_follow_a_slider_go_back_with_reset_and_say_that_the_server_is_away(
    page: Page, server: Server
) -> None:
    page.emulate_media(color_scheme="dark")
    page.add_init_script(QUICK)
    assert sensitivity_panel.has_sensitivity_panel(BENCH)
    page.goto(f"{server.url}/papers/{BENCH}")
    page.locator("#sensitivity-title").click()
    judged(page, "lit")
    assert violations(page) == []
    badges, error = page.locator("#sensitivity-claims .claim-badge-cell"), page.locator("#sensitivity-error")
    own, said = badges.all_inner_texts(), page.locator("#sensitivity-says").inner_text()
    assert "not judged yet" not in "".join(own)
    slider = page.get_by_role("slider", name="Fetch rate")
    slider.focus()
    page.keyboard.press("Home")
    judged(page, "(was")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^1 MB/s, instead of "))
    assert badges.all_inner_texts() != own
    page.get_by_role("button", name=phrase("browser.reset_experiments_own")).click()
    expect(page.locator("#sensitivity-says")).to_have_text(said, timeout=dashboard.READY_MS)
    assert badges.all_inner_texts() == own
    assert page.url.endswith(BENCH), "keys on a slider don't leave the page"
    fits(page, 360)

    page.evaluate(SLOW)
    page.route("**/jobs/sensitivity/*", lambda route: route.abort())
    slider.focus()
    page.keyboard.press("Home")
    expect(error).to_have_text(phrase("browser.server_does_not_answer_lamps"))
    page.unroute("**/jobs/sensitivity/*")
    page.keyboard.press("End")
    expect(error).to_be_hidden(timeout=dashboard.READY_MS)
    page.complaints.clear()


def test_a_point_of_a_map_is_computed_by_a_click_and_by_keyboard(page: Page, server: Server) -> None:
    paper, one = next(iter(headline_maps().items()))
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server.url}/papers/{paper}")
    page.locator(".folded", has=page.locator("#claim-map")).locator("summary").first.click()
    cells, says = page.locator(".claim-grid button"), page.locator("#map-says")
    expect(cells).to_have_count(len(one.x.values) * len(one.y.values))
    expect(page.locator("#map-sliders input")).to_have_count(2)
    assert violations(page) == []
    cells.nth(1).click()
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
    fits(page, 360)


@pytest.mark.everything
@pytest.mark.parametrize("width", [360, 1280, 1920])
@pytest.mark.parametrize(
    "path", ["/papers", f"/papers/{HAND}", f"/papers/{BENCH}", f"/papers/{next(iter(headline_maps()))}"]
)
def test_nothing_is_wider_than_the_window(page: Page, server: Server, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(server.url + path)
    if path.count("/") == 3:
        computed(page)
    assert page.evaluate(WIDE) <= width


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.everything
def test_a_page_is_at_most_three_screens(page: Page, server: Server, name: str) -> None:
    """Of 1280 x 720, once all of it is drawn."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.url}/papers/{name}")
    computed(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= 3 * 720
