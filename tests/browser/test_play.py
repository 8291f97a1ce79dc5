"""Play: the cursor runs and steps, the boxes hold what runs then, and less motion is honoured."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from engine import Run, Scenario, presets, quantities, simulate
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase

CURSORS = (
    "() => [...document.querySelectorAll('.chart .cursor:not([hidden])')].map((line) => line.style.transform)"
)
ANY = re.compile(".")
FIGURES = "#play-nodes .play-run"
LOST = phrase("browser.what_if_this_node_lost")
FRAMES = """async (count) => {
    const seen = new Set();
    for (let frame = 0; frame < count; frame++) {
        await new Promise(requestAnimationFrame);
        seen.add(Number(document.getElementById('play').dataset.at));
    }
    return [...seen];
}"""


@pytest.fixture(scope="module")
def found() -> list[Run]:
    """What the example shows under its four schedulers."""
    return [simulate(presets()[0].scenario, name) for name in ("fifo", "fair", "drf", "capacity")]


def at(page: Page) -> float:
    """The time that is shown, once one is."""
    expect(page.locator("#play")).to_have_attribute("data-at", ANY)
    return float(page.locator("#play").get_attribute("data-at"))


def held(run: Run, ms: float) -> list[str]:
    """What each node holds of its memory and vcores at an instant, as its box tells the pointer."""
    c, work = run.containers, run.workload
    there = (c.start <= ms) & (c.end > ms)
    request = 3 * c.job + c.kind
    sums = [
        np.bincount(c.node[there], size[request][there], len(work.node_names)).astype(int)
        for size in (work.request_memory, work.request_vcores)
    ]
    full = zip(
        sums[0].tolist(), work.node_memory.tolist(), sums[1].tolist(), work.node_vcores.tolist(), strict=True
    )
    return [
        phrase(
            "browser.in_use",
            quantities.memory(memory),
            quantities.memory(most),
            vcores,
            quantities.vcores(cores),
        )
        for memory, most, vcores, cores in full
    ]


def holds(page: Page, number: int, run: Run, ms: float) -> None:
    """Wait until a scheduler's boxes hold what its run does then, in words and in colour."""
    figure = page.locator(FIGURES).nth(number)
    c = run.containers
    expect(figure).to_have_attribute("data-running", str(int(((c.start <= ms) & (c.end > ms)).sum())))
    expect(figure.locator("rect.hit title")).to_contain_text(held(run, ms))
    assert (figure.locator("svg path[class^=p-]").count() > 0) == ((c.start <= ms) & (c.end > ms)).any()


def stepped(page: Page, key: str, to: float) -> None:
    page.keyboard.press(key)
    page.wait_for_function("to => Number(document.getElementById('play').dataset.at) === to", arg=to)


