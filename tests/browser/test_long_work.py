"""Long work as a visitor sees it: followed over a reload and a killed worker, cancelled under way, and run
again where its result has gone.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.bench.scenarios import stream
from tests.browser import dashboard
from tests.browser.server import Server
from tests.phrases import phrase
from tests.webapp.live_server import CROWD, processes_of, until

LONG = stream(150_000, 1_000, 100).plain() | {"name": "Long"}


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, which it may stop."""
    running = Server(tmp_path)
    yield running
    running.stop()


def test_long_work_outlives_a_reload_a_killed_worker_and_a_server_that_forgot_it(
    page: Page, alone: Server
) -> None:
    traffic, status = dashboard.Traffic(page), page.locator("#run-status")
    # A run that is lost while the page reloads is told: another result once stood there, and not a word of
    # the run. The optimum in its address is of other inputs than those shown instead, and not missed.
    dashboard.opened(page, alone.url, 2)
    page.evaluate("""() => {
      const request = { ...window.gantry.state.request, why: "run", retried: true };
      const job = { id: "f".repeat(16), asked: { key: "0".repeat(16), note: "" } };
      sessionStorage.setItem("gantry-job-run", JSON.stringify({ job, request, address: "?optimum=0123456789abcdef" }));
    }""")  # noqa: E501
    page.goto(f"{alone.url}/?optimum=0123456789abcdef")
    dashboard.drawn(page, 2)
    expect(page.locator("#notice")).to_contain_text(phrase("browser.run_again_finished_runs_kept"))
    expect(status).to_contain_text("Four WordCount jobs")
    expect(status).not_to_contain_text("optimum")

    # A run is followed over a reload and a killed worker, and cancelled under way.
    dashboard.load(page, CROWD, ["fifo"])
    page.click("#run")
    expect(status).to_have_text(re.compile("^1 of 1: fifo…"), timeout=dashboard.READY_MS)
    page.reload()
    expect(status).to_have_text(re.compile("^1 of 1: fifo…"), timeout=dashboard.READY_MS)
    expect(page.locator("#run-under-way")).to_be_visible()
    (worker,) = until(lambda: processes_of(alone.data, "webapp.jobs --parent"))
    os.kill(worker, signal.SIGKILL)
    expect(status).to_have_text(re.compile("^" + phrase("faults.waiting_for_free_process")))
    expect(status).to_have_text(re.compile("^1 of 1: fifo…"), timeout=dashboard.READY_MS)
    page.click("#cancel")
    expect(status).not_to_have_text(re.compile("^(1 of 1|Cancelling)"))
    expect(page.locator("#run-under-way")).to_be_hidden()

    # Share runs again what the server no longer has, and says so.
    dashboard.load(page, LONG, ["fifo", "fair"])
    page.click("#run")
    expect(status).to_have_text(re.compile("^Long: 2 schedulers"), timeout=dashboard.READY_MS)
    traffic.wait_until_idle()  # the drawer's panels of a long run come seconds after its charts
    alone.stop()
    shutil.rmtree(alone.data / "cache")
    alone.start()
    page.click("#share")
    expect(page.locator("#share-says")).to_contain_text(
        phrase("faults.server_no_longer_has_this"), timeout=dashboard.READY_MS
    )
    expect(page.locator("#share-link")).to_have_value(
        re.compile(r"\?r=[0-9a-f]{16}"), timeout=dashboard.READY_MS
    )
    expect(status).to_have_text(re.compile("^Long: 2 schedulers"))
    traffic.wait_until_idle()
    page.goto("about:blank")  # what comes late may still be on its way when the server ends
