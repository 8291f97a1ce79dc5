"""The forms are found at once, and a batch begins from nothing: New, Add nodes, Add a job, Run."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine.dashboard import Allocation
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase
from webapp.runs.warm_up import FIRST_SCHEDULERS

DRAFT = "() => window.gantry.state.draft.scenario"
STATUS = f"Untitled: {len(FIRST_SCHEDULERS)} schedulers"
CUT_OFF = "(node) => [node.scrollWidth > node.clientWidth, node.title]"


def opened(page: Page, server: Server) -> dict:
    """The dashboard with the rail open; the draft's scenario."""
    dashboard.opened(page, server.url, len(FIRST_SCHEDULERS))
    dashboard.compose(page)
    expect(page.locator("#editor-faults-summary")).to_contain_text("No errors")
    return page.evaluate(DRAFT)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_the_forms_are_found_and_the_schedulers_beside_them(
    page: Page, server: Server, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    name = opened(page, server)["name"]
    edit = page.get_by_role("button", name="Edit", exact=True)
    expect(edit).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#rail-title")).to_have_text(name)
    for seen in ("#editor-new", "#editor-nodes-add", "#editor-queues-summary", "#schedulers"):
        expect(page.locator(seen)).to_be_in_viewport()
    expect(page.locator("#editor-jobs .editor-line").first).to_be_in_viewport()
    expect(page.locator("#schedulers-chosen")).to_be_hidden()

    # However far the forms are scrolled the schedulers stay; what they do is said once it is asked for.
    page.locator("#rail .version").scroll_into_view_if_needed()
    expect(page.locator("#schedulers")).to_be_in_viewport()
    page.click("#schedulers-about > summary")
    expect(page.locator("#schedulers-chosen li").first).to_be_in_viewport()
    assert violations(page, "#rail") == []

    # A long name is cut off beside the button, and is its own tooltip.
    long_name = 12 * "A long name "
    dashboard.load(page, {**page.evaluate(DRAFT), "name": long_name.strip()}, ["fifo"])
    dashboard.run(page)
    assert page.locator("#rail-title").evaluate(CUT_OFF) == [True, long_name.strip()]
    edit.click()
    expect(edit).to_have_attribute("aria-expanded", "false")
    expect(edit).to_have_text("Edit")


def test_three_clicks_make_a_batch_that_runs(page: Page, server: Server) -> None:
    before = opened(page, server)
    page.click("#editor-new")
    reason, status, run = (page.locator(f"#{id}") for id in ("run-reason", "editor-faults-summary", "run"))
    for said in (reason, status):
        expect(said).to_have_text(phrase("editor.add_nodes_and_job_to_run"))
    expect(run).to_have_class("run-button is-blocked is-off")
    for add in ("nodes", "jobs"):
        expect(page.locator(f"#editor-{add}-add small")).to_be_in_viewport()
        expect(page.locator(f"#editor-{add}-faults")).to_be_hidden()
    assert violations(page, "#rail") == []

    # Run leads to what is missing; the charts stay.
    key = dashboard.key(page)
    run.click()
    expect(page.locator("#editor-nodes-add")).to_be_focused()
    assert dashboard.key(page) == key

    # An empty scenario is kept over a reload, beside charts.
    dashboard.opened(page, server.url, len(FIRST_SCHEDULERS))
    expect(reason).to_have_text(phrase("editor.add_nodes_and_job_to_run"))

    page.click("#editor-nodes-add")
    expect(reason).to_have_text(phrase("editor.add_job_to_run"))
    page.click("#editor-jobs-add")
    expect(status).to_have_text("No errors")
    expect(page.locator("#editor-jobs-add small")).to_be_hidden()
    expect(page.locator("#editor .editor-line[open]")).to_have_count(0)
    assert dashboard.run(page).startswith(STATUS)
    expect(page.locator("#lanes .chart").first).to_be_visible()
    assert len(page.evaluate(DRAFT)["jobs"]) == 1

    # The buttons go on adding, with a form.
    page.click("#editor-jobs-add")
    expect(page.locator("#editor-jobs .editor-line").nth(1).locator("[data-path=name]")).to_be_focused()
    page.click("#editor-nodes-add")
    expect(page.locator("#editor-nodes .editor-line").nth(1).locator("[data-path=name]")).to_be_focused()

    # Undo brings the batch from before back.
    for _ in range(5):
        page.click("#editor-undo")
    assert page.evaluate(DRAFT) == before
    expect(page.locator("#editor-undo")).to_be_disabled()
    expect(page.locator("#editor-jobs .editor-line")).to_have_count(len(before["jobs"]))


def test_a_new_batch_rounds_as_hadoop_does_and_another_says_what_it_does_not(
    page: Page, server: Server
) -> None:
    opened(page, server)
    page.click("#editor-new")
    for add in ("nodes", "jobs"):
        page.click(f"#editor-{add}-add")
    status = page.locator("#editor-faults-summary")
    expect(status).to_have_text("No errors")
    draft = page.evaluate(DRAFT)
    assert draft["cluster"]["allocation"] == Allocation().model_dump()
    maps = {**draft["jobs"][0]["maps"], "memory_mb": 1500}
    odd = {**draft, "jobs": [{**draft["jobs"][0], "maps": maps}]}
    dashboard.load(page, odd, ["fifo"])
    dashboard.run(page)
    expect(status).to_have_text("No errors")

    # Without an allocation, as in files and links of before, nothing is rounded, and that is said.
    bare = {**odd, "cluster": {key: odd["cluster"][key] for key in odd["cluster"] if key != "allocation"}}
    dashboard.load(page, bare, ["fifo"])
    expect(status).to_contain_text(phrase("simulation.requests_are_not_rounded"))
    assert violations(page, "#rail") == []
    status.click()
    page.get_by_role("button", name=phrase("simulation.would_be_rounded_up", "1,500 MB", "2,048 MB")).click()
    expect(page.locator("#editor-settings [data-path^='cluster.allocation']").first).to_be_in_viewport()


def test_a_batch_from_nothing_by_keyboard(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url, len(FIRST_SCHEDULERS))
    page.locator("#turn-rail").focus()
    page.keyboard.press("Enter")
    page.locator("#editor-new").focus()
    for reached in ("editor-nodes-add", "editor-jobs-add", "run"):
        page.keyboard.press("Enter")
        expect(page.locator(f"#{reached}")).to_be_focused()
    expect(page.locator("#run")).to_have_class("run-button is-stale")
    page.keyboard.press("Enter")
    expect(page.locator("#run-status")).to_contain_text(STATUS)

    # A list that was emptied is begun by the same button.
    lines = page.locator("#editor-jobs .editor-line > summary")
    expect(lines).to_have_count(1)
    lines.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator("#run-reason")).to_have_text(phrase("editor.add_job_to_run"))
    page.locator("#editor-jobs-add").press("Enter")
    expect(page.locator("#run")).to_be_focused()


def test_on_a_telephone_all_of_it_is_in_the_pane(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    dashboard.opened_narrow(page, server.url)
    page.get_by_role("button", name="Edit", exact=True).click()
    page.click("#editor-new")
    for seen in ("#editor-nodes-add small", "#editor-jobs-add small", "#schedulers"):
        expect(page.locator(seen)).to_be_in_viewport()
    page.click("#editor-nodes-add")
    page.click("#editor-jobs-add")
    expect(page.locator("#run")).to_have_class("run-button is-stale")
    page.click("#run")
    expect(page.locator("#run-status")).to_contain_text(STATUS)
    expect(page.locator("#workbench")).to_have_attribute("data-pane", "result")
