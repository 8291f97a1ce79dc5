"""Presets, files opened, dropped and saved, and what a reload or a closed tab must not lose."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.composer import SCENARIO, SETTLED_MS, TASKS, Composer
from tests.browser.dashboard import READY_MS
from tests.browser.server import Server
from tests.conftest import ROOT


def test_a_preset_is_one_step(composer: Composer) -> None:
    page = composer.page
    page.click("#editor-presets summary")
    page.locator("#editor-presets [data-preset=new]").click()
    composer.until(lambda scenario: "queues" not in scenario)
    expect(composer.line("jobs", 0)).to_contain_text("job1")
    page.locator("#editor-undo").click()
    composer.until(lambda scenario: scenario == SCENARIO)


def test_a_file_is_saved_and_opened_again(composer: Composer) -> None:
    with composer.page.expect_download() as download:
        composer.page.click("#editor-save")
    assert download.value.suggested_filename == "two-jobs.json"
    text = Path(download.value.path()).read_bytes()
    assert json.loads(text) == SCENARIO
    composer.page.get_by_label("Title of the scenario").fill("Another")
    composer.until(lambda scenario: scenario["name"] == "Another")
    composer.open("again.json.gz", gzip.compress(text))
    composer.until(lambda scenario: scenario == SCENARIO)


def test_a_faulty_scenario_is_opened_with_its_faults_shown(composer: Composer) -> None:
    composer.open("faulty.json", {"version": 1, "nmae": "x", "cluster": {"nodes": [{"count": 1, "memory_mb": "much", "vcores": 1}]}, "jobs": [{"maps": 5}]})
    summary = composer.page.locator("#editor-faults-summary")
    expect(summary).to_contain_text("error")
    summary.click()
    faults = composer.page.locator("#editor-faults")
    expect(faults).to_contain_text("did you mean name?")
    faults.get_by_text("Remove it").click()
    composer.until(lambda scenario: "nmae" not in scenario)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("cut.json", json.dumps(SCENARIO).encode()[:200], "cut.json can't be opened: not JSON"),
        ("cut.json.gz", gzip.compress(json.dumps(SCENARIO).encode(), mtime=0)[:150], "cut off"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "picture.png is not a scenario"),
        ("list.json", b'{"version": 1, "cluster": {}, "jobs": 5}', "jobs must be a list of objects"),
        ("empty.json", b"", "empty.json is not a scenario"),
    ],
)
def test_a_file_that_can_t_be_opened_gives_a_sentence_and_loses_nothing(shared: Composer, name: str, content: bytes, words: str) -> None:
    shared.write("jobs", 0, "maps.count", "17")
    before = shared.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 17)
    shared.open(name, content)
    expect(shared.page.locator("#editor-message")).to_contain_text(words)
    assert shared.scenario() == before


def test_a_trace_dropped_on_the_page_says_what_was_assumed(composer: Composer) -> None:
    page = composer.page
    script = """(files) => {
        const data = new DataTransfer();
        for (const [name, text] of files) data.items.add(new File([text], name));
        for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    samples = ROOT / "engine" / "scenario" / "samples"
    page.evaluate(script, [[name, (samples / name).read_text()] for name in ("sls-jobs.json", "sls-nodes.json")])
    expect(page.locator("#editor-assumed-room")).to_be_visible()
    assert page.locator("#editor-assumed li").count() >= 6  # the sixth was once cut off
    assert page.evaluate("() => document.getElementById('editor-assumed').scrollHeight <= document.getElementById('editor-assumed').clientHeight")
    expect(page.locator("#editor").get_by_role("link", name="Limits of the model")).to_have_attribute("href", "/model")
    page.locator("#editor-undo").click()
    composer.until(lambda scenario: scenario == SCENARIO)
    expect(page.locator("#editor-assumed-room")).to_be_hidden()


def test_a_reload_loses_neither_the_draft_nor_its_steps_nor_a_cell_half_typed(composer: Composer) -> None:
    page = composer.page
    composer.table("jobs")
    composer.type("jobs", 0, "maps.count", "17")
    composer.until(lambda scenario: scenario["jobs"][0]["maps"]["count"] == 17)
    composer.focus("jobs", 0, "maps.vcores")
    page.keyboard.type("3")
    page.reload()
    expect(composer.line("jobs", 0)).to_contain_text("17 × 1 GB, 3 vc", timeout=READY_MS)
    assert composer.scenario()["jobs"][0]["maps"] == {**TASKS, "count": 17, "vcores": 3}
    page.locator("#editor-undo").click()
    page.locator("#editor-undo").click()
    composer.until(lambda scenario: scenario == SCENARIO)


def test_a_closed_tab_loses_nothing_and_two_tabs_are_two_drafts(composer: Composer, server: Server) -> None:
    page = composer.page
    page.wait_for_timeout(SETTLED_MS * 2)
    other = page.context.new_page()
    other.goto(server.url)
    second = Composer(other, composer.folder)
    expect(second.line("jobs", 1)).to_contain_text("beta", timeout=READY_MS)
    second.write("jobs", 1, "name", "omega")
    second.until(lambda scenario: scenario["jobs"][1]["name"] == "omega")
    assert composer.scenario()["jobs"][1]["name"] == "beta"
    page.reload()
    expect(composer.line("jobs", 1)).to_contain_text("beta", timeout=READY_MS)
    other.close()


def test_a_page_that_could_not_write_its_own_draft_before_it_went_away_leaves_the_one_it_began_with(composer: Composer, server: Server) -> None:
    page = composer.page
    composer.write("jobs", 1, "name", "omega")
    page.wait_for_timeout(SETTLED_MS * 2)
    page.add_init_script("IDBObjectStore.prototype.put = () => ({})")  # as what is put last of all is lost now and then, with no error
    page.goto(server.url)
    expect(composer.line("jobs", 1)).to_contain_text("omega", timeout=READY_MS)
    page.wait_for_timeout(SETTLED_MS * 2)
    page.goto(server.url)
    expect(composer.line("jobs", 1)).to_contain_text("omega", timeout=READY_MS)


QUEUES = b"""<allocations>
  <queue name="prod"><weight>3</weight><aclSubmitApps>ann</aclSubmitApps></queue>
  <queuePlacementPolicy><rule name="default" queue="root.prod"/></queuePlacementPolicy>
</allocations>
"""


def test_a_cluster_s_queues_are_opened_tried_and_written_back(composer: Composer) -> None:
    page = composer.page
    composer.open("fair-scheduler.xml", QUEUES)
    composer.until(lambda scenario: scenario["queues"][0]["weight"] == 3 and {job["queue"] for job in scenario["jobs"]} == {"root.prod"})
    expect(page.locator("#editor-assumed")).to_contain_text("fair-scheduler.xml, line 2: aclSubmitApps of root.prod is not modelled")
    assert composer.kept()["schedulers"][0] == "fair"
    composer.write("queues", 0, "weight", "5")
    composer.until(lambda scenario: scenario["queues"][0]["weight"] == 5)
    page.click("#editor-writes summary")
    with page.expect_download() as written:
        page.click("[data-write=fair-xml]")
    assert written.value.suggested_filename == "fair-scheduler.xml"
    text = Path(written.value.path()).read_text("utf-8")
    assert "<weight>5</weight>" in text and "<aclSubmitApps>ann</aclSubmitApps>" in text
    composer.open("fair-scheduler.xml", QUEUES[:40])
    expect(page.locator("#editor-message")).to_contain_text("This configuration can't be opened: fair-scheduler.xml, line 2")
    composer.until(lambda scenario: scenario["queues"][0]["weight"] == 5)
