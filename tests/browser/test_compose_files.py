"""Presets, files opened, dropped and saved, and what a reload or a closed tab must not lose."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.composer import SCENARIO, TASKS, Composer
from tests.browser.dashboard import READY_MS
from tests.browser.server import Server
from tests.conftest import ROOT
from tests.phrases import phrase

DROPPED = """(files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""  # noqa: E501
FAULTY = {
    "version": 1,
    "nmae": "x",
    "cluster": {"nodes": [{"count": 1, "memory_mb": "much", "vcores": 1}]},
    "jobs": [{"maps": 5}],
}
QUEUES = b"""<allocations>
  <queue name="prod"><weight>3</weight><maxChildResources>1 mb, 1 vcores</maxChildResources></queue>
  <queuePlacementPolicy><rule name="default" queue="root.prod"/></queuePlacementPolicy>
</allocations>
"""
# Whether the browser's database has the draft that this name is the job's of.
WRITTEN = """(name) => new Promise((resolve, reject) => {
    const opening = indexedDB.open("gantry", 2);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const found = opening.result.transaction("drafts").objectStore("drafts").getAll();
        found.onsuccess = () => (opening.result.close(), resolve(found.result.some(({ draft }) => (draft.scenario.jobs[1] || {}).name === name)));
    };
})"""  # noqa: E501


def test_presets_and_files(composer: Composer) -> None:
    page, message, undo = (
        composer.page,
        composer.page.locator("#editor-message"),
        composer.page.locator("#editor-undo"),
    )
    # A preset is one step.
    page.click("#editor-presets summary")
    expect(page.locator("#editor-presets .editor-menu")).to_be_visible()
    assert violations(page, "#editor-presets") == []
    page.locator("#editor-presets [data-preset]").first.click()
    composer.until(lambda scenario: "queues" not in scenario)
    expect(composer.line("jobs", 0)).to_contain_text("wordcount1")
    undo.click()
    composer.until(lambda scenario: scenario == SCENARIO)

    # A draft is saved as a file, which opens again.
    with page.expect_download() as download:
        page.click("#editor-save")
    assert download.value.suggested_filename == "two-jobs.json"
    text = Path(download.value.path()).read_bytes()
    assert json.loads(text) == SCENARIO
    page.get_by_label(phrase("browser.title_scenario")).fill("Another")
    before = composer.until(lambda scenario: scenario["name"] == "Another")

    # A file that can't be opened gives a sentence and loses nothing; which sentence,
    # tests/webapp/panels/editor tries.
    composer.open("cut.json", json.dumps(SCENARIO).encode()[:200])
    expect(message).to_contain_text(phrase("editor.cant_be_opened_not_json", "cut.json"))
    composer.open("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(100))
    expect(message).to_contain_text(phrase("formats.not_scenario", "picture.png"))
    composer.open("empty.json", b"")
    expect(message).to_contain_text(phrase("formats.not_scenario", "empty.json"))
    assert composer.scenario() == before
    composer.open("again.json.gz", gzip.compress(text))
    composer.until(lambda scenario: scenario == SCENARIO)

    # A faulty one is opened with its faults shown.
    composer.open("faulty.json", FAULTY)
    summary = page.locator("#editor-faults-summary")
    expect(summary).to_contain_text("error")
    summary.click()
    faults = page.locator("#editor-faults")
    expect(faults).to_contain_text(phrase("browser.did_you_mean_name"))
    faults.get_by_text("Remove it").click()
    composer.until(lambda scenario: "nmae" not in scenario)

    # Equal hosts are one line that is edited as one.
    hosts = [
        {"name": f"a{2115 + number}.smile.com.example.org", "count": 1, "memory_mb": 8192, "vcores": 8}
        for number in range(50)
    ]
    composer.open("hosts.json", {**SCENARIO, "cluster": {"nodes": hosts}, "x_ours": []})
    expect(composer.line("nodes", 0)).to_contain_text("50 hosts like a2115")
    expect(page.locator("#editor-nodes .editor-line")).to_have_count(1)
    composer.write("nodes", 0, "vcores", "16")
    nodes = composer.until(lambda scenario: scenario["cluster"]["nodes"][49]["vcores"] == 16)["cluster"][
        "nodes"
    ]
    assert nodes == [{**host, "vcores": 16} for host in hosts]

    # A trace dropped on the page says what was assumed.
    composer.begin_again()
    samples = ROOT / "engine" / "scenario" / "samples"
    page.evaluate(
        DROPPED, [[name, (samples / name).read_text()] for name in ("sls-jobs.json", "sls-nodes.json")]
    )
    expect(page.locator("#editor-assumed-room")).to_be_visible()
    assert page.locator("#editor-assumed li").count() >= 6  # the sixth was once cut off
    assert page.evaluate(
        "() => document.getElementById('editor-assumed').scrollHeight <= "
        "document.getElementById('editor-assumed').clientHeight"
    )
    expect(
        page.locator("#editor").get_by_role("link", name=phrase("browser.limits_model"))
    ).to_have_attribute("href", "/model")
    undo.click()
    composer.until(lambda scenario: scenario == SCENARIO)
    expect(page.locator("#editor-assumed-room")).to_be_hidden()

    # A cluster's queues are opened, tried and written back.
    composer.open("fair-scheduler.xml", QUEUES)
    composer.until(
        lambda scenario: (
            scenario["queues"][0]["weight"] == 3
            and {job["queue"] for job in scenario["jobs"]} == {"root.prod"}
        )
    )
    expect(page.locator("#editor-assumed")).to_contain_text(
        phrase("browser.line_maxchildresources_not_modelled", "fair-scheduler.xml", 2)
    )
    expect(page.locator("#editor-assumed h4").first).to_have_text(
        phrase("browser.heading_not_modelled")
    )  # what matters most
    assert composer.draft()["schedulers"][0] == "fair"
    composer.write("queues", 0, "weight", "5")
    composer.until(lambda scenario: scenario["queues"][0]["weight"] == 5)
    page.click("#editor-writes summary")
    with page.expect_download() as written:
        page.click("[data-write=fair-xml]")
    assert written.value.suggested_filename == "fair-scheduler.xml"
    text = Path(written.value.path()).read_text("utf-8")
    assert "<weight>5</weight>" in text and "<maxChildResources>1 mb, 1 vcores</maxChildResources>" in text
    composer.open("fair-scheduler.xml", QUEUES[:40])
    expect(message).to_contain_text(
        phrase("browser.this_configuration_cant_be_opened", "fair-scheduler.xml", 2)
    )
    composer.until(lambda scenario: scenario["queues"][0]["weight"] == 5)


def test_a_reload_a_closed_tab_and_a_second_one_lose_nothing(composer: Composer, server: Server) -> None:
    page = composer.page
    # A reload loses neither the draft nor its steps nor a cell half typed.
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

    # Another tab begins with the draft, and then the two are two.
    page.wait_for_function(WRITTEN, arg="beta")
    other = page.context.new_page()
    other.goto(server.url)
    second = Composer(other, composer.folder)
    expect(second.line("jobs", 1)).to_contain_text("beta", timeout=READY_MS)
    second.write("jobs", 1, "name", "omega")
    second.until(lambda scenario: scenario["jobs"][1]["name"] == "omega")
    assert composer.scenario()["jobs"][1]["name"] == "beta"
    other.close()

    # A page that could not write its own draft before it went away leaves the one it began with.
    composer.write("jobs", 1, "name", "last")
    page.wait_for_function(WRITTEN, arg="last")
    # as what is put last of all is lost now and then, with no error
    page.add_init_script("IDBObjectStore.prototype.put = () => ({})")
    for _ in range(2):
        page.goto(server.url)
        expect(composer.line("jobs", 1)).to_contain_text("last", timeout=READY_MS)
