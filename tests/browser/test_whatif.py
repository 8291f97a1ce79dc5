"""What if: a slider moves the charts, rests on an exact run, goes into what is composed and comes back; curve and goal."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from engine import Scenario, with_overrides
from tests.browser import dashboard
from tests.browser.server import Server
from tests.browser.test_run import SMALL

NODES = "node1: nodes"
RANGE = ".whatif-row input[type=range]"
LONG_MS = 30_000


def opened(page: Page, server: Server) -> None:
    """A small run with a slider for its nodes."""
    dashboard.opened(page, server.url)
    dashboard.load(page, SMALL, ["fifo", "fair"])
    dashboard.run(page)
    add(page, NODES)


def add(page: Page, name: str, unit: str = "") -> None:
    page.click("#whatif-add")
    page.get_by_role("option", name=name + unit, exact=True).click()
    expect(page.get_by_role("group", name=name, exact=True)).to_be_visible()


def rested(page: Page, before: str) -> None:
    """Wait until the exact figures of another run have taken the preview's place."""
    other = "before => { const [gd] = document.querySelectorAll('#cards .js-plotly-plot'); return gd && gd.layout.meta.drawn.key !== before; }"
    page.wait_for_function(other, arg=before, timeout=LONG_MS)
    expect(page.locator("canvas.whatif-cover")).to_have_count(0, timeout=LONG_MS)


def test_a_slider_moves_the_charts_and_is_kept_and_undone(page: Page, server: Server) -> None:
    opened(page, server)
    expect(page.locator(RANGE)).to_be_focused()
    before, facts = dashboard.key(page), page.locator(".facts").first.inner_text()
    page.evaluate("() => { window.gantry.ask = ((ask) => (...what) => { window.askedAs = () => ask(...what); })(window.gantry.ask); }")
    page.keyboard.press("ArrowRight")
    expect(page.locator("canvas.whatif-cover")).to_have_count(2)  # the preview, before any exact run
    expect(page.locator(".facts").first).not_to_have_text(facts, use_inner_text=True)
    moved = page.locator(".facts").first.inner_text()
    assert dashboard.key(page) == before
    page.wait_for_function("() => window.askedAs")
    page.evaluate("() => window.askedAs()")
    rested(page, before)
    assert page.locator(".facts").first.inner_text() == moved
    expect(page.locator("#run-reason")).to_have_text(f"Shown: {NODES} 3 instead of 2.")
    page.get_by_role("button", name=f"Apply to the draft: {NODES}").click()
    expect(page.locator("#run-reason")).to_have_text("")
    expect(page.locator("#editor-nodes-summary")).to_contain_text("3 nodes")
    page.click("#editor-undo")
    expect(page.locator("#editor-nodes-summary")).to_contain_text("2 nodes")
    expect(page.locator(RANGE)).to_have_value("2")


def test_slow_start_is_found_however_it_is_written(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, SMALL, ["fresh", "fair+slowstart(at=0.8)"])
    page.click("#whatif-add")
    for typed in ("slowstart", "slow start", "slow-start job", "Slowstart"):
        page.fill("#whatif-add", typed)
        expect(page.get_by_role("option", name="job: slow start", exact=True)).to_be_visible()
    page.fill("#whatif-add", "slowstart")
    expect(page.get_by_role("option", name="fresh: slow start", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name="fair+slowstart(at=0.8): at", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name=NODES, exact=True)).to_have_count(0)


def test_back_shows_what_is_composed_and_run_forgets_what_was_moved(page: Page, server: Server) -> None:
    opened(page, server)
    first = dashboard.key(page)
    page.get_by_role("button", name=f"One step more: {NODES}").click()
    rested(page, first)
    page.get_by_role("button", name=f"Reset to the value of the draft: {NODES}").click()
    page.wait_for_function("first => document.querySelector('#cards .js-plotly-plot').layout.meta.drawn.key === first", arg=first, timeout=LONG_MS)
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
    page.fill("#whatif-goal", "12.7")
    page.keyboard.press("Tab")
    answers = page.locator(".whatif-answers li")
    expect(answers).to_have_count(2, timeout=LONG_MS)
    expect(answers.first).to_contain_text("3 nodes instead of 2 nodes")
    before = dashboard.key(page)
    add(page, "fair: resources")
    page.locator(".whatif-choice[data-choice=memory]").click()
    rested(page, before)
    expect(page.locator("#cards h3")).to_have_text(["fifo", "fair(resources=memory)"])
    add(page, "job: memory of a map", " (MB)")
    value = page.get_by_label("Value: job: memory of a map", exact=True)
    value.fill("9999")
    value.press("Enter")
    expect(page.locator("#whatif-says")).to_contain_text("9999 fits no node")


def test_the_page_writes_what_the_engine_would(page: Page, server: Server) -> None:
    """Paths are put in by a script when a value is kept; the engine's way is the slow twin."""
    opened(page, server)
    scenario = {**SMALL, "jobs": [{**SMALL["jobs"][0], "name": "a"}, {**SMALL["jobs"][0], "name": "b"}]}
    scenario["jobs"][1]["maps"] = {**SMALL["jobs"][0]["maps"], "duration_s": {"dist": "normal", "mean": 10, "sd": 2}}
    paths = [("cluster.nodes[0].count", 5), ("jobs[*].slowstart", 0.5), ("jobs[*].maps.duration_s.scale", 1.5), ("jobs[1].maps.duration_s.sd", 1), ("seed", 4)]
    for path, value in paths:
        script = "([draft, slider]) => window.gantryWhatif.move.kept(draft, slider)"
        kept = page.evaluate(script, [{"scenario": scenario, "schedulers": ["fifo"]}, {"path": path, "value": value}])
        assert Scenario.of(kept["scenario"]) == with_overrides(scenario, ["fifo"], [(path, value)])[0], path