def test_time_steps_and_plays_and_the_boxes_hold_what_runs_then(
    page: Page, server: Server, found: list[Run]
) -> None:
    dashboard.opened(page, server.url)
    dashboard.show(page, "Nodes")
    times = np.unique(np.concatenate([run.containers.start for run in found])).tolist()
    page.get_by_role("button", name="Next decision (])").click()
    expect(page.locator(f"{FIGURES} svg")).to_have_count(4)
    page.locator(".chart").first.focus()
    reached = times.index(at(page))
    for place in range(reached + 1, reached + 12):
        stepped(page, "]", times[place])
    stepped(page, "[", times[reached + 10])
    for number, run in enumerate(found):
        holds(page, number, run, times[reached + 10])
    expect(page.locator(FIGURES).first).to_contain_text(" worker-")
    assert violations(page, "#drawer") == []
    assert len(page.evaluate(CURSORS)) == 4
    expect(page.locator(".chart .future:not([hidden])")).to_have_count(4)
    page.get_by_label("Time", exact=True).focus()
    page.keyboard.press("Home")
    stepped(page, "ArrowRight", next(time for time in times if time > 0))
    page.keyboard.press("End")
    expect(page.locator(FIGURES).first).to_have_attribute("data-running", "0")
    page.keyboard.press("Home")

    # Space plays and stops.
    playing = page.locator("#play")
    page.locator(".chart").first.focus()
    page.keyboard.press("Space")
    expect(playing).to_have_attribute("data-playing", "true")
    page.wait_for_function("() => Number(document.getElementById('play').dataset.at) > 30000")
    moving = page.evaluate(CURSORS)
    page.wait_for_function("() => Number(document.getElementById('play').dataset.at) > 60000")
    page.keyboard.press("Space")
    expect(playing).to_have_attribute("data-playing", "false")
    stopped, cursors = at(page), page.evaluate(CURSORS)
    assert len(moving) == 4 and cursors != moving
    assert page.evaluate(FRAMES, 20) == [stopped] and page.evaluate(CURSORS) == cursors
    for number, run in enumerate(found):
        holds(page, number, run, stopped)

    # Keys step and play while a decision is read, and the time is in the address meanwhile.
    page.mouse.click(*dashboard.on_bar(page, 0, number=5))
    expect(page.locator("#decision")).to_be_focused()
    before = page.evaluate("() => window.gantry.state.at")
    page.keyboard.press("]")
    page.wait_for_function("before => window.gantry.state.at !== before", arg=before)
    page.keyboard.press("Space")
    page.wait_for_function("() => window.gantry.state.playing")
    expect(page).to_have_url(re.compile(r"[?&]t=\d+"))
    page.keyboard.press("Space")
    page.wait_for_function("() => !window.gantry.state.playing")
    page.keyboard.press("Escape")
    dashboard.show(page, "Nodes")
    dashboard.show_only(page, 1)
    expect(page.locator(FIGURES)).to_have_count(1)
    holds(page, 0, found[1], at(page))

    # Where less motion is asked for, time moves once a second.
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name=phrase("browser.start_home")).click()
    dashboard.choose(page, "play-speed", "x1")
    page.get_by_role("button", name="Play (Space)").click()
    page.wait_for_function("() => Number(document.getElementById('play').dataset.at) === 2000")
    assert all(time % 1000 == 0 for time in page.evaluate(FRAMES, 40))
    page.get_by_role("button", name="Pause (Space)").click()


