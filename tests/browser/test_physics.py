"""The physics of a cluster as a user composes and sees it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.composer import Composer
from tests.browser.dashboard import DRAWN, READY_MS

TASK = {"memory_mb": 1024, "vcores": 1}
SLOW = {
    "version": 1,
    "name": "Slow to start",
    "cluster": {"nodes": [{"name": "worker", "count": 2, "memory_mb": 4096, "vcores": 4}], "launch_s": 3},
    "jobs": [{"name": "one", "maps": {"count": 4, **TASK, "duration_s": 10}}],
}


def fold(page: Page, title: str):
    return page.locator(".editor-fold").filter(has_text=title).first


def test_folds_are_closed_until_something_in_them_differs(composer: Composer) -> None:
    page = composer.page
    composer.begin_again()
    page.evaluate("() => { document.getElementById('editor-settings-section').open = true; }")
    for title in ("Launch and heartbeats", "Failures", "Lost nodes"):
        assert fold(page, title).get_attribute("open") is None
    composer.open("slow.json", SLOW)
    composer.until(lambda scenario: scenario == SLOW)
    expect(fold(page, "Launch and heartbeats")).to_have_attribute("open", "")
    assert fold(page, "Failures").get_attribute("open") is None


def test_an_object_is_switched_on_and_off_and_undone(composer: Composer) -> None:
    page = composer.page
    composer.begin_again()
    page.evaluate("() => { document.getElementById('editor-settings-section').open = true; }")
    fold(page, "Failures").locator("summary").click()
    probability = page.locator("[data-path='cluster.failures.probability']")
    expect(probability).to_be_hidden()
    page.locator("[data-path='cluster.failures']").check()
    composer.until(lambda scenario: scenario["cluster"].get("failures") == {})
    probability.fill("0.2")
    composer.until(lambda scenario: scenario["cluster"]["failures"] == {"probability": 0.2})
    probability.fill("")
    composer.until(lambda scenario: scenario["cluster"]["failures"] == {})
    page.locator("[data-path='cluster.failures']").uncheck()
    composer.until(lambda scenario: "failures" not in scenario["cluster"])
    page.click("#editor-undo")
    composer.until(lambda scenario: scenario["cluster"].get("failures") == {})


def test_outages_are_rows_and_a_wrong_node_is_said_in_its_row(composer: Composer) -> None:
    page = composer.page
    composer.begin_again()
    page.evaluate("() => { document.getElementById('editor-settings-section').open = true; }")
    fold(page, "Lost nodes").locator("summary").click()
    add = page.locator("[data-path='cluster.outages']")
    add.click()
    composer.until(lambda scenario: scenario["cluster"].get("outages") == [{"node": "worker-1", "lost_s": 60}])
    add.click()
    node = page.locator("[data-path='cluster.outages[1].node']")
    node.fill("worker-9")
    expect(fold(page, "Lost nodes").locator(".editor-inner-row").nth(1).locator(".editor-error").first).to_contain_text("no node of the cluster")
    node.fill("worker-2")
    page.locator("[data-path='cluster.outages[1].back_s']").fill("5 min")
    composer.until(lambda scenario: scenario["cluster"]["outages"][1] == {"node": "worker-2", "lost_s": 120, "back_s": 300})
    for _ in range(2):
        page.locator(".editor-inner-row button").first.click()
    composer.until(lambda scenario: "outages" not in scenario["cluster"])


def test_users_with_a_limit_of_their_own_are_rows(composer: Composer) -> None:
    page = composer.page
    composer.begin_again()
    page.evaluate("() => { document.getElementById('editor-settings-section').open = true; }")
    fold(page, "Users' running jobs").locator("summary").click()
    page.locator("[data-path='users']").click()
    composer.until(lambda scenario: scenario.get("users") == [{"name": "default", "max_running_apps": 1}])
    page.locator("[data-path='users[0].max_running_apps']").fill("2")
    composer.until(lambda scenario: scenario["users"] == [{"name": "default", "max_running_apps": 2}])
    fold(page, "Users' running jobs").locator(".editor-inner-row button").click()
    composer.until(lambda scenario: "users" not in scenario)


def test_launching_is_drawn_and_in_the_legend_where_a_run_has_it(composer: Composer) -> None:
    page = composer.page
    composer.begin_again()
    launching = page.locator("#legend [data-phase='launching']")
    expect(launching).to_be_hidden()
    composer.open("slow.json", SLOW)
    composer.until(lambda scenario: scenario == SLOW)
    page.locator("button:has-text('Run')").first.click()
    expect(page.locator(f"{DRAWN} .p-launching").first).to_be_attached(timeout=READY_MS)
    expect(launching).to_be_visible()
    expect(page.locator("#legend [data-phase='down']")).to_be_hidden()
