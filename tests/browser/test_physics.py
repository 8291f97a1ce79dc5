"""The physics of a cluster and the tree of its queues as a user composes and sees them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.composer import Composer
from tests.browser.dashboard import DRAWN, READY_MS
from tests.phrases import phrase

TASK = {"memory_mb": 1024, "vcores": 1}
SLOW = {
    "version": 1,
    "name": "Slow to start",
    "cluster": {"nodes": [{"name": "worker", "count": 2, "memory_mb": 4096, "vcores": 4}], "launch_s": 3},
    "jobs": [{"name": "one", "maps": {"count": 4, **TASK, "duration_s": 10}}],
}


def fold(page: Page, title: str) -> Locator:
    return page.locator(".editor-fold").filter(has_text=title).first


def test_folds_hold_switches_and_rows_and_what_a_run_has_is_in_the_legend(shared: Composer) -> None:
    composer, page = shared, shared.page
    page.evaluate("() => { document.getElementById('editor-settings-section').open = true; }")
    for title in ("Launch and heartbeats", "Failures", "Lost nodes"):
        assert fold(page, title).get_attribute("open") is None

    # An object is switched on and off, and undone.
    fold(page, "Failures").locator("summary").click()
    switch, probability = (
        page.locator("[data-path='cluster.failures']"),
        page.locator("[data-path='cluster.failures.probability']"),
    )
    expect(probability).to_be_hidden()
    switch.check()
    composer.until(lambda scenario: scenario["cluster"].get("failures") == {})
    probability.fill("0.2")
    composer.until(lambda scenario: scenario["cluster"]["failures"] == {"probability": 0.2})
    probability.fill("")
    composer.until(lambda scenario: scenario["cluster"]["failures"] == {})
    switch.uncheck()
    composer.until(lambda scenario: "failures" not in scenario["cluster"])
    page.click("#editor-undo")
    composer.until(lambda scenario: scenario["cluster"].get("failures") == {})
    switch.uncheck()

    # Outages are rows, and a wrong node is said in its row.
    fold(page, "Lost nodes").locator("summary").click()
    add = page.locator("[data-path='cluster.outages']")
    add.click()
    composer.until(
        lambda scenario: scenario["cluster"].get("outages") == [{"node": "worker-1", "lost_s": 60}]
    )
    add.click()
    node = page.locator("[data-path='cluster.outages[1].node']")
    node.fill("worker-9")
    expect(
        fold(page, "Lost nodes").locator(".editor-inner-row").nth(1).locator(".editor-error").first
    ).to_contain_text(phrase("browser.no_node_cluster"))
    node.fill("worker-2")
    page.locator("[data-path='cluster.outages[1].back_s']").fill("5 min")
    composer.until(
        lambda scenario: (
            scenario["cluster"]["outages"][1] == {"node": "worker-2", "lost_s": 120, "back_s": 300}
        )
    )
    for _ in range(2):
        page.locator(".editor-inner-row button").first.click()
    composer.until(lambda scenario: "outages" not in scenario["cluster"])

    # Users with a limit of their own are rows.
    fold(page, "Users' running jobs").locator("summary").click()
    page.locator("[data-path='users']").click()
    composer.until(lambda scenario: scenario.get("users") == [{"name": "default", "max_running_apps": 1}])
    page.locator("[data-path='users[0].max_running_apps']").fill("2")
    composer.until(lambda scenario: scenario["users"] == [{"name": "default", "max_running_apps": 2}])
    fold(page, "Users' running jobs").locator(".editor-inner-row button").click()
    composer.until(lambda scenario: "users" not in scenario)

    # A fold opens where something in it differs; launching is drawn and in the legend where a run has it.
    launching = page.locator("#legend [data-phase='launching']")
    expect(launching).to_be_hidden()
    assert fold(page, "Launch and heartbeats").get_attribute("open") is None
    composer.open("slow.json", SLOW)
    composer.until(lambda scenario: scenario == SLOW)
    expect(fold(page, "Launch and heartbeats")).to_have_attribute("open", "")
    page.locator("button:has-text('Run')").first.click()
    expect(page.locator(f"{DRAWN} .p-launching").first).to_be_attached(timeout=READY_MS)
    expect(launching).to_be_visible()
    expect(page.locator("#legend [data-phase='down']")).to_be_hidden()


def drawn(line: Locator) -> tuple[float, float]:
    """Where a queue's part begins on its track, and how long it is, as shares of the track."""
    track, part = (
        line.locator(".queue-bar").bounding_box(),
        line.locator(".queue-bar > span").nth(1).bounding_box(),
    )
    return (part["x"] - track["x"]) / track["width"], part["width"] / track["width"]


