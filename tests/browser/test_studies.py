"""Studies: a band and differences, a map whose cells set sliders, cancelled, followed over a reload, opened by its link and its file."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.chromium import watch
from tests.browser.server import Server
from tests.browser.test_run import SMALL
from tests.browser.test_whatif import LONG_MS, NODES, add

MAPS = "job: memory of a map"
DRAWN = SMALL | {
    "name": "Drawn",
    "jobs": [SMALL["jobs"][0] | {"count": 4, "maps": {"count": 6, "memory_mb": 1024, "vcores": 1, "duration_s": {"dist": "lognormal", "mean": 10, "sd": 3}}}],
}
ANSWER, PRICE, FILE = "#study-answer", "#study-price", "[data-study-file='study.json'][href]"


def opened(page: Page, server: Server, scenario: dict, first: int = 1, last: int = 5) -> None:
    """A run of two schedulers with a slider for its nodes over these values."""
    dashboard.opened(page, server.url)
    dashboard.load(page, scenario, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    add(page, NODES)
    for words, value in (("Lower", first), ("Upper", last)):
        end = page.get_by_label(f"{words} end of the range: {NODES}", exact=True)
        end.fill(str(value))
        end.press("Enter")


def choose(page: Page, which: str, name: str) -> None:
    page.click(f"#study-{which}")
    page.get_by_role("option", name=name, exact=True).click()


def run(page: Page, price: str) -> None:
    """Once what is to be run is said to be this large."""
    expect(page.locator(PRICE)).to_contain_text(price)
    page.click("#study-run")


def is_done(page: Page) -> None:
    expect(page.locator(FILE)).to_have_count(1, timeout=dashboard.READY_MS)


def test_band_differences_and_spread_then_link_and_file(page: Page, server: Server, browser: Browser, tmp_path: Path) -> None:
    opened(page, server, DRAWN)
    expect(page.locator("#whatif-card .story")).to_have_text(re.compile("^One seed can't tell"), timeout=LONG_MS)
    run(page, "2 schedulers × 5 values × 10 seeds: 100 runs.")
    is_done(page)
    expect(page.locator("#study-curve-head")).to_have_text("Makespan by Nodes, total, 10 seeds")
    expect(page.locator("#whatif-card")).to_be_hidden()
    graph = page.locator("#study-curve-graph .js-plotly-plot")
    assert graph.evaluate("graph => graph.data.filter((trace) => trace.fill === 'toself').length") == 2
    expect(page.locator("#study-differences tbody th")).to_have_count(1)
    expect(page.locator("#study-differences td").last).to_have_text(re.compile("^(clear|not told apart|the same)$"))
    expect(page.locator("#study-differences td").first).to_have_text(re.compile(r"^[+−]?[\d.]+ m?s"))
    expect(page.locator(ANSWER)).to_contain_text("At 2 nodes")
    page.locator(".whatif-row input[type=range]").press("ArrowRight")
    expect(page.locator(ANSWER)).to_contain_text("At 3 nodes")
    expect(page.locator("#study-spread-story")).to_have_text(re.compile("^Median at 3 nodes: fifo .* s; fair .* s.$"))
    expect(page.locator(".picture:has(#study-curve-graph) .whatif-now")).to_be_visible()

    said = page.locator("#study-curve-story").inner_text()
    page.wait_for_function("() => window.location.search.includes('study=10,0,20,makespan_s,1')")
    page.click("#share")
    expect(page.locator("#share-link")).to_have_value(re.compile(r"\?r=[0-9a-f]{16}.*study="))
    other = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    complaints = watch(other)
    other.goto(page.locator("#share-link").input_value())
    is_done(other)
    expect(other.locator("#study-curve-story")).to_have_text(said)
    expect(other.locator(ANSWER)).to_contain_text("At 3 nodes")
    with other.expect_download() as download:
        other.click(FILE)
    download.value.save_as(tmp_path / "study.json")

    dashboard.opened(other, server.url, 2)
    dashboard.compose(other)
    with other.expect_file_chooser() as chooser:
        other.get_by_role("button", name="Open", exact=True).click()
    chooser.value.set_files(tmp_path / "study.json")
    is_done(other)
    expect(other.locator("#study-curve-story")).to_have_text(said)
    assert not complaints
    other.context.close()


def test_jitter_is_offered_where_nothing_is_drawn_and_one_seed_goes_back(page: Page, server: Server) -> None:
    opened(page, server, SMALL)
    expect(page.locator(PRICE)).to_contain_text("add jitter to see how much is luck")
    choose(page, "jitter", "20 %")
    expect(page.locator(PRICE)).not_to_contain_text("jitter")
    run(page, "100 runs")
    is_done(page)
    expect(page.locator("#study-curve-head")).to_have_text("Makespan by Nodes, total, 10 seeds, jitter 20 %")
    page.click("#study-close")
    expect(page.locator("#study")).to_be_hidden()
    expect(page.locator("#whatif-card .question")).to_have_text(f"Makespan by {NODES}", timeout=LONG_MS)
    expect(page.locator("#whatif-card .story")).to_contain_text("Best at")  # nothing is drawn: one seed can tell


def test_a_map_s_cell_sets_both_sliders_by_pointer_and_keyboard(page: Page, server: Server) -> None:
    opened(page, server, DRAWN)
    add(page, MAPS, " (MB)")
    choose(page, "by", NODES)
    choose(page, "values", "at most 5")
    run(page, "2 schedulers × 5 values × 5 values × 10 seeds: 500 runs")
    is_done(page)
    expect(page.locator("#study-map-story")).to_have_text(re.compile("^(Of 25 cells|In none of 25 cells)"))
    grid = page.locator("#study-grid")
    grid.focus()
    expect(page.locator("#study-cell")).to_have_text(re.compile(rf"^{MAPS} \(MB\): 256, {NODES}: 1: "))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    nodes, memory = (page.locator(f".whatif-row[data-path='{path}'] input[type=range]") for path in ("cluster.nodes.total", "jobs[0].maps.memory_mb"))
    expect(nodes).to_have_value("3")
    expect(memory).to_have_value("256")
    expect(page.locator(ANSWER)).to_contain_text("At 256 MB and 3 nodes")
    box = grid.bounding_box()
    grid.click(position={"x": box["width"] - 4, "y": 4})
    expect(nodes).to_have_value("5")
    expect(memory).to_have_value("3072")
    expect(page.locator(ANSWER)).to_contain_text("At 3 GB and 5 nodes")


def test_it_fills_in_goes_on_after_a_reload_and_is_cancelled(page: Page, server: Server) -> None:
    opened(page, server, DRAWN, 1, 100)
    choose(page, "values", "at most 100")
    page.locator("#study-seeds").get_by_text("100", exact=True).click()
    run(page, "2 schedulers × 100 values × 100 seeds: 20,000 runs")
    expect(page.locator("#study-says")).to_have_text(re.compile(r"^[1-9][\d,]* of 20,000 runs…"), timeout=dashboard.READY_MS)
    expect(page.locator("#study-curve-head")).to_have_text("Makespan by Nodes, total, 100 seeds", timeout=LONG_MS)
    room = page.locator("#study-curve-room").bounding_box()["height"]
    page.wait_for_function("() => window.location.search.includes('study=')")
    page.reload()
    dashboard.drawn(page, 2)
    expect(page.locator("#study-says")).to_have_text(re.compile(r"^[1-9][\d,]* of 20,000 runs…"), timeout=dashboard.READY_MS)
    expect(page.locator("#study-curve-head")).to_have_text("Makespan by Nodes, total, 100 seeds", timeout=LONG_MS)
    assert abs(page.locator("#study-curve-room").bounding_box()["height"] - room) < 30  # a line of the story more or less
    page.click("#study-cancel")
    expect(page.locator("#study-says")).to_have_text("Cancelled: what is drawn is of the runs until then.", timeout=LONG_MS)
    expect(page.locator("#study-under-way")).to_be_hidden()
    expect(page.locator(FILE)).to_have_count(0)
