"""The server as a host runs it: gunicorn by the Procfile's line, in processes of its own, spoken to by
HTTP.
"""

from __future__ import annotations

import contextlib
import http.cookiejar
import json
import os
import shlex
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.real_stores import free_port

LINE = (ROOT / "Procfile").read_text().removeprefix("web: ").strip()
# A map slows all others of its node: a second of computing for 10,000 of them, and four times that for each
# doubling.
CROWD = {
    "version": 1,
    "name": "Crowd",
    "cluster": {"nodes": [{"count": 1, "memory_mb": 1_000_000, "vcores": 1_000_000}], "contention": 0.5},
    "jobs": [
        {
            "name": "all",
            "maps": {
                "count": 90_000,
                "memory_mb": 1,
                "vcores": 1,
                "duration_s": {"dist": "uniform", "low": 10, "high": 900},
            },
        }
    ],
}
LOOK = {"width": 300}


class Served:
    """gunicorn with two processes and one work process; `settings` are more environment variables."""

    def __init__(self, data: Path, settings: dict[str, str] | None = None) -> None:
        self.data, self.port = data, free_port()
        data.mkdir(exist_ok=True)
        self.url, self.log = f"http://127.0.0.1:{self.port}", data.parent / f"{data.name}.log"
        own = {
            "GANTRY_DATA": str(data),
            "PORT": str(self.port),
            "GANTRY_WORKERS": "1",
            "WEB_CONCURRENCY": "2",
            **(settings or {}),
        }
        self._environment = {
            **{key: value for key, value in os.environ.items() if key not in ("REDIS_URL", "DATABASE_URL")},
            **own,
        }
        self.start()

    def start(self) -> None:
        """Starts it and waits until it answers."""
        program, *words = shlex.split(LINE)
        command = [str(Path(sys.executable).with_name(program)), *words]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdout=log, stderr=log, env=self._environment, start_new_session=True
            )
        until(lambda: self.answers() or self.process.poll() is not None)
        if self.process.poll() is not None:
            raise RuntimeError(f"gunicorn did not answer:\n{self.log.read_text()}")

    def answers(self) -> bool:
        """Does it show its page?"""
        with contextlib.suppress(OSError), urllib.request.urlopen(self.url, timeout=MAX_WAIT_S):
            return True
        return False

    def stop(self) -> None:
        """Ends it as a host does; returns when the last process has gone."""
        own = self.processes()
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(MAX_WAIT_S)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
        until(lambda: not any(alive(pid) for pid in own))

    def processes(self, words: str = "") -> list[int]:
        """All that belong to it, or those whose command has these words."""
        return processes_of(self.data, words)

    def answering(self) -> list[int]:
        """The processes of gunicorn that answer."""
        return [process for process in self.processes("gunicorn") if process != self.process.pid]

    def visitor(self) -> Visitor:
        """Somebody who has opened the page."""
        return Visitor(self.url)


class Visitor:
    """A browser as far as the server sees it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._browser = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        self._browser.open(url, timeout=MAX_WAIT_S).read()

    def post(self, path: str, body: dict) -> Any:
        """The answer's JSON, or its status where that is no success."""
        asked = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with self._browser.open(asked, timeout=MAX_WAIT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code

    def begin(self, scenario: dict, *schedulers: str) -> dict:
        """Press Run."""
        return self.post(
            "/jobs/run/start",
            {"scenario": scenario, "schedulers": list(schedulers or ("fifo",)), "look": LOOK},
        )

    def follow(self, answer: dict, holds: Callable[[dict], bool] = lambda answer: False) -> dict:
        """As the page's script does, until it has ended or something holds."""
        if "job" not in answer or holds(answer):
            return answer
        return until(lambda: self._asked_again(answer, holds), poll_s=0.1)

    def _asked_again(self, answer: dict, holds: Callable[[dict], bool]) -> dict | None:
        result = self.post("/jobs/run/follow", {"job": answer["job"], "look": LOOK})
        return result if "job" not in result or holds(result) else None

    def ran(self, scenario: dict, *schedulers: str) -> dict:
        """Press Run and wait: also a short run is followed where the machine is busy."""
        return self.follow(self.begin(scenario, *schedulers))

    def cancel(self, answer: dict) -> None:
        """Press Cancel."""
        self.post("/jobs/run/cancel", {"job": answer["job"]})


def processes_of(data: Path, words: str = "") -> list[int]:
    """The processes that keep their data there, or those of them whose command has these words."""
    rows = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            mine = f"GANTRY_DATA={data}\0" in (place / "environ").read_bytes().decode(errors="replace")
            if mine and words in (place / "cmdline").read_bytes().decode(errors="replace").replace("\0", " "):
                rows.append(int(place.name))
    return rows


def alive(process: int) -> bool:
    """Does it run, and is it more than a name its parent has not asked for yet?"""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def under_way(answer: dict) -> bool:
    """Has a process begun it?"""
    return "1 of 1: fifo" in answer["says"]