def named(composer: Composer, title: str) -> Locator:
    return composer.page.locator(
        "#editor-queues .editor-line", has=composer.page.locator(f'> summary[title="{title}"]')
    )


def test_queues_are_a_tree_to_scale_that_grows(shared: Composer) -> None:
    composer, page = shared, shared.page
    composer.shown("queues")
    prod, dev, default = (named(composer, f"root.{name}") for name in ("prod", "dev", "default"))
    expect(prod.locator(".queue-share")).to_have_text("50 % · 16 GB")
    assert drawn(prod) == pytest.approx((0, 0.5), abs=0.01) and drawn(dev) == pytest.approx(
        (0.5, 0.25), abs=0.01
    )
    composer.write("queues", 0, "capacity_pct", "60")
    page.click("[data-basis=capacity]")
    expect(prod.locator(".queue-share")).to_have_text("60 % · 19.2 GB")
    assert drawn(dev) == pytest.approx((0.6, 0.2), abs=0.01) and drawn(default) == pytest.approx(
        (0.8, 0.2), abs=0.01
    )
    page.click("[data-basis=weight]")
    expect(prod.locator(".queue-share")).to_have_text("50 % · 16 GB")

    # What is on by default can be turned off.
    may_be_killed = composer.field("queues", 0, "allow_preemption_from")
    composer.line("queues", 0).locator(".editor-fold > summary", has_text="Preemption").click()
    expect(may_be_killed).to_be_checked()
    may_be_killed.uncheck()
    composer.until(lambda scenario: scenario["queues"][0].get("allow_preemption_from") is False)
    may_be_killed.check()
    composer.until(lambda scenario: "allow_preemption_from" not in scenario["queues"][0])

    # The keyboard opens a queue; a fault keeps the tree.
    dev.locator("> summary").focus()
    page.keyboard.press("Enter")
    expect(dev.locator('[data-path="weight"]')).to_be_visible()
    composer.write("queues", 1, "weight", "much")
    expect(page.locator("#editor-faults-summary")).to_contain_text("1 error")
    expect(dev.locator(".queue-share")).to_have_text("")
    expect(page.locator("#editor-queues .editor-line")).to_have_count(4)
    composer.write("queues", 1, "weight", "1")
    expect(dev.locator(".queue-share")).to_have_text("25 % · 8 GB")

    # It grows below a queue, whose name is typed over while its line stays open, and where one is implied.
    composer.line("queues", 1).get_by_role("button", name="Add below").click()
    composer.until(
        lambda scenario: (
            [queue["name"] for queue in scenario["queues"]] == ["root.prod", "root.dev", "root.dev.queue"]
        )
    )
    expect(named(composer, "root.dev.queue").locator('[data-path="name"]')).to_be_focused()
    expect(named(composer, "root.dev.queue").locator(".queue-share")).to_have_text("25 % · 8 GB")
    page.keyboard.type("a.b")
    page.keyboard.press("Tab")
    composer.until(lambda scenario: scenario["queues"][-1]["name"] == "root.dev.a.b")
    expect(named(composer, "root.dev.a.b").locator('[data-path="weight"]')).to_be_focused()
    root = named(composer, "root")
    root.locator("> summary").click()
    expect(root).to_contain_text("The whole cluster")
    root.get_by_role("button", name="Set its fields").click()
    composer.until(lambda scenario: scenario["queues"][-1] == {"name": "root"})
    expect(root.locator('[data-path="name"]')).to_be_focused()
