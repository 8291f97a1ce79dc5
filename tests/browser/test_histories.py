"""A cluster's history opened on the page: an archive, what is broken, and what was measured first in the
charts.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.composer import RECORDED, SCENARIO, Composer
from tests.browser.dashboard import READY_MS
from tests.phrases import phrase

ARCHIVE = RECORDED / "fair-equal-1-history.tar.gz"


def test_histories_are_opened_run_and_left_out(composer: Composer, tmp_path: Path) -> None:
    page, message, undo = (
        composer.page,
        composer.page.locator("#editor-message"),
        composer.page.locator("#editor-undo"),
    )
    # What is broken, or cancelled, changes nothing.
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(b"\x1f\x8b" + bytes(40))
    composer.choose(cut)
    expect(message).to_contain_text(phrase("browser.your_draft_as_was"))
    assert composer.scenario() == SCENARIO
    page.route("**/editor/open", lambda route: None)  # it never answers
    composer.choose(ARCHIVE)
    message.get_by_role("button", name="Cancel").click()
    expect(message).to_contain_text(phrase("browser.cancelled_your_draft_as_was"))
    assert composer.scenario() == SCENARIO
    page.unroute("**/editor/open")

    # What a collector brought opens, each with the scheduler it ran under.
    for name in ("capacity-mixed-1", "fair-mixed-1"):
        composer.choose(RECORDED / f"{name}.tar.gz")
        expect(message).to_contain_text(f"Opened {name}.tar.gz.")
        composer.until(lambda scenario: len(scenario["jobs"]) == 14 and "measured" in scenario)
        assert composer.draft()["schedulers"][1].startswith(name.split("-")[0])
    for _ in range(2):
        undo.click()
    composer.until(lambda scenario: scenario == SCENARIO)

    # An archive runs with what was measured first.
    composer.choose(ARCHIVE)
    expect(message).to_contain_text(f"Opened {ARCHIVE.name}.")
    composer.until(
        lambda scenario: len(scenario["jobs"]) == 14 and len(scenario["measured"]["jobs"]["finish_ms"]) == 14
    )
    assert composer.draft()["schedulers"] == ["measured", "fair"]
    expect(page.locator("#schedulers-measured")).to_contain_text("14 job histories")
    expect(page.locator("#editor-assumed-room")).to_be_visible()
    page.click("#run")
    expect(page.locator("#lanes h3")).to_have_text(["measured", "fair"], timeout=READY_MS)

    # Nodes that are others leave it out in a click.
    composer.write("nodes", 0, "memory_mb", "8 GB")
    expect(page.locator("#schedulers-measured")).to_contain_text(phrase("simulation.these_others_now"))
    page.get_by_role("button", name=phrase("browser.leave_out_and_compare_with_recorded")).click()
    page.wait_for_function("() => !gantry.state.draft.schedulers.includes('measured') && gantry.state.pinned")
    undo.click()
    composer.until(
        lambda scenario: "measured" in scenario and scenario["cluster"]["nodes"][0]["memory_mb"] != 8192
    )
    undo.click()
    composer.until(lambda scenario: scenario == SCENARIO)
