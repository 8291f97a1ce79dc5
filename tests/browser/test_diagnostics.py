"""A diagnostics line that is pasted in the drawer: told on the cluster that is shown, by keyboard, on a phone
and in the dark.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.engine.explanation.lines import masters
from tests.phrases import phrase

LIMIT = "yarn.scheduler.capacity.root.default.maximum-am-resource-percent"
STOPPED = "Queue root.default is STOPPED. Cannot accept submission of application: application_1_0007"


def test_a_pasted_line_is_told_on_the_cluster_that_is_shown(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.show(page, "Why")
    field = page.get_by_label(phrase("browser.paste_diagnostics_line"))
    field.focus()
    page.keyboard.insert_text(masters(limit=820))
    panel = page.get_by_role("region", name=phrase("browser.diagnostics_of_resourcemanager"))
    expect(panel).to_contain_text(LIMIT)
    expect(panel).to_contain_text(phrase("explanation.masters_of_queue_hold"))
    field.press("ControlOrMeta+a")
    page.keyboard.type(STOPPED)  # letters that are keys of the charts elsewhere
    expect(panel).to_contain_text("yarn.scheduler.capacity.root.default.state")
    expect(panel).not_to_contain_text(LIMIT)
    expect(page.locator("#workbench")).not_to_have_attribute("data-presenting", "")
    field.fill("")
    expect(page.locator("#diagnostics-answer")).to_be_empty()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_answer_fits_a_phone(browser: Browser, server: Server, scheme: str) -> None:
    with browser.new_context(viewport={"width": 360, "height": 780}, color_scheme=scheme) as context:
        page = context.new_page()
        dashboard.opened_narrow(page, f"{server.url}/?preset=wordcount&s=fair&tab=why&drawer=400")
        page.get_by_label(phrase("browser.paste_diagnostics_line")).fill(masters())
        panel = page.locator("#diagnostics")
        expect(panel).to_contain_text(LIMIT)
        assert panel.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert violations(page, "#diagnostics") == []
