"""WCAG 2.2, levels A and AA, as far as axe can tell, of what a page shows just now."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser import dashboard

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}

# What a library does wrong and we can't fix: (rule, start of the selector, its issue). Nothing today.
KNOWN_ISSUES: tuple[tuple[str, str, str], ...] = ()


def violations(page: Page, within: str = "html") -> list[str]:
    """A line for each element that breaks a rule; the drawings, hidden from assistive technology as they are,
    take most of the time and are left out.
    """
    dashboard.wait_for_animations(page)  # before it has faded in, its colours are pale
    assert page.locator(":is(.main-svg, .moving):not([aria-hidden=true] *)").count() == 0
    report = (
        Axe()
        .run(page, context={"include": [within], "exclude": [".main-svg", ".moving"]}, options=RULES)
        .response
    )
    assert len(report["passes"]) > 5  # it did look
    lines = []
    for rule in report["violations"]:
        for node in rule["nodes"]:
            selector = " ".join(map(str, node["target"]))
            if not any(
                rule["id"] == known and selector.startswith(start) for known, start, _issue in KNOWN_ISSUES
            ):
                lines.append(f"{rule['id']}: {selector}: {node['html'][:200]}: {node['failureSummary']}")
    return lines
