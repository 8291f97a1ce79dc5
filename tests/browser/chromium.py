"""The system's Chromium, driven by playwright; nothing is downloaded."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

# The shell has no browser's own window: an eighth less work a page.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def launched(*extra: str) -> Iterator[Browser]:
    """A headless browser; RuntimeError when the machine has none."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        raise RuntimeError("No Chromium on this machine: `make test` installs it from the system's packages.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[*QUIET, *extra])
        try:
            yield browser
        finally:
            browser.close()


def visitor_of(browser: Browser, **more: Any) -> BrowserContext:
    """A visitor's browser of its own, allowed to copy: the headless shell, which can't ask its user, refuses
    what is not granted.
    """
    usual = {
        "viewport": {"width": 1440, "height": 900},
        "locale": "en-GB",
        "permissions": ["clipboard-read", "clipboard-write"],
    }
    return browser.new_context(**usual | more)


def forget(page: Page, addresses: set[str]) -> None:
    """Closes a page; of those addresses its browser keeps the files, and nothing that was stored."""
    context = page.context
    page.close()
    tools = context.new_cdp_session(context.pages[0])
    for address in addresses:
        tools.send(
            "Storage.clearDataForOrigin",
            {"origin": address, "storageTypes": "local_storage,indexeddb,cookies"},
        )
    tools.detach()


def watch(page: Page) -> list[str]:
    """The list that the page's console errors and uncaught exceptions will be added to."""
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    page.on("console", note)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors
