"""Accounts of a capacity."""

from __future__ import annotations

from engine import capacity_split
from engine.schedulers.view import MAP, REDUCE
from tests.webapp.handmade_runs import run
from webapp.figures.charts.capacity_bars import capacity_account

SHORT = run([{"kind": MAP, "start": 0, "end": 10_000}])
LONG = run(
    [
        {"kind": MAP, "start": 0, "end": 10_000},
        {"kind": REDUCE, "start": 0, "end": 30_000, "shuffle_end": 12_000},
    ]
)
ACCOUNTS = [capacity_account(one, capacity_split(one)) for one in (SHORT, LONG)]
