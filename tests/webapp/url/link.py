"""A link."""

from __future__ import annotations

from datetime import UTC, datetime

from webapp.url.links import Link

LINK = Link(
    id="0123456789abcdef",
    title="Four jobs, ünïcode",
    scenario={"version": 1, "name": "Four jobs, ünïcode", "x_note": [1, 2.5, None]},
    schedulers=("fair", "haste+lazy-start"),
    metrics=[{"makespan_s": 12.5, "killed_containers": 0}, {"makespan_s": None}],
    version="0.1.0",
    created=datetime(2026, 11, 21, 10, 30, tzinfo=UTC),
)
