"""Queues in a real browser: a tree with parts of the cluster to scale, by weight and by capacity."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.composer import Composer


def drawn(line: Locator) -> tuple[float, float]:
    """Where a line's part begins on its track, and how long it is, as shares of the track."""
    track, part = line.locator(".queue-bar").bounding_box(), line.locator(".queue-bar > span").nth(1).bounding_box()
    return (part["x"] - track["x"]) / track["width"], part["width"] / track["width"]


def named(composer: Composer, title: str) -> Locator:
    return composer.page.locator("#editor-queues .editor-line", has=composer.page.locator(f'> summary[title="{title}"]'))


def test_parts_are_to_scale_by_weight_and_by_capacity(composer: Composer) -> None:
    composer.shown("queues")
    prod, dev, default = (named(composer, f"root.{name}") for name in ("prod", "dev", "default"))
    expect(prod.locator(".queue-share")).to_have_text("50 % · 16 GB")
    assert drawn(prod) == pytest.approx((0, 0.5), abs=0.01) and drawn(dev) == pytest.approx((0.5, 0.25), abs=0.01)
    composer.write("queues", 0, "capacity_pct", "60")
    composer.page.click("[data-basis=capacity]")
    expect(prod.locator(".queue-share")).to_have_text("60 % · 19.2 GB")
    assert drawn(dev) == pytest.approx((0.6, 0.2), abs=0.01) and drawn(default) == pytest.approx((0.8, 0.2), abs=0.01)
    composer.page.click("[data-basis=weight]")
    expect(prod.locator(".queue-share")).to_have_text("50 % · 16 GB")


def test_the_tree_grows_below_a_queue_and_where_one_is_implied(composer: Composer) -> None:
    composer.field("queues", 1, "weight")
    composer.line("queues", 1).get_by_role("button", name="Add below").click()
    composer.until(lambda scenario: [queue["name"] for queue in scenario["queues"]] == ["root.prod", "root.dev", "root.dev.queue"])
    expect(named(composer, "root.dev.queue").locator('[data-path="name"]')).to_be_focused()
    expect(named(composer, "root.dev.queue").locator(".queue-share")).to_have_text("25 % · 8 GB")
    named(composer, "root").locator("> summary").click()
    expect(named(composer, "root")).to_contain_text("The whole cluster")
    named(composer, "root").get_by_role("button", name="Set its fields").click()
    composer.until(lambda scenario: scenario["queues"][-1] == {"name": "root"})
    expect(named(composer, "root").locator('[data-path="name"]')).to_be_focused()


def test_the_keyboard_opens_a_queue_and_a_fault_keeps_the_tree(composer: Composer) -> None:
    composer.shown("queues")
    named(composer, "root.dev").locator("> summary").focus()
    composer.page.keyboard.press("Enter")
    expect(named(composer, "root.dev").locator('[data-path="weight"]')).to_be_visible()
    composer.write("queues", 1, "weight", "much")
    expect(composer.page.locator("#editor-faults-summary")).to_contain_text("1 error")
    expect(named(composer, "root.dev").locator(".queue-share")).to_have_text("")
    expect(composer.page.locator("#editor-queues .editor-line")).to_have_count(4)


def test_a_new_name_is_typed_over_and_its_line_stays_open_where_others_come_before_it(composer: Composer) -> None:
    composer.field("queues", 1, "weight")
    composer.line("queues", 1).get_by_role("button", name="Add below").click()
    expect(named(composer, "root.dev.queue").locator('[data-path="name"]')).to_be_focused()
    composer.page.keyboard.type("a.b")
    composer.page.keyboard.press("Tab")
    composer.until(lambda scenario: scenario["queues"][-1]["name"] == "root.dev.a.b")
    expect(named(composer, "root.dev.a.b").locator('[data-path="weight"]')).to_be_focused()


def test_what_is_on_by_default_can_be_turned_off(composer: Composer) -> None:
    may_be_killed = composer.field("queues", 0, "allow_preemption_from")
    composer.line("queues", 0).locator(".editor-fold > summary", has_text="Preemption").click()
    expect(may_be_killed).to_be_checked()
    may_be_killed.uncheck()
    composer.until(lambda scenario: scenario["queues"][0].get("allow_preemption_from") is False)
    may_be_killed.check()
    composer.until(lambda scenario: "allow_preemption_from" not in scenario["queues"][0])
