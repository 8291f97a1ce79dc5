"""What if: a slider moves the charts, rests on an exact run, goes into what is composed and comes back; curve and goal."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server
from tests.browser.test_run import SMALL

NODES = "Nodes, total"
PREVIEW = "#lanes[data-passing]"
RANGE = ".whatif-row input[type=range]"
LONG_MS = 30_000


def opened(page: Page, server: Server) -> None:
    """A small run with a slider for its nodes."""
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.load(page, SMALL, ["fifo", "fair"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    add(page, NODES)


def add(page: Page, name: str, unit: str = "") -> None:
    page.click("#whatif-add")
    page.get_by_role("option", name=name + unit, exact=True).click()
    expect(page.get_by_role("group", name=name, exact=True)).to_be_visible()


def rested(page: Page, before: str) -> None:
    """Wait until the exact charts of another run have taken the preview's place."""
    page.wait_for_function("before => document.getElementById('lanes').dataset.key !== before", arg=before, timeout=LONG_MS)
    expect(page.locator(PREVIEW)).to_have_count(0, timeout=LONG_MS)


def test_a_slider_moves_the_charts_is_applied_and_undone(page: Page, server: Server) -> None:
    opened(page, server)
    expect(page.locator(RANGE)).to_be_focused()
    before, facts = dashboard.key(page), page.locator(".lane-facts").first.inner_text()
    page.evaluate("() => { const { run } = window.gantry; const { ask } = run; run.ask = (...what) => (window.askedAs = () => (run.ask = ask)(...what)); }")
    page.keyboard.press("ArrowRight")
    expect(page.locator(PREVIEW)).to_have_count(1)  # before any exact run
    expect(page.locator(".lane-facts").first).not_to_have_text(facts, use_inner_text=True)
    moved = page.locator(".lane-facts").first.inner_text()
    assert dashboard.key(page) == before
    page.wait_for_function("() => window.askedAs")
    page.evaluate("() => window.askedAs()")
    rested(page, before)
    assert page.locator(".lane-facts").first.inner_text() == moved
    expect(page.locator("#run-reason")).to_have_text(f"Shown: {NODES} 3 instead of 2.")
    page.click("#whatif-apply")
    expect(page.locator("#run-reason")).to_have_text("")
    expect(page.locator("#editor-nodes-summary")).to_contain_text("3 nodes")
    expect(page.locator("#whatif-apply")).to_be_disabled()
    page.click("#editor-undo")
    expect(page.locator("#editor-nodes-summary")).to_contain_text("2 nodes")
    # What is shown is still the run of three nodes, and so are the sliders and their curve.
    expect(page.locator("#whatif-of")).to_contain_text("the draft has edits that are not in it")
    expect(page.locator(RANGE)).to_have_value("3")
    dashboard.run(page)
    expect(page.locator(RANGE)).to_have_value("2")
    expect(page.locator("#whatif-of")).to_have_text("Sliders and curve start from the last run.")


def test_a_node_is_lost_of_what_a_slider_shows_and_back(page: Page, server: Server) -> None:
    """Both are said; Back shows the slider's run again, and the slider then starts from where it did."""
    opened(page, server)
    first = dashboard.key(page)
    page.locator(RANGE).press("ArrowRight")
    rested(page, first)
    moved, shown = dashboard.key(page), page.locator("#run-reason")
    dashboard.show(page, "Nodes")
    page.get_by_label("Node", exact=True).fill("node1-3")
    page.keyboard.press("Enter")
    rested(page, moved)
    expect(shown).to_have_text(f"Shown: {NODES} 3 instead of 2; node1-3 lost at 0:00.")
    lost = dashboard.key(page)
    page.get_by_role("button", name="Back", exact=True).click()
    rested(page, lost)
    assert dashboard.key(page) == moved
    expect(shown).to_have_text(f"Shown: {NODES} 3 instead of 2.")
    dashboard.show(page, "What if")
    page.get_by_role("button", name=f"Reset to the value of the last run: {NODES}").click()
    page.wait_for_function("first => document.getElementById('lanes').dataset.key === first", arg=first, timeout=LONG_MS)


