"""The editor as a user handles it, and a scenario to begin with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.dashboard import READY_MS

PATIENCE_S = 20  # only a failure waits so long
SETTLED_MS = 300  # an edit or an opened file is in the draft and in the tables
TASKS = {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 20}
SCENARIO = {
    "version": 1,
    "name": "Two jobs",
    "x_about": "About two jobs.",
    "x_ours": ["cluster.shuffle_mb_s", "jobs[1].maps.duration_s"],
    "cluster": {"nodes": [{"name": "worker", "count": 4, "memory_mb": 8192, "vcores": 8}]},
    "queues": [{"name": "root.prod", "weight": 2.0}, {"name": "root.dev"}],
    "jobs": [
        {"name": "alpha", "queue": "root.prod", "maps": TASKS, "reduces": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 10.0}},
        {"name": "beta", "queue": "root.dev", "arrival_s": 5.0, "maps": TASKS},
    ],
}


class Composer:
    """The compose column of a page, as a user handles it."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder

    def open(self, name: str, content: bytes | dict) -> None:
        """Choose a file with the Open button."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        with self.page.expect_file_chooser() as chooser:
            self.page.click("#editor-open")
        chooser.value.set_files(path)

    def begin_again(self) -> None:
        """SCENARIO in the column of a page that other tests have worked on."""
        self.page.keyboard.press("Escape")
        self.page.wait_for_timeout(SETTLED_MS)
        if self.scenario() != SCENARIO:
            self.open("two-jobs.json", SCENARIO)
            self.until(lambda scenario: scenario == SCENARIO)
            self.page.wait_for_timeout(SETTLED_MS)
        expect(self.cell("jobs", 1, "name")).to_have_text("beta")

    def cell(self, table: str, row: int, path: str) -> Locator:
        return self.page.locator(f'#editor-{table} .ag-row[row-index="{row}"] [col-id="{path}"]')

    def type(self, table: str, row: int, path: str, text: str) -> None:
        """Type into a cell as into a spreadsheet's: focus, type over, Enter."""
        self.focus(table, row, path)
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def focus(self, table: str, row: int, path: str) -> None:
        self.cell(table, row, path).scroll_into_view_if_needed()
        self.cell(table, row, path).click()

    def paste(self, text: str) -> None:
        """A paste as a spreadsheet's clipboard makes it."""
        script = """(text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
        self.page.evaluate(script, text)

    def copied(self) -> str:
        """What Ctrl+C puts on the clipboard."""
        script = """() => {
            const data = new DataTransfer();
            document.activeElement.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }));
            return data.getData("text/plain");
        }"""
        return self.page.evaluate(script)

    def kept(self) -> dict:
        return self.page.evaluate("() => JSON.parse(sessionStorage.getItem('draft'))")

    def scenario(self) -> dict:
        return self.kept()["scenario"]

    def until(self, wanted: Callable[[dict], Any]) -> dict:
        """The scenario once it is as wanted."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if wanted(self.scenario()):
                return self.scenario()
            time.sleep(0.05)
        raise AssertionError(f"the draft stayed {json.dumps(self.scenario())}")

    def shown(self, section: str) -> None:
        """Open a section that is closed at first."""
        self.page.locator(f"#editor-{section}-summary").click()
        expect(self.page.locator(f"button:has(#editor-{section}-summary)")).to_have_attribute("aria-expanded", "true")


def composing(page: Page, url: str, folder: Path) -> Composer:
    """The page with SCENARIO in the column."""
    page.goto(url)
    expect(page.locator("#editor-jobs .ag-row").first).to_be_visible(timeout=READY_MS)
    made = Composer(page, folder)
    made.open("two-jobs.json", SCENARIO)
    made.until(lambda scenario: scenario == SCENARIO)
    expect(made.cell("jobs", 1, "name")).to_have_text("beta")
    return made
