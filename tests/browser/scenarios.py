"""Scenarios so small that a run of them is told at once."""

from __future__ import annotations

SMALL = {
    "version": 1,
    "name": "Small",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {"name": "job", "count": 2, "maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
    ],
}
