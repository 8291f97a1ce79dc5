"""Compare: the best marked, the difference to the first, sorted, copied; and the files of a result."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from engine import Scenario, simulate, summary
from tests.browser import dashboard
from tests.browser.server import Server

FAST, SLOW = "fair(resources=memory)", "fair"
BATCH = {
    "version": 1,
    "name": "Memory, or both",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 8192, "vcores": 2}]},
    "jobs": [{"name": "job", "count": 3, "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}],
}


@pytest.fixture(scope="module")
def compared(module_page: Page, server: Server) -> Page:
    return ran(module_page, server)


@pytest.fixture
def shown(compared: Page, shared_page: Page) -> Page:
    shared_page.keyboard.press("Escape")
    return shared_page


@pytest.fixture
def own(page: Page, server: Server) -> Page:
    """For tests that rearrange a table."""
    return ran(page, server)


def ran(page: Page, server: Server) -> Page:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dashboard.opened(page, server.url)
    dashboard.load(page, BATCH, [SLOW, FAST])
    dashboard.run(page)
    compare(page)
    expect(page.locator("#metrics-grid .ag-header-cell-text").nth(2)).to_have_text(FAST)
    return page


def compare(page: Page) -> None:
    """Open the drawer's tab."""
    dashboard.show(page, "Compare")
    expect(page.locator("#metrics-grid .ag-row").first).to_be_attached(timeout=dashboard.READY_MS)


def cell(page: Page, grid: str, row: int, column: str):
    return page.locator(f'#{grid} .ag-row[row-index="{row}"] [col-id="{column}"]')


def clipboard(page: Page) -> list[list[str]]:
    return [line.split("\t") for line in page.evaluate("() => navigator.clipboard.readText()").splitlines()]


def test_the_best_is_marked_and_the_difference_said(shown: Page) -> None:
    slow, fast = (summary(simulate(Scenario.of(BATCH), name))["makespan_s"] for name in (SLOW, FAST))
    assert fast < slow
    expect(cell(shown, "metrics-grid", 0, "title")).to_have_text("Makespan")
    expect(cell(shown, "metrics-grid", 0, "s0")).not_to_contain_text("★")
    expect(cell(shown, "metrics-grid", 0, "s1")).to_contain_text("★")
    expect(cell(shown, "metrics-grid", 0, "s1")).to_contain_text(f"(−{100 * (slow - fast) / slow:.1f} %)")
    assert cell(shown, "metrics-grid", 0, "s1").locator(".best").evaluate("node => getComputedStyle(node).fontWeight") == "700"


def test_held_capacity_has_no_star_and_heads_their_schedulers_colour(shown: Page) -> None:
    row = shown.locator("#metrics-grid .ag-row", has_text="Vcore utilization").first.get_attribute("row-index")
    for column in ("s0", "s1"):
        expect(cell(shown, "metrics-grid", int(row), column)).not_to_contain_text("★")
    colours = [
        shown.locator(f"#metrics-grid .ag-header-cell.scheduler-{place}").evaluate("node => getComputedStyle(node).getPropertyValue('--scheduler')")
        for place in (0, 1)
    ]
    assert len(set(colours)) == 2


def test_equal_runs_have_one_column(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, BATCH | {"jobs": [BATCH["jobs"][0] | {"count": 1}]}, ["fair", "drf"])
    dashboard.run(page)
    compare(page)
    expect(page.locator("#metrics-grid .ag-header-cell-text")).to_have_text(["Metric", "fair = drf"])


def test_what_is_equal_has_no_best(shown: Page) -> None:
    containers = shown.locator("#metrics-grid .ag-row", has_text="Containers").first.get_attribute("row-index")
    expect(cell(shown, "metrics-grid", int(containers), "s1")).to_have_text("24 (±0.0 %)")


def test_jobs_have_their_times_and_can_be_sorted(own: Page) -> None:
    expect(own.locator("#jobs-grid .ag-pinned-left-cols-container .ag-row")).to_have_count(3)
    own.locator("#job-time").get_by_text("Turnaround").click()
    title = own.locator('#jobs-grid .ag-header-cell[col-id="title"]')
    title.click()
    title.click()
    expect(cell(own, "jobs-grid", 0, "title")).to_have_text("job-3")


def test_schedulers_as_rows_are_sorted_by_a_metric(own: Page) -> None:
    own.get_by_label("Schedulers as rows").click()
    expect(cell(own, "metrics-grid", 0, "title")).to_have_text(SLOW)
    own.locator('#metrics-grid .ag-header-cell[col-id="s0"]').click()
    expect(cell(own, "metrics-grid", 0, "title")).to_have_text(FAST)


