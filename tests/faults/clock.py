"""The clock set back by an hour under a server that runs; libfaketime moves what its processes read."""

from __future__ import annotations

import os
import signal
import tempfile
from glob import glob
from pathlib import Path

from tests.faults.fault import Failed, Found, NotRun, fault
from tests.faults.visit import crowd, visiting

LIBRARY = "/usr/lib/*/faketime/libfaketimeMT.so.1"


@fault("the clock is set back by an hour in a run whose processes then die: it is done again, and no time left of an hour is told")
def clock_set_back() -> Found:
    library = next(iter(glob(LIBRARY)), None)
    if library is None:
        raise NotRun("no libfaketime on this machine: it is in the system's package faketime")
    with tempfile.TemporaryDirectory(prefix="gantry-clock-") as place:
        clock = Path(place) / "clock"
        clock.write_text("+0")
        under = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        with visiting({**under, "NO_FAKE_STAT": "1"}) as visit:
            visit.compose(crowd(40_000), ["fifo"])
            visit.press()
            visit.hears("^1 of 1: fifo", 60)
            clock.write_text("-3600")
            visit.page.wait_for_timeout(3_000)
            if "min left" in (text := visit.hears("^1 of 1: fifo")):
                raise Failed(f"the page said {text!r}")
            for one in visit.served.processes("webapp.work"):  # nobody is left who knows whose work it was
                os.kill(one, signal.SIGKILL)
            visit.over()
            said = visit.hears("^Waiting for a free process", 40)
            visit.ran(90)
            return visit.found(said)
