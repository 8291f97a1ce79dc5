"""Questions of one click: an answer, another beside it, what is wrong in a sentence, a copy in the charts,
and back.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import dashboard
from tests.browser.dashboard import ANSWERS, LONG_MS, ask
from tests.browser.server import Server
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase
from tests.spark_jobs import MIXED


def test_questions_are_answered_beside_each_other_opened_in_the_charts_and_asked_without_a_record(
    page: Page, server: Server
) -> None:
    """A recorded batch on four nodes, in two queues."""
    batch = history(truth(6)).plain() | {
        "name": "Recorded",
        "queues": [{"name": "root.a"}, {"name": "root.b"}],
    }
    batch["jobs"] = [{**job, "queue": f"root.{'ab'[place % 2]}"} for place, job in enumerate(batch["jobs"])]
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.load(page, batch, ["measured", "fair"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    of, says, first = (
        page.locator("#questions-of"),
        page.locator("#questions-says"),
        page.locator(ANSWERS).first,
    )
    expect(of).to_contain_text("has a band")
    page.set_viewport_size({"width": 1120, "height": 600})
    ask(page, phrase("browser.more_or_fewer_nodes"), 1)
    expect(page.locator(".questions-table tbody tr")).to_have_count(2)
    expect(page.locator(".questions-before + tr")).to_be_in_viewport(ratio=0.99)  # in a low drawer too
    expect(first).to_contain_text(phrase("common.nodes_instead_more", 5, 4, 1))
    expect(first).to_contain_text("held-out jobs")

    # What is wrong is a sentence, and nothing is lost.
    nodes = page.get_by_label("Nodes in all")
    nodes.fill("many")
    nodes.press("Enter")
    expect(says).to_have_text(phrase("browser.nodes_in_all_must_be", 1, "10,000,000", "'many'"))
    expect(nodes).to_have_value("many")
    expect(page.locator(ANSWERS)).to_have_count(1)

    nodes.fill("8")
    page.get_by_label("Price per node-hour").fill("0.40 EUR")
    page.get_by_label("Price per node-hour").press("Enter")
    expect(page.locator(ANSWERS)).to_have_count(2, timeout=LONG_MS)
    expect(first).to_contain_text(phrase("common.nodes_instead_more", 8, 4, 4))
    expect(page.locator(".questions-table")).to_contain_text("EUR")
    ask(page, "Slow start", 3)
    file = page.locator(f"{ANSWERS} a[download]").first
    assert file.get_attribute(
        "download"
    ) == "mapred-site.xml" and "slowstart.completedmaps" in file.get_attribute("href")
    page.locator(f"{ANSWERS} [data-act=remove]").first.click()
    expect(page.locator(ANSWERS)).to_have_count(2)

    # An answer opens in the charts beside what was measured, and is asked on.
    ask(page, "A rack lost", 3)
    first.locator("[data-act=open]").click()
    page.wait_for_function("() => window.gantry.state.result.pinned", timeout=LONG_MS)
    expect(page.locator("#compared-with")).to_contain_text("Recorded under measured")
    expect(of).to_contain_text(phrase("browser.asked_about_recorded_other_scenario"))
    ask(page, "Growth", 4)
    expect(first).to_contain_text("held-out jobs")
    page.click("#editor-undo")
    page.wait_for_function("() => window.gantry.state.draft.scenario.measured !== undefined")
    page.click("#compare-with")
    page.click("#compare-scenario")
    page.get_by_role("button", name=phrase("browser.stop_comparing")).click()

    # Without a record answers have no band and say so.
    plain = {key: value for key, value in batch.items() if key not in ("measured", "queues")}
    dashboard.load(
        page, plain | {"jobs": [{**job, "queue": "root.default"} for job in batch["jobs"]]}, ["fair"]
    )
    dashboard.run(page)
    expect(of).to_contain_text("no record")
    drained = page.get_by_role("button", name="A queue drained", exact=True)
    expect(drained).to_be_disabled()
    drained.click(force=True)  # it is there to say why it can't be asked
    expect(says).to_contain_text(phrase("services.all_jobs_in_one_queue"))
    expect(says).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name=phrase("browser.more_or_fewer_nodes"), exact=True).click()
    expect(first).to_contain_text(phrase("engine.no_record_cluster_goes_with"), timeout=LONG_MS)


def test_fields_that_may_be_left_empty_say_what_stands_there(page: Page, server: Server) -> None:
    """Spark beside MapReduce: dynamic allocation's numbers, and the lines to take back."""
    dashboard.opened(page, server.url)
    dashboard.compose(page)
    dashboard.load(page, MIXED, ["fair"])
    dashboard.run(page)
    dashboard.show(page, "What if")
    ask(page, "Dynamic allocation", 1)
    first, idle = page.locator(ANSWERS).first, page.get_by_label("Idle timeout")
    expect(idle).to_have_attribute("placeholder", "2")
    page.locator("#questions-form [name=maximum]").fill("")
    idle.fill("30")
    idle.press("Enter")
    expect(page.locator(ANSWERS)).to_have_count(2, timeout=LONG_MS)
    expect(first).to_contain_text(phrase("browser.idle_instead", 30, 2))
    file = first.locator("a[download]")
    expect(file).to_have_attribute("download", "spark-defaults.conf")
    assert "spark.dynamicAllocation.executorIdleTimeout%2030s" in file.get_attribute("href")
