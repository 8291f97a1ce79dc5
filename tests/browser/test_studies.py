"""Studies and the search for the best setting: asked, answered, cancelled, followed over a reload, opened by
link and file, and undone.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.conftest import visit
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.browser.sharing import shared
from tests.browser.sliders import LONG_MS, NODES, RANGE, add
from tests.phrases import phrase

MAPS = phrase("browser.job_memory_map")
DRAWN = SMALL | {
    "name": "Drawn",
    "jobs": [
        SMALL["jobs"][0]
        | {
            "count": 4,
            "maps": {
                "count": 6,
                "memory_mb": 1024,
                "vcores": 1,
                "duration_s": {"dist": "lognormal", "mean": 10, "sd": 3},
            },
        }
    ],
}
ANSWER, PRICE, FILE = "#study-answer", "#study-price", "[data-study-file='study.json'][href]"
SAYS, HEAD, STORY = "#study-says", "#study-curve-head", "#study-curve-story"
UNDER_WAY = re.compile(r"^[1-9][\d,]* of 20,000 runs…")


def opened(page: Page, server: Server, scenario: dict) -> None:
    """A run of two schedulers with a slider for its nodes."""
    dashboard.opened(page, server.url)
    dashboard.load(page, scenario, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    add(page, NODES)
    ranges(page, 1, 5)


def ranges(page: Page, first: int, last: int) -> None:
    """The values of the slider for nodes."""
    for words, value in (("Lower", first), ("Upper", last)):
        end = page.get_by_label(phrase("browser.end_range", words, NODES), exact=True)
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


def is_accessible(page: Page, scheme: str, within: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 1600})
    page.emulate_media(color_scheme=scheme)
    assert violations(page, within) == []
    page.set_viewport_size({"width": 1440, "height": 900})


def test_band_differences_and_spread_then_link_and_file(
    page: Page, server: Server, elsewhere: BrowserContext, tmp_path: Path
) -> None:
    opened(page, server, DRAWN)
    expect(page.locator("#whatif-card .story")).to_have_text(
        re.compile("^" + phrase("browser.one_seed_cant_tell")), timeout=LONG_MS
    )
    run(page, phrase("what_if.schedulers_values_seeds_runs_2", 2, 5, 10, 100))
    is_done(page)
    expect(page.locator(HEAD)).to_have_text(phrase("browser.makespan_by_nodes_total_seeds", 10))
    expect(page.locator("#whatif-card")).to_be_hidden()
    graph = page.locator("#study-curve-graph .js-plotly-plot")
    assert graph.evaluate("graph => graph.data.filter((trace) => trace.fill === 'toself').length") == 2
    expect(page.locator("#study-differences tbody th")).to_have_count(1)
    expect(page.locator("#study-differences td").last).to_have_text(
        re.compile("^(clear|no significant difference|the same)$")
    )
    expect(page.locator("#study-differences td").first).to_have_text(re.compile(r"^[+−]?[\d.]+ m?s"))
    expect(page.locator(ANSWER)).to_contain_text("At 2 nodes")
    page.locator(RANGE).press("ArrowRight")
    expect(page.locator(ANSWER)).to_contain_text("At 3 nodes")
    expect(page.locator("#study-spread-story")).to_have_text(
        re.compile("^" + phrase("browser.median_at_nodes_fifo_s", 3, ".*", ".*") + "$")
    )
    expect(page.locator(".picture:has(#study-curve-graph) .whatif-now")).to_be_visible()
    is_accessible(page, "dark", "#drawer")

    said = page.locator(STORY).inner_text()
    page.wait_for_function("() => window.location.search.includes('study=10,0,20,makespan_s,1')")
    link = shared(page)
    assert re.search(r"\?r=[0-9a-f]{16}.*study=", link)
    with visit(elsewhere) as other:
        other.goto(link)
        is_done(other)
        expect(other.locator(STORY)).to_have_text(said)
        expect(other.locator(ANSWER)).to_contain_text("At 3 nodes")
        with other.expect_download() as download:
            other.click(FILE)
        download.value.save_as(tmp_path / "study.json")

        other.click("#study-close")
        expect(other.locator("#study")).to_be_hidden()
        dashboard.compose(other)
        with other.expect_file_chooser() as chooser:
            other.get_by_role("button", name="Open", exact=True).click()
        chooser.value.set_files(tmp_path / "study.json")
        expect(other.locator("#study")).to_be_visible(timeout=dashboard.READY_MS)
        is_done(other)
        expect(other.locator(STORY)).to_have_text(said)


def test_jitter_then_a_map_whose_cells_set_sliders_then_a_large_one_followed_and_cancelled(
    page: Page, server: Server
) -> None:
    opened(page, server, SMALL)
    expect(page.locator(PRICE)).to_contain_text(phrase("browser.add_jitter_see_how_much"))
    choose(page, "jitter", "20 %")
    expect(page.locator(PRICE)).not_to_contain_text("jitter")
    run(page, "100 runs")
    is_done(page)
    expect(page.locator(HEAD)).to_have_text(phrase("browser.makespan_by_nodes_total_seeds_jitter", 10, 20))
    page.click("#study-close")
    expect(page.locator("#study")).to_be_hidden()
    expect(page.locator("#whatif-card .question")).to_have_text(f"Makespan by {NODES}", timeout=LONG_MS)
    # nothing is drawn: one seed can tell
    expect(page.locator("#whatif-card .story")).to_contain_text("Best at")
    choose(page, "jitter", "0 %")

    # A map's cells set both sliders, by keyboard and by pointer.
    dashboard.load(page, DRAWN, ["fifo", "fair"])
    dashboard.run(page)
    ranges(page, 1, 5)
    add(page, MAPS, " (MB)")
    choose(page, "by", NODES)
    choose(page, "values", "at most 5")
    run(page, phrase("browser.schedulers_values_values_seeds_runs", 2, 5, 5, 10, 500))
    is_done(page)
    expect(page.locator("#study-map-story")).to_have_text(re.compile("25 cells"))
    is_accessible(page, "light", "#study")
    grid = page.locator("#study-grid")
    grid.focus()
    expect(page.locator("#study-cell")).to_have_text(re.compile(rf"^{MAPS} \(MB\): 256, {NODES}: 1: "))
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    nodes, memory = (
        page.locator(f".whatif-row[data-path='{path}'] input[type=range]")
        for path in ("cluster.nodes.total", "jobs[0].maps.memory_mb")
    )
    expect(nodes).to_have_value("3")
    expect(memory).to_have_value("256")
    expect(page.locator(ANSWER)).to_contain_text(phrase("browser.at_mb_and_nodes", 256, 3))
    box = grid.bounding_box()
    grid.click(position={"x": box["width"] - 4, "y": 4})
    expect(nodes).to_have_value("5")
    expect(memory).to_have_value("3072")
    expect(page.locator(ANSWER)).to_contain_text(phrase("browser.at_gb_and_nodes", 3, 5))

    # A large study fills in, goes on after a reload and is cancelled.
    page.click("#study-close")
    page.get_by_role("button", name=f"Remove this slider: {MAPS}").click()
    dashboard.run(page)
    ranges(page, 1, 100)
    choose(page, "values", "at most 100")
    page.locator("#study-seeds").get_by_text("100", exact=True).click()
    run(page, phrase("browser.schedulers_values_seeds_runs", 2, 100, 100, "20,000"))
    expect(page.locator(SAYS)).to_have_text(UNDER_WAY, timeout=dashboard.READY_MS)
    expect(page.locator(HEAD)).to_have_text(
        phrase("browser.makespan_by_nodes_total_seeds", 100), timeout=LONG_MS
    )
    room = page.locator("#study-curve-room").bounding_box()["height"]
    page.wait_for_function("() => window.location.search.includes('study=')")
    page.reload()
    dashboard.drawn(page, 2)
    expect(page.locator(SAYS)).to_have_text(UNDER_WAY, timeout=dashboard.READY_MS)
    expect(page.locator(HEAD)).to_have_text(
        phrase("browser.makespan_by_nodes_total_seeds", 100), timeout=LONG_MS
    )
    # a line of the story more or less
    assert abs(page.locator("#study-curve-room").bounding_box()["height"] - room) < 30
    page.click("#study-cancel")
    expect(page.locator(SAYS)).to_have_text(
        phrase("browser.cancelled_what_drawn_runs_until"), timeout=LONG_MS
    )
    expect(page.locator("#study-under-way")).to_be_hidden()
    expect(page.locator(FILE)).to_have_count(0)


def test_a_search_is_asked_answered_opened_and_undone(page: Page, server: Server) -> None:
    """Two jobs of four maps on two nodes: more nodes and an earlier start of the reduces are no slower, so
    the best of all has more nodes.
    """
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.load(page, SMALL, ["fifo"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    page.locator("#best > summary").click()
    form, price, answer = (
        page.locator("#best-form"),
        page.locator("#best-price"),
        page.locator("#best-answer"),
    )
    expect(form).to_contain_text(phrase("browser.add_sliders_above_they_what"))
    expect(page.locator("#best-run")).to_be_disabled()
    add(page, NODES)
    add(page, "job: slow start")
    expect(form.get_by_role("checkbox")).to_have_count(2)
    form.get_by_label("Trials").select_option("20")
    form.get_by_label("Metric of constraint 1").select_option("max_wait_s")
    number = form.get_by_label("Number of constraint 1")
    number.fill("soon")
    expect(price).to_contain_text(phrase("browser.constraint_must_be_number_seconds", 1))
    number.fill("5 min")
    expect(price).to_contain_text("runs")
    number.press("Enter")
    expect(answer).to_contain_text(NODES, timeout=LONG_MS)
    expect(answer).to_contain_text("instead of 2")
    expect(answer).to_contain_text(phrase("browser.at_most_s_holds", "5 min"))
    is_accessible(page, "dark", "#best")
    before = dashboard.key(page)
    page.reload()
    dashboard.drawn(page, 1)
    expect(answer).to_contain_text("instead of 2")
    answer.get_by_role("button", name="Open this setting").click()
    page.wait_for_function("before => document.getElementById('lanes').dataset.key !== before", arg=before)
    expect(page.locator("#lanes h3")).to_have_count(2)
    dashboard.compose(page)
    expect(page.locator("#editor-nodes-summary")).not_to_contain_text("2 nodes")
    page.click("#editor-undo")
    expect(page.locator("#editor-nodes-summary")).to_contain_text("2 nodes")
