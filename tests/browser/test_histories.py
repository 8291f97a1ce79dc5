"""A cluster's history opened on the page: an archive, many files at once, what is broken, and what was measured first in the charts."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.composer import SCENARIO, Composer
from tests.browser.dashboard import READY_MS
from tests.conftest import ROOT

RECORDED = ROOT / "tests" / "hadoop" / "cluster" / "recorded"
ARCHIVE = RECORDED / "fair-equal-1-history.tar.gz"


def choose(composer: Composer, *files: Path) -> None:
    with composer.page.expect_file_chooser() as chosen:
        composer.page.click("#editor-open")
    chosen.value.set_files(list(files))


def test_an_archive_opens_with_what_was_measured_first(composer: Composer) -> None:
    page = composer.page
    choose(composer, ARCHIVE)
    expect(page.locator("#editor-message")).to_contain_text(f"Opened {ARCHIVE.name}.")
    composer.until(lambda scenario: len(scenario["jobs"]) == 14 and len(scenario["measured"]["jobs"]["finish_ms"]) == 14)
    assert page.evaluate("gantry.state.draft.schedulers") == ["measured", "fair"]
    expect(page.locator("#schedulers-measured")).to_contain_text("14 job histories")
    expect(page.locator("#editor-assumed-room")).to_be_visible()
    page.click("#run")
    expect(page.locator("#lanes")).to_contain_text("measured", timeout=READY_MS)
    words = page.locator("#lanes").inner_text()
    assert 0 <= words.index("measured") < words.index("fair")
    page.locator("#editor-undo").click()
    composer.until(lambda scenario: scenario == SCENARIO)


def test_what_is_broken_changes_nothing(composer: Composer, tmp_path: Path) -> None:
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(b"\x1f\x8b" + bytes(40))
    choose(composer, cut)
    expect(composer.page.locator("#editor-message")).to_contain_text("Your draft is as it was.")
    composer.until(lambda scenario: scenario == SCENARIO)


def test_opening_can_be_cancelled(composer: Composer, tmp_path: Path) -> None:
    page = composer.page
    page.route("**/editor/open", lambda route: None)  # it never answers
    choose(composer, ARCHIVE)
    cancel = page.locator("#editor-message").get_by_role("button", name="Cancel")
    expect(cancel).to_be_visible()
    cancel.click()
    expect(page.locator("#editor-message")).to_contain_text("cancelled. Your draft is as it was.")
    composer.until(lambda scenario: scenario == SCENARIO)


def test_nodes_that_are_others_leave_it_out_in_a_click(composer: Composer) -> None:
    page = composer.page
    choose(composer, ARCHIVE)
    composer.until(lambda scenario: "measured" in scenario)
    composer.write("nodes", 0, "memory_mb", "8 GB")
    expect(page.locator("#schedulers-measured")).to_contain_text("these are others now")
    page.get_by_role("button", name="Leave it out and pin the recorded result").click()
    page.wait_for_function("() => !gantry.state.draft.schedulers.includes('measured') && gantry.state.pinned")


@pytest.mark.parametrize("name", ["capacity-mixed-1", "fair-mixed-1"])
def test_what_a_collector_brought_opens(composer: Composer, name: str) -> None:
    choose(composer, RECORDED / f"{name}.tar.gz")
    composer.until(lambda scenario: len(scenario["jobs"]) == 14 and "measured" in scenario)
    assert composer.page.evaluate("gantry.state.draft.schedulers")[1].startswith(name.split("-")[0])
