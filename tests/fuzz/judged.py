"""The real application in this process, one request at a time, and what is wrong with an answer: its status,
its text, its time, what the log has, growth.
"""

from __future__ import annotations

import builtins
import faulthandler
import json
import logging
import os
import re
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

CPU_S = 2.0  # that an input may take of the thread that answers it
HANG_S = 30.0  # after which the process ends, and tells where each thread stands
MAX_GROWTH = 0.10
MIN_CHUNKS = 10  # from which on growth is judged
MAX_SHOWN_LENGTH = 600  # characters of an input
NAMES = sorted(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
)
LEAKED = re.compile(
    rf"Traceback \(most|\b(?:{'|'.join(NAMES)}|sqlalchemy\.|numpy\.|werkzeug\.)\b.{{0,3}}[:(]|File &?\"?/"
)
# Small limits, as an owner may set them: what is tried is what is refused and what is answered, not long
# work.
LIMITS = {
    "GANTRY_MAX_CONTAINERS": "2000",
    "GANTRY_MAX_SECONDS": "2",
    "GANTRY_MAX_QUEUE": "20",
    "GANTRY_CACHE_MB": "64",
    "GANTRY_WORKERS": "0",
}


@dataclass
class FuzzReport:
    """What a part has tried: how many inputs of each kind of answer, what was wrong (the shortest input of
    each kind of fault), memory after each chunk, MB.
    """

    inputs: int = 0
    answers: Counter = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)
    times: Counter = field(default_factory=Counter)
    slowest_s: float = 0.0
    memory_mb: list[float] = field(default_factory=list)

    def fault(self, what: str, given: str) -> None:
        """Note what is wrong."""
        self.times[what] += 1
        if what not in self.faults or len(given) < len(self.faults[what]):
            self.faults[what] = given

    @property
    def growth(self) -> float | None:
        """Of memory, the second half's middle to the first's, less 1; None where too little was tried to
        say.
        """
        if len(self.memory_mb) < MIN_CHUNKS:
            return None
        middle = lambda some: sorted(some)[len(some) // 2]
        half = len(self.memory_mb) // 2
        return middle(self.memory_mb[half:]) / middle(self.memory_mb[:half]) - 1

    def close(self) -> None:
        """Judge growth, once all is tried."""
        if self.growth is not None and self.growth > MAX_GROWTH:
            self.fault(
                f"memory grew by {100 * self.growth:.0f} %", ", ".join(f"{one:.0f}" for one in self.memory_mb)
            )

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {**vars(self), "growth": self.growth}


class ErrorLogHandler(logging.Handler):
    """Hears of each error with a traceback that the log is told, and each that ends a thread."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def listen(self) -> None:
        """From now on, and to nobody else: what is logged is looked at, not printed."""
        logging.getLogger().handlers = [self]
        threading.excepthook = lambda found: self.heard.append(where(found.exc_value))

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.heard.append(where(record.exc_info[1]))

    def taken(self) -> list[str]:
        """What was heard since the last time."""
        heard, self.heard = self.heard, []
        return heard


def where(error: BaseException) -> str:
    """Its name, what it says, and the last of our own lines it came through."""
    frames = [
        one
        for one in traceback.extract_tb(error.__traceback__)
        if Path(one.filename).is_relative_to(ROOT) and ".venv" not in one.filename
    ]
    last = f"{Path(frames[-1].filename).relative_to(ROOT)}:{frames[-1].lineno}" if frames else "a library"
    return f"{type(error).__name__} at {last}: {str(error)[:80]}"


def ours(fault: str) -> bool:
    """Did it come through our own code, beyond the application that only passes requests on?"""
    return " at a library:" not in fault and " at webapp/app.py:" not in fault


def at(given: str) -> None:
    """Say what is tried now, for whoever finds this process ended; it ends should that take HANG_S."""
    global _armed
    if time.monotonic() - _armed > 1:  # a thread of its own each time
        _armed = time.monotonic()
        faulthandler.dump_traceback_later(HANG_S, exit=True)
    if NOW:
        NOW.write_text(given[:20_000], "utf-8", "backslashreplace")


_armed = 0.0
NOW = Path(os.environ["GANTRY_FUZZ_NOW"]) if "GANTRY_FUZZ_NOW" in os.environ else None


def memory_mb() -> float:
    """Of this process, resident."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


class Application:
    """The real one, with a data folder of its own, as one visitor sees it."""

    def __init__(self) -> None:
        self.data = tempfile.TemporaryDirectory(prefix="gantry-fuzz-")
        for name in ("REDIS_URL", "DATABASE_URL", "GANTRY_TRUSTED_HOSTS"):
            os.environ.pop(name, None)
        os.environ |= {**LIMITS, "GANTRY_DATA": self.data.name}
        from webapp.app import app

        self.app, self.log = app, ErrorLogHandler()
        self.log.listen()
        self.client = app.server.test_client()
        self.client.get("/")

    def ask(
        self,
        tried: FuzzReport,
        method: str,
        path: str,
        given: str,
        check: Callable[[str], str] = lambda text: "",
        **more: Any,
    ) -> str:
        """Send a request and judge the answer, whose text is given back. given: the input in words; check:
        what is wrong with the text, in words.
        """
        tried.inputs += 1
        at(f"{method} {path} {given}")
        begun, wall = time.thread_time(), time.monotonic()
        told = f"{method} {path[:200]} {given[:MAX_SHOWN_LENGTH]}"
        try:
            answer = self.client.open(path, method=method, **more)
            status, text = answer.status_code, answer.get_data().decode("utf-8", "replace")
        except Exception as error:  # which a server would answer by 500
            tried.fault(f"raised {where(error)}", told)
            return ""
        taken = time.thread_time() - begun
        tried.slowest_s = max(tried.slowest_s, taken)
        tried.answers[str(status)] += 1
        if status >= 500:
            tried.fault(f"status {status} of {path.split('?')[0][:60]}", told)
        if taken > CPU_S or time.monotonic() - wall > HANG_S / 2:
            tried.fault(f"{path.split('?')[0][:60]} took {taken:.1f} s", told)
        static = any(
            part in path
            for part in (
                "/assets/",
                "/bundle/",
                "_dash-component-suites",
                "_dash-dependencies",
                "gantry_collect.py",
            )
        )
        if (
            not static
            and ("Error" in text or "Exception" in text or "Traceback" in text or "File " in text)
            and (leak := LEAKED.search(text))
        ):
            tried.fault(f"the answer has {leak[0]!r}", told)
        if "json" in (answer.mimetype or "") and (wrong := unreadable(text)):
            tried.fault(f"{path.split('?')[0][:60]} answers {wrong}", told)
        for heard in self.log.taken():
            if ours(heard):
                tried.fault(heard, told)
            else:
                tried.answers[f"{status}, told by a library"] += 1
        if wrong := check(text):
            tried.fault(wrong, told)
        return text


def unreadable(text: str) -> str:
    """What a browser would not read of an answer's JSON."""

    def constant(name: str) -> None:
        raise ValueError(name)

    if text[:1] in "{[" and "NaN" not in text and "Infinity" not in text:  # the rest is the library's
        return ""
    try:
        json.loads(text, parse_constant=constant)
    except ValueError as error:
        return f"what no browser reads ({str(error)[:40]})"
    return ""


def stop() -> None:
    """End this process with whatever still works in it."""
    faulthandler.cancel_dump_traceback_later()
    sys.stdout.flush()
    os._exit(0)
