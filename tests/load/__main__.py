"""`python -m tests.load`: a class of 80 in ten minutes, and what they met; exit code 1 where a target is
missed or anything failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.browser.chromium import launched, watch
from tests.load.memory import Memory
from tests.load.recording import Recording, Visit, record
from tests.load.replay import Seen, Visitor
from tests.webapp.deployment.site import NAME, Behind, nginx

THINK_S = (5, 25)  # between two steps of a visitor, uniformly
OPENED_S, RUN_S, ZOOM_S, LOOK_S = 3.0, 1.5, 0.3, 1.0  # targets, of the slowest one in twenty
MOST_GROWTH = 1.1
SETTLED_S, MINUTE_S = 180, 60  # memory: the minute after so long is what the last one is compared to
PART = 0.95
TARGETS = {
    "open": OPENED_S,
    "link": OPENED_S,
    "run": RUN_S,
    "zoom": ZOOM_S,
    "exercise": OPENED_S,
    "answer": RUN_S,
    "look": LOOK_S,
}
TITLES = {
    "open": "open the page, to its charts",
    "link": "open a link, to its charts",
    "run": "click on Run, to the charts",
    "zoom": "zoom, to sharp charts",
    "exercise": "join a class, open its exercise",
    "answer": "answer it, to the verdict",
    "look": "look for what is new in the class",
}


def main() -> int:
    """Serve, record, replay, tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--visitors", type=int, default=80)
    parser.add_argument("--arrive", type=float, default=15, help="seconds in which they all come")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument(
        "--short", action="store_true", help="20 visitors in one minute; what fails counts, times don't"
    )
    parser.add_argument("--json", type=Path, help="write what was measured")
    chosen = parser.parse_args()
    if chosen.short:
        chosen.visitors, chosen.arrive, chosen.minutes = 20, 5, 1
    with (
        tempfile.TemporaryDirectory() as folder,
        launched(f"--host-resolver-rules=MAP {NAME} 127.0.0.1") as browser,
    ):
        server = Behind(Path(folder) / "data", {"GUNICORN_CMD_ARGS": ""})
        proxy = nginx(Path(folder) / "nginx", f"unix:{server.socket}")
        try:
            recording = record(browser, proxy.url)
            print(
                "Recorded "
                f"{', '.join(f'{len(result)} requests of {step}' for step, result in recording.steps.items())}.",  # noqa: E501
                flush=True,
            )
            memory = Memory(server.processes)
            seen, real = _lesson(browser, proxy.url, recording, chosen)
            memory.end()
        finally:
            proxy.stop()
            server.stop()
    rows = _rows(seen, real, memory, chosen)
    for row in rows:
        print(_line(row))
    for fault in sorted(set(seen.faults))[:20]:
        print(f"  {seen.faults.count(fault)} x {fault}")
    if chosen.json:
        chosen.json.write_text(
            json.dumps(
                {
                    "visitors": chosen.visitors,
                    "minutes": chosen.minutes,
                    "rows": rows,
                    "faults": seen.faults,
                    "memory": memory.samples,
                }
            )
        )
    return int(bool(seen.faults) or any(not row["met"] for row in rows) and not chosen.short)


def _lesson(browser: Any, url: str, recording: Recording, chosen: argparse.Namespace) -> tuple[Seen, Seen]:
    """All visitors at once, one of them real."""
    seen, real = Seen(), Seen()
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as replay:
        replaying = replay.submit(lambda: asyncio.run(_replayed(url, recording, seen, chosen)))
        time.sleep(chosen.arrive / 2)
        _measured(browser, url, recording.students, seen, real, begun + 60 * chosen.minutes)
        replaying.result()
    return seen, real


async def _replayed(url: str, recording: Recording, seen: Seen, chosen: argparse.Namespace) -> None:
    draw = random.Random(1)
    until = time.monotonic() + 60 * chosen.minutes

    async def come(number: int) -> None:
        await asyncio.sleep(chosen.arrive * number / chosen.visitors)
        await Visitor(url, recording, seen, number, lambda: draw.uniform(*THINK_S)).stay(until)

    teacher = Visitor(url, recording, seen, 0, lambda: 0.0)
    await asyncio.gather(teacher.watch(until, chosen.visitors - 1), *map(come, range(1, chosen.visitors)))


def _measured(browser: Any, url: str, students: str, seen: Seen, real: Seen, until: float) -> None:
    """A real Chromium does what the others do; what it finds wrong counts as theirs does."""
    lesson = 0
    while time.monotonic() < until:
        lesson += 1
        visit = Visit(browser, url)
        complaints = watch(visit.page)
        try:
            real.took("open", visit.open())
            visit.edit(f"19.{lesson:03d}")
            real.took("run", visit.run())
            for seconds in visit.zoom():
                real.took("zoom", seconds)
            real.took("link", visit.link(visit.share()))
            real.took("exercise", visit.exercise(students))
            for seconds in visit.answer():
                real.took("answer", seconds)
        except Exception as error:  # whatever keeps a visitor from working
            seen.faults.append(f"Chromium: {type(error).__name__} {str(error).splitlines()[0]}")
        seen.faults += [f"Chromium's console: {complaint}" for complaint in complaints]
        visit.close()


def _rows(seen: Seen, real: Seen, memory: Memory, chosen: argparse.Namespace) -> list[dict]:
    rows = []
    for whose, result in (("replayed", seen), ("Chromium", real)):
        for step, most_s in TARGETS.items():
            times = sorted(result.seconds.get(step, []))
            if times:
                slow = times[min(int(PART * len(times)), len(times) - 1)]
                rows.append(
                    {
                        "title": f"{TITLES[step]} ({whose})",
                        "times": len(times),
                        "middle": statistics.median(times),
                        "p95": slow,
                        "slowest": times[-1],
                        "most": most_s,
                        "met": slow < most_s,
                    }
                )
    whole = 60 * chosen.minutes
    if whole > SETTLED_S + 2 * MINUTE_S:
        first, last = memory.mean(SETTLED_S, SETTLED_S + MINUTE_S), memory.mean(whole - MINUTE_S, whole)
        rows.append(
            {
                "title": "memory of the server's processes",
                "first": first,
                "last": last,
                "met": last <= MOST_GROWTH * first,
            }
        )
    rows.append(
        {"title": "requests", "count": seen.requests, "faults": len(seen.faults), "met": not seen.faults}
    )
    return rows


def _line(row: dict) -> str:
    verdict = "" if row["met"] else "  MISSED"
    if "p95" in row:
        times = (
            f"median {row['middle']:.3f} s, p95 {row['p95']:.3f} s (under {row['most']:g} s), slowest "
            f"{row['slowest']:.3f} s"
        )
        return f"{row['title']:<45}{row['times']:>6} times, {times}{verdict}"
    if "first" in row:
        grown = f"{row['first']:.0f} MB in the fourth minute, {row['last']:.0f} MB in the last"
        return f"{row['title']:<45}{grown} (within {MOST_GROWTH:g} times){verdict}"
    return f"{row['title']:<45}{row['count']} sent, {row['faults']} faults{verdict}"


if __name__ == "__main__":
    sys.exit(main())
