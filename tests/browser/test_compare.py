"""Compare: the best marked, the difference to the first, sorted, copied; and the files of a result."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from engine import Scenario, presets, simulate, summary
from tests.browser import dashboard
from tests.browser.axe import violations
from tests.browser.server import Server
from tests.phrases import phrase

FAST, SLOW = "fair(resources=memory)", "fair"
LONG = "fair(reservations=no, update_ms=0)+slowstart+admit-all"
BATCH = {
    "version": 1,
    "name": "Memory, or both",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 8192, "vcores": 2}]},
    "jobs": [
        {"name": "job", "count": 3, "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
    ],
}
DIFFER = phrase(
    "browser.these_schedulers_differ_in_more",
    500,
    "fair, textbook",
)


def ran(page: Page, scenario: dict, schedulers: list[str]) -> None:
    dashboard.load(page, scenario, schedulers)
    dashboard.run(page)
    dashboard.show(page, "Compare")


def cell(page: Page, grid: str, row: int, column: str):
    return page.locator(f'#{grid} .ag-row[row-index="{row}"] [col-id="{column}"]')


def row_of(page: Page, title: str) -> int:
    return int(page.locator("#metrics-grid .ag-row", has_text=title).first.get_attribute("row-index"))


def test_two_runs_are_compared_copied_sorted_and_saved(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    ran(page, BATCH, [SLOW, FAST])
    heads = page.locator("#metrics-grid .ag-header-cell-text")
    expect(heads).to_have_text(["Metric", SLOW, FAST])

    # The best is marked and the difference said; what is equal, and capacity that is held, has no best; heads
    # have their scheduler's colour.
    slow, fast = (summary(simulate(Scenario.of(BATCH), name))["makespan_s"] for name in (SLOW, FAST))
    assert fast < slow
    expect(cell(page, "metrics-grid", 0, "title")).to_have_text("Makespan")
    expect(cell(page, "metrics-grid", 0, "s0")).not_to_contain_text("★")
    expect(cell(page, "metrics-grid", 0, "s1")).to_contain_text("★")
    expect(cell(page, "metrics-grid", 0, "s1")).to_contain_text(f"(−{100 * (slow - fast) / slow:.1f} %)")
    assert (
        cell(page, "metrics-grid", 0, "s1")
        .locator(".best")
        .evaluate("node => getComputedStyle(node).fontWeight")
        == "700"
    )
    for column in ("s0", "s1"):
        expect(cell(page, "metrics-grid", row_of(page, "Vcore utilization"), column)).not_to_contain_text("★")
    expect(cell(page, "metrics-grid", row_of(page, "Containers"), "s1")).to_have_text("24 (0 %)")
    colour = "node => getComputedStyle(node).getPropertyValue('--scheduler')"
    assert (
        len(
            {
                page.locator(f"#metrics-grid .ag-header-cell.scheduler-{place}").evaluate(colour)
                for place in (0, 1)
            }
        )
        == 2
    )

    # A table is copied as a spreadsheet reads it, and saved as CSV.
    page.click("[data-copy=metrics]")
    expect(page.locator("[data-copy=metrics]")).to_contain_text("Copied")
    table = [line.split("\t") for line in page.evaluate("() => navigator.clipboard.readText()").splitlines()]
    assert table[:2] == [["Metric", SLOW, FAST], ["Makespan", f"{slow:g}", f"{fast:g}"]]
    with page.expect_download() as saved:
        page.click("[data-csv=jobs]")
    table = list(csv.reader(io.StringIO(Path(saved.value.path()).read_text("utf-8-sig"))))
    assert saved.value.suggested_filename == "gantry-jobs.csv"
    assert [row[0] for row in table] == ["Job", "job-1", "job-2", "job-3"]

    # A result is saved as files, a chart as a picture.
    for file in ("scenario.json", "result.json", "runs.csv", "jobs.csv", "containers.csv"):
        page.click("#show-export")
        if file == "scenario.json":
            assert violations(page, ".menu[open]") == []
        with page.expect_download() as saved:
            page.locator(f"a[href$='/{file}']").click()
        text = Path(saved.value.path()).read_text()
        assert saved.value.suggested_filename == f"memory-or-both-{file}"
        if file == "scenario.json":
            assert Scenario.read(text).digest == Scenario.of(BATCH).digest
        elif file == "result.json":
            assert [run["scheduler"] for run in json.loads(text)["runs"]] == [SLOW, FAST]
        else:
            assert (
                len(list(csv.DictReader(io.StringIO(text))))
                == {"runs.csv": 2, "jobs.csv": 6, "containers.csv": 48}[file]
            )
        page.keyboard.press("Escape")
        expect(page.locator(".menu[open]")).to_have_count(0)
    answer = page.request.get(f"{server.url}/export/0123456789abcdef/result.json")
    assert answer.status == 404 and phrase("browser.run_again_and_export_again") in answer.text()
    for kind, head in (("svg", b"<svg"), ("png", b"\x89PNG")):
        menu = page.locator("#lanes .lane-menu").nth(1)
        menu.locator("summary").click()
        with page.expect_download() as saved:
            menu.get_by_role("button", name=f"Download {kind.upper()}").click()
        content = Path(saved.value.path()).read_bytes()
        assert content.startswith(head)
        assert saved.value.suggested_filename == f"gantry-fair-resources-memory-.{kind}"
        if kind == "svg":
            assert all(
                word in content.decode()
                for word in (phrase("browser.memory_or_both_under", "fair(resources=memory)"), "Map", "Idle")
            )

    # Jobs have their times and can be sorted; schedulers as rows are sorted by a metric.
    expect(page.locator("#jobs-grid .ag-pinned-left-cols-container .ag-row")).to_have_count(3)
    page.locator("#job-time").get_by_text("Turnaround").click()
    title = page.locator('#jobs-grid .ag-header-cell[col-id="title"]')
    title.click()
    title.click()
    expect(cell(page, "jobs-grid", 0, "title")).to_have_text("job-3")
    page.get_by_label("Schedulers as rows").click()
    expect(cell(page, "metrics-grid", 0, "title")).to_have_text(SLOW)
    page.locator('#metrics-grid .ag-header-cell[col-id="s0"]').click()
    expect(cell(page, "metrics-grid", 0, "title")).to_have_text(FAST)
    page.get_by_label("Schedulers as rows").click()
    expect(heads.nth(2)).to_have_text(FAST)

    # Schedulers that differ in more than the order are said to; equal runs have one column; no head of a
    # column is cut.
    ran(page, BATCH, ["fair", LONG])
    expect(page.locator("#rules-differ")).to_have_text(DIFFER)
    ran(page, BATCH | {"jobs": [BATCH["jobs"][0] | {"count": 1}]}, ["fair", "drf"])
    expect(heads).to_have_text(["Metric", "fair = drf"])
    expect(page.locator("#rules-differ")).to_have_text("")
    page.set_viewport_size({"width": 1280, "height": 720})
    ran(page, presets()[0].scenario.plain(), [LONG, "capacity", "fifo", "haste+lazy-start"])
    for grid in ("#metrics-grid", "#jobs-grid"):
        expect(page.locator(f"{grid} .ag-header-cell-text").nth(4)).to_be_attached()
        page.locator(grid).scroll_into_view_if_needed()
        # once heads have taken the height of their words
        page.wait_for_function(f"(grid) => !({dashboard.CUT})(grid).length", arg=grid)
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_link_of_another_version_shows_what_it_kept_beside_the_new(page: Page, server: Server) -> None:
    dashboard.opened(page, server.url)
    dashboard.load(page, BATCH, [SLOW, FAST])
    dashboard.run(page)
    page.click("#share")
    expect(page.locator("#share-link")).not_to_have_value("")
    assert violations(page, "[role=dialog]") == []
    link = page.locator("#share-link").input_value()
    [id] = parse_qs(urlsplit(link).query)["r"]
    with sqlite3.connect(server.data / "links.sqlite") as store:
        (kept,) = store.execute("select metrics from links where id = ?", [id]).fetchone()
        metrics = json.loads(kept)
        metrics[0]["makespan_s"] += 5
        store.execute(
            "update links set version = '0.0.9', metrics = ? where id = ?", [json.dumps(metrics), id]
        )
    dashboard.opened(page, link, 2)
    dashboard.show(page, "Compare")
    room = page.locator("#stored-room")
    expect(room).to_contain_text("made on")
    expect(room).to_contain_text("with engine 0.0.9")
    expect(room).to_contain_text("1 number differs")
    expect(room.locator('.ag-row[row-index="0"] [col-id="title"]')).to_have_text("Makespan")
    expect(room.locator('.ag-row[row-index="0"]').first).to_contain_text("≠")