def test_a_table_is_copied_as_a_spreadsheet_reads_it(shown: Page) -> None:
    shown.click("[data-copy=metrics]")
    expect(shown.locator("[data-copy=metrics]")).to_contain_text("Copied")
    table = clipboard(shown)
    assert table[0] == ["Metric", SLOW, FAST]
    slow, fast = (summary(simulate(Scenario.of(BATCH), name))["makespan_s"] for name in (SLOW, FAST))
    assert table[1] == ["Makespan", f"{slow:g}", f"{fast:g}"]


def test_a_table_is_saved_as_csv(shown: Page) -> None:
    with shown.expect_download() as saved:
        shown.click("[data-csv=jobs]")
    table = list(csv.reader(io.StringIO(Path(saved.value.path()).read_text("utf-8-sig"))))
    assert saved.value.suggested_filename == "gantry-jobs.csv"
    assert [row[0] for row in table] == ["Job", "job-1", "job-2", "job-3"]


@pytest.mark.parametrize("file", ["scenario.json", "result.json", "runs.csv", "jobs.csv", "containers.csv"])
def test_a_result_is_saved_as_files(shown: Page, file: str) -> None:
    shown.click("#show-export")
    with shown.expect_download() as saved:
        shown.locator(f"a[href$='/{file}']").click()
    text = Path(saved.value.path()).read_text()
    assert saved.value.suggested_filename == f"memory-or-both-{file}"
    if file == "scenario.json":
        assert Scenario.read(text).digest == Scenario.of(BATCH).digest
    elif file == "result.json":
        assert [run["scheduler"] for run in json.loads(text)["runs"]] == [SLOW, FAST]
    else:
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == {"runs.csv": 2, "jobs.csv": 6, "containers.csv": 48}[file]


def test_a_file_of_a_forgotten_result_is_a_sentence(shown: Page, server: Server) -> None:
    answer = shown.request.get(f"{server.url}/export/0123456789abcdef/result.json")
    assert answer.status == 404
    assert "run again and export again" in answer.text()


@pytest.mark.parametrize(("kind", "head"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_each_chart_is_saved_as_a_picture(shown: Page, kind: str, head: bytes) -> None:
    menu = shown.locator("#lanes .lane-menu").nth(1)
    menu.locator("summary").click()
    with shown.expect_download() as saved:
        menu.get_by_role("button", name=f"Download {kind.upper()}").click()
    content = Path(saved.value.path()).read_bytes()
    assert content.startswith(head)
    assert saved.value.suggested_filename == f"gantry-fair-resources-memory-.{kind}"
    if kind == "svg":
        assert all(word in content.decode() for word in ("Memory, or both under fair(resources=memory)", "Map", "Idle"))


def test_a_link_of_another_version_shows_what_it_kept_beside_the_new(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, BATCH, [SLOW, FAST])
    dashboard.run(page)
    page.click("#share")
    expect(page.locator("#share-link")).not_to_have_value("")
    link = page.locator("#share-link").input_value()
    [id] = parse_qs(urlsplit(link).query)["r"]
    with sqlite3.connect(server.data / "links.sqlite") as store:
        (kept,) = store.execute("select metrics from links where id = ?", [id]).fetchone()
        metrics = json.loads(kept)
        metrics[0]["makespan_s"] += 5
        store.execute("update links set version = '0.0.9', metrics = ? where id = ?", [json.dumps(metrics), id])
    dashboard.opened(page, link, 2)
    compare(page)
    room = page.locator("#stored-room")
    expect(room).to_contain_text("made on")
    expect(room).to_contain_text("with engine 0.0.9")
    expect(room).to_contain_text("1 number differs")
    expect(room.locator('.ag-row[row-index="0"] [col-id="title"]')).to_have_text("Makespan")
    expect(room.locator('.ag-row[row-index="0"]').first).to_contain_text("≠")


def test_schedulers_that_differ_in_more_than_the_order_are_said_to(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, BATCH, ["fair", "fair(reservations=no, update_ms=0)+slowstart+admit-all"])
    dashboard.run(page)
    compare(page)
    says = (
        "These schedulers differ in more than the order: fair has ramp-up, am-share, reservations=yes and update_ms=500; "
        "fair(reservations=no, update_ms=0)+slowstart+admit-all has slowstart, admit-all, reservations=no and update_ms=0."
    )
    expect(page.locator("#rules-differ")).to_have_text(says)
    dashboard.load(page, BATCH, ["fair", "drf"])
    dashboard.run(page)
    expect(page.locator("#rules-differ")).to_have_text("")
