"""`python -m tests.faults`: brings each fault about, and prints what the page said, when all worked again,
and whether anything was lost.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time

from playwright.sync_api import Error

from tests.browser.chromium import launched
from tests.faults import visit
from tests.faults.fault import FAULTS, Failed, Fault, NotRun
from tests.webapp.real_stores import NotHere

KINDS = ("processes", "cache", "database", "redis", "clients", "clock")


def main() -> int:
    """0 where every fault that could be brought about ended well."""
    for kind in KINDS:
        importlib.import_module(f"tests.faults.{kind}")
    call = argparse.ArgumentParser(
        prog="python -m tests.faults",
        description="Brings faults about and looks what the page says and what is lost.",
    )
    call.add_argument("names", nargs="*", metavar="fault", help=f"some of {', '.join(FAULTS)}")
    call.add_argument("--short", action="store_true", help="the most telling ones, within three minutes")
    asked = call.parse_args()
    if unknown := [name for name in asked.names if name not in FAULTS]:
        call.error(f"{unknown[0]} is none of {', '.join(FAULTS)}")
    chosen = [FAULTS[name] for name in asked.names] or [
        fault for fault in FAULTS.values() if fault.short or not asked.short
    ]
    with launched() as browser:
        visit.browser[:] = [browser]
        ended = [_try(one) for one in chosen]
    print(
        f"{ended.count('well')} ended well, {ended.count('FAILED')} failed, {ended.count('not run')} not run."
    )
    return 1 if "FAILED" in ended else 0


def _try(one: Fault) -> str:
    begun = time.monotonic()
    try:
        result = one.act()
        how, says = (
            "well",
            f"{result.again_s:5.1f} s until all worked again; nothing lost; the page said: {result.said}",
        )
    except (NotRun, NotHere) as error:
        how, says = "not run", str(error)
    except (Failed, AssertionError, Error, OSError, RuntimeError) as error:
        how, says = "FAILED", f"{type(error).__name__}: {error}"
    print(f"{how:8}{one.name:28}{time.monotonic() - begun:5.0f} s  {one.about}\n        {says}", flush=True)
    return how


if __name__ == "__main__":
    sys.exit(main())
