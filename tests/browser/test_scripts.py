"""What the server's callbacks call by name is there in the page's scripts."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser import dashboard
from tests.browser.server import Server

MISSING = """async (address) => {
    const callbacks = await (await fetch(address)).json();
    const named = callbacks.map((one) => one.clientside_function).filter((one) => one && one.namespace === "gantry");
    if (!named.length) throw new Error("no callback names a function");
    return named.map((one) => one.function_name).filter((name) => typeof window.dash_clientside.gantry[name] !== "function");
}"""  # noqa: E501


def test_every_function_that_a_callback_names_is_there(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    assert page.evaluate(MISSING, f"{server.url}/_dash-dependencies") == []