def test_a_node_is_lost_at_the_cursor_another_besides_and_both_go_into_the_draft(
    page: Page, server: Server, found: list[Run]
) -> None:
    """By keyboard: the run with the lost node, where the cursor stays, its makespans beside what they were;
    Back shows what was before.
    """
    dashboard.opened(page, server.url)
    dashboard.show(page, "Nodes")
    before, field, says = (
        dashboard.key(page),
        page.locator("#lose-node-name"),
        page.locator("#lose-node-says"),
    )
    back, reason, apply = (
        page.get_by_role("button", name="Back", exact=True),
        page.locator("#run-reason"),
        page.locator("#lose-node-apply"),
    )
    expect(page.get_by_role("combobox", name="Node", exact=True)).to_have_attribute("id", "lose-node-name")
    expect(page.locator("#lose-node-at")).to_have_text("at 0:00 (0 s)")

    def shows_again(key: str) -> None:
        page.wait_for_function("key => document.getElementById('lanes').dataset.key === key", arg=key)
        expect(back).to_be_hidden()
        expect(reason).to_have_text("")

    times = np.unique(np.concatenate([run.containers.start for run in found]))
    page.locator(".chart").first.focus()
    for ms in times[(times > 0) & (times <= 6000)].tolist():
        stepped(page, "]", ms)
    expect(page.locator("#lose-node-at")).to_have_text(re.compile(rf"^at 0:\d\d \({ms / 1000:g} s\)$"))
    field.fill("worker-2")
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.getElementById('lanes').dataset.key !== before", arg=before)
    plain = presets()[0].scenario.plain()
    plain["cluster"]["outages"] = [{"node": "worker-2", "lost_s": ms / 1000}]
    after = [simulate(Scenario.of(plain), run.scheduler) for run in found]
    length = lambda run: quantities.clock((run.until_ms - run.first_ms) / 1000)
    makespans = [(run.scheduler, length(run), length(other)) for run, other in zip(found, after)]
    words = ", ".join(
        f"{name} {now} as before" if now == was else f"{name} {now} instead of {was}"
        for name, was, now in makespans
    )
    shown = f"Shown: worker-2 lost at {quantities.clock(ms / 1000)}."
    expect(says).to_have_text(f"{shown} Makespan: {words}.")
    expect(reason).to_have_text(shown)
    assert at(page) == ms
    expect(page.locator(f"{FIGURES} svg .p-down").first).to_be_attached()
    page.get_by_role("button", name=LOST).click()
    expect(says).to_have_text(phrase("timeline.not_run_lost_already_at", "worker-2", f"{ms / 1000:g}"))
    back.press("Enter")
    shows_again(before)
    expect(field).to_be_focused()
    assert at(page) == ms

    # A click on a box chooses its node; another lost node comes besides; Back takes both.
    page.get_by_role("button", name=phrase("browser.start_home")).click()
    expect(page.locator("#lose-node-at")).to_have_text("at 0:00 (0 s)")
    begun: list[Route] = []
    losing: list[Route] = []

    def choose_and_lose(name: str) -> None:
        page.locator(f'{FIGURES} [data-node="{name}"]').first.click()
        expect(field).to_have_value(name)
        page.get_by_role("button", name=LOST).click()

    page.route("**/jobs/run/start", lambda route: route.continue_() if begun else begun.append(route))
    choose_and_lose("worker-3")
    expect(reason).to_have_text("Shown: worker-3 lost at 0:00.")
    page.route("**/charts/lost", lambda route: route.continue_() if losing else losing.append(route))
    with page.expect_request("**/charts/lost"):
        choose_and_lose("worker-5")
    shown_before = dashboard.key(page)
    begun[0].continue_()  # the first one's result comes while the second is asked for
    page.wait_for_function(
        "before => document.getElementById('lanes').dataset.key !== before", arg=shown_before
    )
    losing[0].continue_()
    page.unroute_all()
    lost = "; ".join(f"{name} lost at 0:00" for name in ("worker-3", "worker-5"))
    expect(reason).to_have_text(f"Shown: {lost}.")
    assert page.evaluate(
        "() => window.gantry.state.request.scenario.cluster.outages.map(({ node }) => node)"
    ) == ["worker-3", "worker-5"]
    back.click()
    shows_again(before)

    # Into the draft as one step: all that is shown, and it is run; of a draft with other edits the outage
    # alone, and it is not.
    draft = lambda: page.evaluate("() => window.gantry.state.draft")
    outages = lambda: [one["node"] for one in draft()["scenario"]["cluster"].get("outages", [])]
    same = (
        "() => window.gantry.same(window.gantry.asked(window.gantry.state.request), "
        "window.gantry.asked(window.gantry.state.draft))"
    )

    def lose(name: str) -> None:
        field.fill(name)
        page.get_by_role("button", name=LOST).click()
        expect(reason).to_have_text(f"Shown: {name} lost at 0:00.")

    expect(apply).to_be_hidden()
    own = draft()
    lose("worker-3")
    assert draft() == own
    apply.press("Enter")
    expect(apply).to_be_hidden()
    expect(reason).to_have_text("")
    assert page.evaluate(same) and outages() == ["worker-3"]
    lose("worker-5")
    page.evaluate(
        "() => window.gantry.commit({ ...window.gantry.state.draft, schedulers: ['fifo'] }, 'edit')"
    )
    apply.press("Enter")
    expect(apply).to_be_hidden()
    expect(reason).to_have_text(phrase("browser.inputs_changed_run_again"))
    assert (
        outages() == ["worker-3", "worker-5"]
        and draft()["schedulers"] == ["fifo"]
        and not page.evaluate(same)
    )
    page.locator(".chart").first.focus()
    page.keyboard.press("Control+z")
    page.wait_for_function("() => window.gantry.state.draft.scenario.cluster.outages.length === 1")
    expect(back).to_be_visible()