def test_sliders_and_curve_are_of_the_run_shown_whatever_the_draft_says(page: Page, server: Server) -> None:
    """A draft that was edited and not run is another base than the headline's; applied, a value goes into that draft, which is run."""
    opened(page, server)
    edited = {**SMALL, "cluster": {"nodes": [{"count": 5, "memory_mb": 4096, "vcores": 4}]}}
    dashboard.load(page, edited, ["fifo", "fair"])
    expect(page.locator("#whatif-of")).to_contain_text("run to start from them")
    expect(page.locator(RANGE)).to_have_value("2")
    add(page, "job: slow start")
    before = dashboard.key(page)
    page.locator(RANGE).last.press("ArrowRight")
    rested(page, before)
    before = dashboard.key(page)
    page.click("#whatif-apply")
    rested(page, before)
    expect(page.locator("#run-reason")).to_have_text("")
    expect(page.locator(RANGE).first).to_have_value("5")
    page.click("#editor-undo")
    expect(page.locator("#run-reason")).to_have_text("Inputs changed: run again.")


def test_slow_start_is_found_however_it_is_written_and_written_into_the_names(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, SMALL, ["fresh", "fair+slowstart(at=0.8)"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    page.click("#whatif-add")
    for typed in ("slowstart", "slow start", "slow-start job", "Slowstart"):
        page.fill("#whatif-add", typed)
        expect(page.get_by_role("option", name="job: slow start", exact=True)).to_be_visible()
    page.fill("#whatif-add", "slowstart")
    expect(page.get_by_role("option", name="fresh: slow start", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name="fair+slowstart(at=0.8): at", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name=NODES, exact=True)).to_have_count(0)
    before = dashboard.key(page)
    page.get_by_role("option", name="All schedulers: slow start", exact=True).click()
    value = page.get_by_label("Value: All schedulers: slow start", exact=True)
    value.fill("0.5")
    value.press("Enter")
    rested(page, before)
    expect(page.locator("#lanes h3")).to_have_text(["fresh+slowstart(at=0.5)", "fair+slowstart(at=0.5)"])


def test_reset_shows_the_last_run_and_run_forgets_what_was_moved(page: Page, server: Server) -> None:
    opened(page, server)
    first = dashboard.key(page)
    page.get_by_role("button", name=f"One step more: {NODES}").click()
    rested(page, first)
    page.get_by_role("button", name=f"Reset to the value of the last run: {NODES}").click()
    page.wait_for_function("first => document.getElementById('lanes').dataset.key === first", arg=first, timeout=LONG_MS)
    expect(page.locator("#run-reason")).to_have_text("")
    page.locator(f"{RANGE}").press("ArrowRight")
    rested(page, first)
    dashboard.run(page)
    assert dashboard.key(page) == first
    expect(page.locator(RANGE)).to_have_value("2")
    page.get_by_role("button", name=f"Remove this slider: {NODES}").click()
    expect(page.locator(".whatif-row")).to_have_count(0)
    expect(page.locator("#whatif-curve")).to_be_hidden()


def test_curve_goal_choices_and_what_is_refused(page: Page, server: Server) -> None:
    opened(page, server)
    graph = page.locator("#whatif-card .js-plotly-plot")
    expect(graph.locator(".scatterlayer .point").first).to_be_visible(timeout=LONG_MS)
    expect(page.locator("#whatif-card .question")).to_have_text(f"Makespan by {NODES}")
    expect(page.locator("#whatif-card .whatif-now")).to_be_visible()
    assert page.locator("#whatif-card .story").inner_text().count("Best at") == 1
    rows, curve = page.locator("#whatif-rows").bounding_box(), page.locator("#whatif-curve").bounding_box()
    assert curve["x"] >= rows["x"] + rows["width"]  # beside the sliders, so that the charts stay in view
    page.fill("#whatif-goal", "12.7")
    page.keyboard.press("Tab")
    answers = page.locator(".whatif-answers li")
    expect(answers).to_have_count(1, timeout=LONG_MS)
    expect(answers.first).to_contain_text("All schedulers: 3 nodes instead of 2 nodes")
    before = dashboard.key(page)
    add(page, "fair: resources")
    page.locator(".whatif-choice", has_text="memory").click()
    rested(page, before)
    expect(page.locator("#lanes h3")).to_have_text(["fifo", "fair(resources=memory)"])
    add(page, "job: memory of a map", " (MB)")
    value = page.get_by_label("Value: job: memory of a map", exact=True)
    value.fill("9999")
    value.press("Enter")
    expect(page.locator("#whatif-says")).to_contain_text("9999 fits no node")
