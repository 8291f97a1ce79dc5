"""What if: a slider moves the charts, rests on an exact run, goes into what is composed and comes back; curve
and goal.
"""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser import dashboard
from tests.browser.scenarios import SMALL
from tests.browser.server import Server
from tests.browser.sliders import LONG_MS, NODES, PREVIEW, RANGE, add, opened, rested, shows_again
from tests.phrases import phrase

RESET = phrase("browser.reset_value_last_run", NODES)


def test_sliders_move_the_charts_are_applied_undone_and_reset_found_and_answer_a_goal(
    page: Page, server: Server
) -> None:
    opened(page, server)
    slider, reason, of, summary = (
        page.locator(one) for one in (RANGE, "#run-reason", "#whatif-of", "#editor-nodes-summary")
    )
    expect(slider).to_be_focused()
    first, facts = dashboard.key(page), page.locator(".lane-facts").first.inner_text()
    held: list[Route] = []
    page.route("**/jobs/run/start", lambda route: held.append(route), times=1)  # the exact run waits
    page.keyboard.press("ArrowRight")
    expect(page.locator(PREVIEW)).to_have_count(1)
    expect(page.locator(".lane-facts").first).not_to_have_text(facts, use_inner_text=True)
    moved = page.locator(".lane-facts").first.inner_text()
    assert dashboard.key(page) == first
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    rested(page, first)
    assert page.locator(".lane-facts").first.inner_text() == moved
    expect(reason).to_have_text(f"Shown: {NODES} 3 instead of 2.")

    # A node is lost of what the slider shows: both are said. Back shows the slider's run again, and it starts
    # from where it did.
    moved = dashboard.key(page)
    dashboard.show(page, "Nodes")
    page.get_by_label("Node", exact=True).fill("node1-3")
    page.keyboard.press("Enter")
    rested(page, moved)
    expect(reason).to_have_text(phrase("browser.shown_instead_lost_at", NODES, 3, 2, "node1-3", "0:00"))
    lost = dashboard.key(page)
    page.get_by_role("button", name="Back", exact=True).click()
    rested(page, lost)
    assert dashboard.key(page) == moved
    expect(reason).to_have_text(f"Shown: {NODES} 3 instead of 2.")
    dashboard.show(page, "What if")
    page.get_by_role("button", name=RESET).click()
    shows_again(page, first)
    expect(reason).to_have_text("")

    # Run forgets what was moved.
    page.get_by_role("button", name=f"One step more: {NODES}").click()
    shows_again(page, moved)
    starts: list[Route] = []
    asks = lambda route: "whatif-base" in route.request.post_data
    page.route(
        "**/_dash-update-component*", lambda route: starts.append(route) if asks(route) else route.continue_()
    )
    with page.expect_request(lambda request: "whatif-base" in (request.post_data or "")):
        dashboard.run(page)
    assert dashboard.key(page) == first
    expect(slider).to_have_value("2")

    # Turned before its new start is known, it stays so. Applied, it is what is composed; undone, what is
    # shown is still the run of three nodes, and so are the sliders.
    slider.press("ArrowRight")
    expect(slider).to_have_value("3")
    for route in starts:
        route.continue_()
    page.unroute_all()
    shows_again(page, moved)
    page.click("#whatif-apply")
    expect(reason).to_have_text("")
    expect(summary).to_contain_text("3 nodes")
    expect(page.locator("#whatif-apply")).to_be_disabled()
    page.click("#editor-undo")
    expect(summary).to_contain_text("2 nodes")
    expect(of).to_contain_text(phrase("browser.draft_has_edits_not_in"))
    expect(slider).to_have_value("3")
    dashboard.run(page)
    expect(slider).to_have_value("2")
    expect(of).to_have_text(phrase("browser.sliders_and_curve_start_from"))

    # A draft that was edited and not run is another base than the headline's; applied, a value goes into that
    # draft, which is run.
    dashboard.load(
        page,
        {**SMALL, "cluster": {"nodes": [{"count": 5, "memory_mb": 4096, "vcores": 4}]}},
        ["fifo", "fair"],
    )
    expect(of).to_contain_text(phrase("browser.run_start_from_them"))
    expect(slider).to_have_value("2")
    add(page, "job: slow start")
    before = dashboard.key(page)
    slider.last.press("ArrowRight")
    rested(page, before)
    before = dashboard.key(page)
    page.click("#whatif-apply")
    rested(page, before)
    expect(reason).to_have_text("")
    expect(slider.first).to_have_value("5")
    page.click("#editor-undo")
    expect(reason).to_have_text(phrase("browser.inputs_changed_run_again"))
    for name in (NODES, "job: slow start"):
        page.get_by_role("button", name=f"Remove this slider: {name}").click()
    expect(page.locator(".whatif-row")).to_have_count(0)
    expect(page.locator("#whatif-curve")).to_be_hidden()

    # Slow start is found however it is written, and written into the names.
    dashboard.load(page, SMALL, ["fresh", "fair+slowstart(at=0.8)"])
    dashboard.run(page)
    page.click("#whatif-add")
    for typed in ("slowstart", "slow start", "slow-start job", "Slowstart"):
        page.fill("#whatif-add", typed)
        expect(page.get_by_role("option", name="job: slow start", exact=True)).to_be_visible()
    page.fill("#whatif-add", "slowstart")
    expect(page.get_by_role("option", name="fresh: slow start", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name="fair+slowstart(at=0.8): at", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name=NODES, exact=True)).to_have_count(0)
    before = dashboard.key(page)
    page.get_by_role("option", name=phrase("browser.all_schedulers_slow_start"), exact=True).click()
    value = page.get_by_label(phrase("browser.value_all_schedulers_slow_start"), exact=True)
    value.fill("0.5")
    value.press("Enter")
    rested(page, before)
    expect(page.locator("#lanes h3")).to_have_text(["fresh+slowstart(at=0.5)", "fair+slowstart(at=0.5)"])

    # Curve, goal, choices, and what is refused.
    dashboard.load(page, SMALL | {"name": "Curve"}, ["fifo", "fair"])
    dashboard.run(page)
    for remove in page.get_by_role("button", name="Remove this slider").all():
        remove.click()
    add(page, NODES)
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
    expect(answers.first).to_contain_text(phrase("browser.all_schedulers_nodes_instead_nodes", 3, 2))
    before = dashboard.key(page)
    add(page, "fair: resources")
    page.locator(".whatif-choice", has_text="memory").click()
    rested(page, before)
    expect(page.locator("#lanes h3")).to_have_text(["fifo", "fair(resources=memory)"])
    add(page, phrase("browser.job_memory_map"), " (MB)")
    value = page.get_by_label(phrase("browser.value_job_memory_map"), exact=True)
    value.fill("9999")
    value.press("Enter")
    expect(page.locator("#whatif-says")).to_contain_text("9999 fits no node")
