"""Two runs between which jobs gain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import difference
from engine.dashboard import NONE, Difference
from engine.schedulers.view import MAP
from tests.webapp.handmade_runs import run


def changing(before: list[int], after: list[int]) -> Difference:
    """From finishes in ms under fifo to those under fair."""
    made = run(
        [{"kind": MAP, "start": 0, "end": 9_000}],
        jobs=len(before),
        names=[f"<j{number}>" for number in range(len(before))],
    )
    a, b = (
        replace(made, scheduler=name, jobs=made.jobs._replace(finish=np.array(ms)))
        for name, ms in (("fifo", before), ("fair", after))
    )
    return difference(a, b)


OF = changing([10_000, 20_000, 30_000, 40_000, NONE], [12_500, 20_000, 29_000, NONE, 5_000])
