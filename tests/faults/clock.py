"""The clock set back by an hour under a server that runs: what its processes read of it is moved, as they
start, by a file that all of them follow.

libfaketime, which would do so for any program, breaks the sleep of Python's own on the steady clock.
"""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

from tests.faults.fault import Failed, Found, fault
from tests.faults.visit import crowd, visiting
from tests.phrases import phrase

MOVED = """
import time
real = time.time

def moved():
    with open({clock!r}) as file:
        return real() + float(file.read() or 0)

time.time = moved
"""


@fault(
    "the clock is set back by an hour in a run whose processes then die: it is done again, and no time "
    "left of an hour is told"
)
def clock_set_back() -> Found:
    with tempfile.TemporaryDirectory(prefix="gantry-clock-") as name:
        place = Path(name)
        clock = place / "clock"
        clock.write_text("0")
        (place / "sitecustomize.py").write_text(MOVED.format(clock=str(clock)))
        with visiting({"PYTHONPATH": name}) as visit:
            visit.compose(crowd(40_000), ["fifo"])
            visit.press()
            visit.hears("^1 of 1: fifo", 60)
            os.replace(_written(place / "later", "-3600"), clock)
            visit.page.wait_for_timeout(3_000)
            if "min left" in (text := visit.hears("^1 of 1: fifo")):
                raise Failed(f"the page said {text!r}")
            # nobody is left who knows whose work it was
            for process in visit.served.processes("webapp.jobs"):
                os.kill(process, signal.SIGKILL)
            visit.over()
            said = visit.hears("|".join(("^1 of 1: fifo", "^" + phrase("faults.waiting_for_free_process"))))
            visit.ran()
            return visit.found(said)


def _written(place: Path, text: str) -> Path:
    place.write_text(text)
    return place
