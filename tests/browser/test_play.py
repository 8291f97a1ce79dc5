"""Play: the cursor runs and steps, the boxes hold what runs then, and less motion is honoured."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from engine import Run, presets, simulate
from tests.browser import dashboard
from tests.browser.server import Server

CURSORS = "() => [...document.querySelectorAll('.chart .cursor:not([hidden])')].map((line) => line.style.transform)"
FIGURES = "#play .play-run"


@pytest.fixture(scope="module")
def found() -> list[Run]:
    """What the example shows under its four schedulers."""
    return [simulate(presets()[0].scenario, name) for name in ("fifo", "fair", "drf", "capacity")]


def at(page: Page) -> float:
    return float(page.locator("#play").get_attribute("data-at"))


def held(run: Run, ms: float) -> str:
    """Memory in MB and vcores of each node at an instant, as the figures' data tell it."""
    c, work = run.containers, run.workload
    there = (c.start <= ms) & (c.end > ms)
    request = 3 * c.job + c.kind
    sums = [np.bincount(c.node[there], size[request][there], len(work.node_names)).astype(int) for size in (work.request_memory, work.request_vcores)]
    return ",".join(f"{memory}/{vcores}" for memory, vcores in zip(*sums))


def stepped(page: Page, key: str, to: float) -> None:
    page.keyboard.press(key)
    page.wait_for_function("to => Number(document.getElementById('play').dataset.at) === to", arg=to)


def test_steps_go_from_decision_to_decision_and_the_boxes_hold_what_runs_then(page: Page, server: Server, found: list[Run]) -> None:
    dashboard.opened(page, server.url)
    times = np.unique(np.concatenate([run.containers.start for run in found])).tolist()
    page.get_by_role("button", name="Next decision (])").click()
    expect(page.locator(f"{FIGURES} canvas")).to_have_count(4)
    page.locator(".chart").first.focus()
    reached = times.index(at(page))
    for place in range(reached + 1, reached + 30):
        stepped(page, "]", times[place])
    stepped(page, "[", times[reached + 28])
    for number, run in enumerate(found):
        figure = page.locator(FIGURES).nth(number)
        expect(figure).to_have_attribute("data-held", held(run, times[reached + 28]))
        c = run.containers
        expect(figure).to_have_attribute("data-running", str(int(((c.start <= times[reached + 28]) & (c.end > times[reached + 28])).sum())))
    expect(page.locator(FIGURES).first).to_contain_text("s: worker-")
    assert len(page.evaluate(CURSORS)) == 4
    page.get_by_label("Time (s)").focus()
    page.keyboard.press("Home")
    stepped(page, "ArrowRight", next(time for time in times if time > 0))
    page.keyboard.press("End")
    expect(page.locator(FIGURES).first).to_have_attribute("data-running", "0")


def test_play_moves_the_cursor_and_space_stops_it(page: Page, server: Server, found: list[Run]) -> None:
    dashboard.opened(page, server.url)
    page.locator(".chart").first.focus()
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("data-playing", "true")
    page.wait_for_function("() => Number(document.getElementById('play').dataset.at) > 30000")
    moving = page.evaluate(CURSORS)
    page.wait_for_function("() => Number(document.getElementById('play').dataset.at) > 60000")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("data-playing", "false")
    stopped, cursors = at(page), page.evaluate(CURSORS)
    assert len(moving) == 4
    assert cursors != moving
    page.wait_for_timeout(300)
    assert (at(page), page.evaluate(CURSORS)) == (stopped, cursors)
    for number, run in enumerate(found):
        expect(page.locator(FIGURES).nth(number)).to_have_attribute("data-held", held(run, stopped))
    expect(page.locator("#play-says")).to_contain_text("of 8 nodes at work")
    page.get_by_label("Schedulers shown").select_option("fair")
    expect(page.locator(FIGURES)).to_have_count(1)
    expect(page.locator(FIGURES)).to_have_attribute("data-held", held(found[1], stopped))


def test_where_less_motion_is_asked_for_time_moves_once_a_second(page: Page, server: Server) -> None:
    page.emulate_media(reduced_motion="reduce")
    dashboard.opened(page, server.url)
    page.get_by_label("Speed").select_option("Real time")
    page.get_by_role("button", name="Play (Space)").click()
    expect(page.locator("#play-note")).to_contain_text("moves once a second")
    page.wait_for_function("() => Number(document.getElementById('play').dataset.at) === 2000")
    seen = page.evaluate(
        """async () => {
            const seen = new Set();
            for (let frame = 0; frame < 40; frame++) {
                await new Promise(requestAnimationFrame);
                seen.add(Number(document.getElementById('play').dataset.at));
            }
            return [...seen];
        }"""
    )
    assert all(time % 1000 == 0 for time in seen)
    page.get_by_role("button", name="Pause (Space)").click()
