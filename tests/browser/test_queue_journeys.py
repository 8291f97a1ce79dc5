"""A cluster's queues from its files to an answer and back: changed for the ResourceManager's own interface,
and converted to Hadoop's other scheduler.
"""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from engine.output.scheduler_conf_update import DIFF, JSON, XML
from tests.browser import dashboard
from tests.browser.composer import RECORDED, Composer
from tests.browser.dashboard import ANSWERS, ask
from tests.phrases import phrase

CAPACITIES = {"root.queues": "a,b", "root.a.capacity": "60", "root.b.capacity": "40"}
FAIR = b"""<allocations>
  <queue name="a"><weight>3</weight><minResources>2048 mb, 2 vcores</minResources></queue>
  <queue name="b"/>
</allocations>"""


def opened(composer: Composer, record: str, name: str, configuration: bytes) -> None:
    """A recorded batch of 14 jobs in the editor, with its cluster's configuration, and its queues shown."""
    path = composer.folder / name
    path.write_bytes(configuration)
    composer.choose(RECORDED / f"{record}.tar.gz", path)
    composer.until(lambda scenario: len(scenario["jobs"]) == 14 and "measured" in scenario)
    composer.shown("queues")


def capacities(scenario: dict) -> dict[str, float | None]:
    return {queue["name"]: queue.get("capacity_pct") for queue in scenario["queues"]}


def written(composer: Composer, kind: str) -> str:
    """The content of what the editor writes."""
    composer.page.click("#editor-writes summary")
    with composer.page.expect_download() as download:
        composer.page.click(f"[data-write={kind}]")
    return Path(download.value.path()).read_text("utf-8")


def test_a_changed_capacity_is_asked_about_and_given_back_as_the_change_alone(composer: Composer) -> None:
    page = composer.page
    entries = [
        {"name": f"yarn.scheduler.capacity.{name}", "value": value} for name, value in CAPACITIES.items()
    ]
    opened(composer, "capacity-mixed-1", "conf.json", json.dumps({"property": entries}).encode())
    assert capacities(composer.scenario()) == {"root": None, "root.a": 60, "root.b": 40}
    composer.write("queues", 1, "capacity_pct", "30")
    composer.write("queues", 2, "capacity_pct", "70")
    composer.until(lambda scenario: capacities(scenario) == {"root": None, "root.a": 30, "root.b": 70})
    dashboard.run(page)
    dashboard.show(page, "What if")
    ask(page, phrase("browser.queues_as_edited"), 1)
    answer = page.locator(ANSWERS)
    expect(answer).to_contain_text("Lose, queues")
    expect(answer).to_contain_text("root.a, 7 jobs: ")
    file = answer.locator("a[download='capacity-scheduler.xml']")
    assert "root.a.capacity" in file.get_attribute("href")

    update = json.loads(written(composer, JSON))
    entry = lambda value: {"entry": [{"key": "capacity", "value": value}]}
    assert update == {
        "update-queue": [
            {"queue-name": "root.a", "params": entry("30")},
            {"queue-name": "root.b", "params": entry("70")},
        ]
    }
    as_xml = written(composer, XML)
    assert as_xml.count("<key>") == 2 and as_xml.count("<update-queue>") == 2
    assert "<value>30</value>" in as_xml and "<value>70</value>" in as_xml
    lines = [line for line in written(composer, DIFF).splitlines() if line[:2] in ("- ", "+ ")]
    assert [line[0] + line[1:].strip() for line in lines] == [
        "-<value>60</value>",
        "+<value>30</value>",
        "-<value>40</value>",
        "+<value>70</value>",
    ]
    # No queue goes, so none has to be stopped: a sentence.
    page.click("#editor-writes summary")
    page.click("[data-write=scheduler-conf-stop]")
    expect(page.locator("#editor-message")).to_contain_text(phrase("scheduler_conf.nothing_to_stop"))


def test_a_fair_scheduler_is_converted_compared_and_brought_back(composer: Composer) -> None:
    page = composer.page
    opened(composer, "fair-mixed-1", "fair-scheduler.xml", FAIR)
    before = composer.draft()
    assert before["schedulers"] == ["measured", "fair"]
    page.click("#editor-converts summary")
    shown = dashboard.key(page)
    page.click("[data-convert=weights]")
    scenario = composer.until(lambda scenario: scenario["queues"][0]["name"] == "root")
    assert capacities(scenario) == {"root": None, "root.a": 75, "root.b": 25}
    told = page.locator("#editor-assumed")
    expect(told).to_contain_text(phrase("browser.weight_becomes_capacity", "root.a", 3, 4, "3.0w", 75))
    expect(told).to_contain_text(phrase("engine.not_converted", "root.a: minResources 2048 mb, 2 vcores"))
    # Both are run beside what was measured, without another click.
    page.wait_for_function("before => document.getElementById('lanes').dataset.key !== before", arg=shown)
    names = page.locator("#lanes h3")
    expect(names).to_have_count(3)
    expect(names.filter(has_text="capacity")).to_have_count(1)
    dashboard.show(page, "What if")
    ask(page, "Hadoop's other scheduler", 1)
    answer = page.locator(ANSWERS)
    expect(answer).to_contain_text(phrase("engine.not_converted", "root.a: minResources 2048 mb, 2 vcores"))
    expect(answer.locator("a[download='capacity-scheduler.xml']")).to_have_count(1)

    page.click("#editor-undo")
    composer.until(lambda scenario: scenario == before["scenario"])
    assert composer.draft()["schedulers"] == before["schedulers"]
