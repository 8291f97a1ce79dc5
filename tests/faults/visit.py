"""A visitor with Chromium before a server of their own: composes, runs (short and long), zooms, shares and
opens a link.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page

from tests.bench.scenarios import stream
from tests.browser import dashboard
from tests.browser.chromium import visitor_of
from tests.faults.fault import Failed, Found
from tests.faults.mounts import small_disk
from tests.webapp.live_server import CROWD, Served

FOUR = ["fifo", "fair", "drf", "capacity"]
SAYS = ("#run-status", "#share-says", "#notice")  # where the page says what happens
CRASHED = "Traceback (most recent call last)"
AGAIN_S = 90.0  # for all to work once a fault is over
_numbers = itertools.count(1)
browser: list[Browser] = []  # the one of all visits, by whoever runs them


def small() -> dict[str, Any]:
    """Run within an answer; another one each time."""
    number = next(_numbers)
    maps = {
        "count": 4,
        "memory_mb": 1024,
        "vcores": 1,
        "duration_s": {"dist": "uniform", "low": 5, "high": 20},
    }
    cluster = {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]}
    return {
        "version": 1,
        "name": f"Small {number}",
        "seed": number,
        "cluster": cluster,
        "jobs": [{"name": "job", "count": 3, "maps": maps}],
    }


@cache
def _stream() -> dict[str, Any]:
    return stream(105_000, 1_000, 100).plain()


def long() -> dict[str, Any]:
    """Thought to take more than a second under four: work for the queue, of two seconds or so, and none for
    an answer.
    """
    number = next(_numbers)
    return _stream() | {"name": f"Long {number}", "seed": number}


def crowd(containers: int = 25_000) -> dict[str, Any]:
    """Under way for some seconds under one scheduler, which a fault may befall."""
    number, result = next(_numbers), copy.deepcopy(CROWD)
    result["jobs"][0]["maps"]["count"] = containers
    return result | {"name": f"Crowd {number}", "seed": number}


class Visit:
    """One page. served: the server, which a fault may harm."""

    def __init__(self, served: Served, page: Page) -> None:
        self.served, self.page = served, page
        self._over = 0.0

    def compose(self, scenario: dict[str, Any], schedulers: list[str] | None = None) -> None:
        """Put it into the draft."""
        self.page.keyboard.press("Escape")  # a dialog that is open
        self.draft = {"scenario": scenario, "schedulers": schedulers or FOUR}
        self.page.evaluate(
            "draft => window.dash_clientside.set_props('load', {data: draft})",
            {**self.draft, "assumed": [], "ours": []},
        )
        self.page.wait_for_function(
            "name => window.gantry.state.draft && window.gantry.state.draft.scenario.name === name",
            arg=scenario["name"],
        )

    def press(self) -> None:
        """Press Run."""
        self.page.evaluate("() => document.getElementById('run').click()")

    def run(
        self, scenario: dict[str, Any], schedulers: list[str] | None = None, seconds: float = 150
    ) -> None:
        """Compose it, run it and wait for its charts."""
        self.compose(scenario, schedulers)
        self.press()
        self.ran(seconds)

    def ran(self, seconds: float = 150) -> None:
        """Wait for the charts of what is composed."""
        self.hears(f"^{re.escape(self.draft['scenario']['name'])}: ", seconds)

    def zoom(self, seconds: float = 20) -> None:
        """Look closer, and wait until all is drawn for it."""
        self.page.evaluate("() => window.gantry.charts.zoom(0.5)")
        is_sharp = lambda: self.page.evaluate("() => window.gantry.lanes.isSharp()")
        self._holds(is_sharp, seconds, "the charts were not drawn for another zoom")

    def share(self, seconds: float = 20) -> str:
        """Press Share; the link."""
        self.page.evaluate("() => document.getElementById('share').click()")
        field = self.page.locator("#share-link")
        result = lambda: field.count() and re.search(r"\?r=[0-9a-f]{16}", field.input_value())
        self._holds(result, seconds, "no link was made")
        address = field.input_value()
        self.page.keyboard.press("Escape")
        return address

    def press_share(self) -> None:
        """Press Share, whatever comes of it."""
        self.page.evaluate("() => document.getElementById('share').click()")

    @contextlib.contextmanager
    def other(self, address: str) -> Iterator[Visit]:
        """The same browser's page at another address."""
        page = self.page.context.new_page()
        page.goto(address, timeout=60_000)
        yield Visit(self.served, page)
        page.close()

    def whole(self, seconds: float = 150) -> None:
        """A visit as it should be: a short run and a long one, each within so many seconds, zoom, Share, and
        the link opened.
        """
        self.run(small(), seconds=seconds)
        self.run(long(), seconds=seconds)
        self.zoom()
        link = self.share()
        with self.other(link) as elsewhere:
            elsewhere.hears(r"^Long \d+: ", 60)

    def said(self) -> list[str]:
        """What stands at each of SAYS now: what is not there is not waited for."""
        return ["".join(self.page.locator(place).all_text_contents()) for place in SAYS]

    def hears(self, pattern: str, seconds: float = 30) -> str:
        """The sentence of the page that matches, once one does."""
        result = lambda: next((text for text in self.said() if re.search(pattern, text)), None)
        return self._holds(result, seconds, f"the page did not say {pattern!r}, but {{said}}")

    def over(self) -> None:
        """The fault has ended."""
        self._over = time.monotonic()

    def found(self, said: str, draft: dict[str, Any] | None = None) -> Found:
        """After over(): nothing of the draft was lost, the server's log has no traceback, and all works again
        without a restart or a reload.
        """
        self.keeps(draft or self.draft)
        end = self._over + AGAIN_S
        while True:
            try:
                self.whole(AGAIN_S / 3)  # who was told to try again later presses again
                break
            except Failed:
                if time.monotonic() > end:
                    raise
        again_s = time.monotonic() - self._over
        log = self.served.log.read_text(errors="replace")
        if CRASHED in log:
            raise Failed("the server's log has a traceback: " + log[log.index(CRASHED) :][:3000])
        return Found(said, again_s)

    def keeps(self, draft: dict[str, Any]) -> None:
        """Is this still the draft, and after a reload too?"""
        with self.other(self.served.url) as elsewhere:
            elsewhere.page.wait_for_function(
                "() => window.gantry && window.gantry.state.draft", timeout=30_000
            )
            for one in (self, elsewhere):
                if one.page.evaluate("() => window.gantry.asked(window.gantry.state.draft)") != draft:
                    raise Failed("the draft was lost")

    def _holds(self, holds: Callable[[], Any], seconds: float, otherwise: str) -> Any:
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(Error):
                if result := holds():
                    return result
            if time.monotonic() > end:
                raise Failed(otherwise.format(said=" | ".join(filter(None, self.said())) or "nothing"))
            self.page.wait_for_timeout(50)


@contextlib.contextmanager
def visiting(settings: dict[str, str] | None = None, disk_kb: int = 0) -> Iterator[Visit]:
    """A visitor who has opened the page of a server of their own and run something short.

    settings: more environment variables; disk_kb: of a disk of its own for the data folder, which raises
    NotRun.
    """
    place = Path(tempfile.mkdtemp(prefix="gantry-faults-"))
    with contextlib.ExitStack() as ends:
        ends.callback(shutil.rmtree, place, ignore_errors=True)
        if disk_kb:
            ends.enter_context(small_disk(place / "data", disk_kb))
        running = Served(place / "data", settings)
        ends.callback(running.stop)
        context = visitor_of(browser[0])
        ends.callback(context.close)
        page = context.new_page()
        page.goto(running.url, timeout=60_000)
        visit = Visit(running, page)
        visit.hears(r"schedulers, \d+ containers", dashboard.READY_MS / 1000)
        visit.run(small())
        yield visit
