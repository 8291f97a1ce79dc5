"""Questions of one click: an answer, another beside it, what is wrong in a sentence, a copy in the charts, and back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.server import Server
from tests.engine.prediction.histories import history, truth

LONG_MS = 60_000
ANSWERS = ".questions-answer"


@pytest.fixture(scope="module")
def batch() -> dict:
    """A recorded batch on four nodes, in two queues."""
    plain = history(truth(6)).plain()
    plain["queues"] = [{"name": "root.a"}, {"name": "root.b"}]
    plain["jobs"] = [{**job, "queue": f"root.{'ab'[place % 2]}"} for place, job in enumerate(plain["jobs"])]
    return {**plain, "name": "Recorded"}


def opened(page: Page, server: Server, scenario: dict, schedulers: list[str]) -> None:
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.load(page, scenario, schedulers)
    dashboard.run(page)
    dashboard.show(page, "What if")


def ask(page: Page, title: str, answers: int) -> None:
    page.get_by_role("button", name=title, exact=True).click()
    expect(page.locator(ANSWERS)).to_have_count(answers, timeout=LONG_MS)


def test_a_click_answers_with_a_band_and_answers_stand_beside_each_other(page: Page, server: Server, batch: dict) -> None:
    opened(page, server, batch, ["measured", "fair"])
    expect(page.locator("#questions-of")).to_contain_text("with a band")
    ask(page, "More or fewer nodes", 1)
    expect(page.locator(".questions-table tbody tr")).to_have_count(2)
    expect(page.locator(ANSWERS).first).to_contain_text("5 nodes instead of 4, 1 more")
    expect(page.locator(ANSWERS).first).to_contain_text("held-out jobs")
    page.get_by_label("Nodes in all").fill("8")
    page.get_by_label("Price a node-hour").fill("0.40 EUR")
    page.get_by_label("Price a node-hour").press("Enter")
    expect(page.locator(ANSWERS)).to_have_count(2, timeout=LONG_MS)
    expect(page.locator(ANSWERS).first).to_contain_text("8 nodes instead of 4, 4 more")
    expect(page.locator(".questions-table")).to_contain_text("EUR")
    ask(page, "Slow start", 3)
    file = page.locator(f"{ANSWERS} a[download]").first
    assert file.get_attribute("download") == "mapred-site.xml" and "slowstart.completedmaps" in file.get_attribute("href")
    page.locator(f"{ANSWERS} [data-act=remove]").first.click()
    expect(page.locator(ANSWERS)).to_have_count(2)


def test_what_is_wrong_is_a_sentence_and_nothing_is_lost(page: Page, server: Server, batch: dict) -> None:
    opened(page, server, batch, ["measured", "fair"])
    ask(page, "More or fewer nodes", 1)
    field = page.get_by_label("Nodes in all")
    field.fill("many")
    field.press("Enter")
    expect(page.locator("#questions-says")).to_have_text("Nodes in all must be a whole number from 1 to 10,000,000 nodes, not 'many'.")
    expect(field).to_have_value("many")
    expect(page.locator(ANSWERS)).to_have_count(1)


def test_an_answer_opens_in_the_charts_beside_what_was_measured_and_is_asked_on(page: Page, server: Server, batch: dict) -> None:
    opened(page, server, batch, ["measured", "fair"])
    ask(page, "A rack lost", 1)
    page.locator(f"{ANSWERS} [data-act=open]").click()
    page.wait_for_function("() => window.gantry.state.result.pinned", timeout=LONG_MS)
    expect(page.locator("#pin-says")).to_contain_text("Recorded under measured")
    expect(page.locator("#questions-of")).to_contain_text("Asked about Recorded, which is pinned.")
    ask(page, "Growth", 2)
    expect(page.locator(ANSWERS).first).to_contain_text("held-out jobs")
    page.click("#editor-undo")
    assert page.evaluate("() => window.gantry.state.draft.scenario.measured !== undefined")


def test_without_a_record_answers_have_no_band_and_say_so(page: Page, server: Server, batch: dict) -> None:
    plain = {key: value for key, value in batch.items() if key != "measured"}
    opened(page, server, {**plain, "queues": [], "jobs": [{**job, "queue": "root.default"} for job in plain["jobs"]]}, ["fair"])
    expect(page.locator("#questions-of")).to_contain_text("no record")
    page.get_by_role("button", name="A queue drained", exact=True).click(force=True)  # it is there to say why it can't be asked
    expect(page.locator("#questions-says")).to_contain_text("all jobs are in one queue")
    ask(page, "More or fewer nodes", 1)
    expect(page.locator(ANSWERS)).to_contain_text("No record of a cluster goes with this scenario")
