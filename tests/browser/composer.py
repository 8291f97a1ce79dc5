"""The editor as a user handles it, and a scenario to begin with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.dashboard import READY_MS, compose
from tests.conftest import ROOT

RECORDED = ROOT / "tests" / "hadoop" / "cluster" / "recorded"  # archives of a real cluster
INITIAL_WAIT_S = 20  # only a failure waits so long
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
        {
            "name": "alpha",
            "queue": "root.prod",
            "maps": TASKS,
            "reduces": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 10.0},
        },
        {"name": "beta", "queue": "root.dev", "arrival_s": 5.0, "maps": TASKS},
    ],
}


class Composer:
    """The editor of a page, as a user handles it."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder

    def open(self, name: str, content: bytes | dict) -> None:
        """Choose a file of this content with the Open button."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        self.choose(path)

    def choose(self, *files: Path) -> None:
        """Choose files with the Open button."""
        with self.page.expect_file_chooser() as chooser:
            self.page.click("#editor-open")
        chooser.value.set_files(list(files))

    def begin_again(self) -> None:
        """SCENARIO in the editor of a page that other tests have worked on."""
        for _ in range(2):  # an open cell, then the table
            self.page.keyboard.press("Escape")
        expect(self.page.locator("#editor-table")).to_be_hidden()
        if self.scenario() != SCENARIO:
            with self.page.expect_response("**/editor/check"):
                self.open("two-jobs.json", SCENARIO)
                self.until(lambda scenario: scenario == SCENARIO)
        expect(self.line("jobs", 1)).to_contain_text("beta")

    def line(self, section: str, number: int) -> Locator:
        """A line of a list, with its form; of queues those that are listed."""
        return self.page.locator(f"#editor-{section} .editor-line:not(.queue-implied)").nth(number)

    def field(self, section: str, number: int, path: str) -> Locator:
        """An input of a line's form, opened if it is not."""
        self.shown(section)
        line = self.line(section, number)
        if line.get_attribute("open") is None:
            line.locator("> summary").click()
        return line.locator(f'[data-path="{path}"]')

    def write(self, section: str, number: int, path: str, text: str) -> None:
        """Write into a field of a line's form and leave it."""
        self.field(section, number, path).fill(text)
        self.page.keyboard.press("Tab")

    def table(self, section: str) -> None:
        """Open a list as a table."""
        self.shown(section)
        self.page.click(f"#editor-{section}-table")
        expect(self.page.locator(f"#editor-{section}-grid .ag-row").first).to_be_visible()

    def cell(self, table: str, row: int, path: str) -> Locator:
        return self.page.locator(f'#editor-{table}-grid .ag-row[row-index="{row}"] [col-id="{path}"]')

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
        }"""  # noqa: E501
        self.page.evaluate(script, text)

    def copied(self) -> str:
        """What Ctrl+C puts on the clipboard."""
        script = """() => {
            const data = new DataTransfer();
            document.activeElement.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }));
            return data.getData("text/plain");
        }"""  # noqa: E501
        return self.page.evaluate(script)

    def draft(self) -> dict:
        """The draft."""
        return self.page.evaluate("() => window.gantry.state.draft")

    def scenario(self) -> dict:
        return self.draft()["scenario"]

    def until(self, condition: Callable[[dict], Any]) -> dict:
        """The scenario once it is as wanted."""
        deadline = time.monotonic() + INITIAL_WAIT_S
        while time.monotonic() < deadline:
            if condition(self.scenario()):
                return self.scenario()
            time.sleep(0.05)
        raise AssertionError(f"the draft stayed {json.dumps(self.scenario())}")

    def shown(self, section: str) -> None:
        """Open a section that is closed at first."""
        if self.page.locator(f"#editor-{section}-section").get_attribute("open") is None:
            self.page.locator(f"#editor-{section}-summary").click()


def composing(page: Page, url: str, folder: Path) -> Composer:
    """The page with SCENARIO in the editor."""
    page.goto(url)
    compose(page)
    composer = Composer(page, folder)
    expect(composer.line("jobs", 0)).to_be_visible(timeout=READY_MS)
    composer.open("two-jobs.json", SCENARIO)
    composer.until(lambda scenario: scenario == SCENARIO)
    expect(composer.line("jobs", 1)).to_contain_text("beta")
    return composer
