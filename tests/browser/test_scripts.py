"""What the server's callbacks call by name is there in the page's scripts."""

from __future__ import annotations

from playwright.sync_api import Page, Route

from tests.browser import dashboard
from tests.browser.server import Server
from webapp.services import bundle

MISSING = """async (address) => {
    const callbacks = await (await fetch(address)).json();
    const named = callbacks.map((one) => one.clientside_function).filter((one) => one && one.namespace === "gantry");
    if (!named.length) throw new Error("no callback names a function");
    return named.map((one) => one.function_name).filter((name) => typeof window.dash_clientside.gantry[name] !== "function");
}"""  # noqa: E501


def test_every_function_that_a_callback_names_is_there_in_whatever_order_scripts_stand(
    page: Page, server: Server
) -> None:
    """After those that the bundle puts first."""

    def turned(route: Route) -> None:
        answer = route.fetch()
        begin = bundle.SCRIPT.format(name="", text="TEXT").split("TEXT")[0]
        head, *parts = answer.text().split(begin)
        first = len(bundle.FIRST_SCRIPTS)
        assert len(parts) > 30
        route.fulfill(response=answer, body=begin.join([head, *parts[:first], *reversed(parts[first:])]))

    traffic = dashboard.Traffic(page)
    with page.expect_response("**/gantry.js"):
        page.route("**/gantry.js", turned)
        dashboard.opened(page, server.url)
    assert page.evaluate(MISSING, f"{server.url}/_dash-dependencies") == []
    dashboard.show(page, "What if")
    traffic.wait_until_idle()
