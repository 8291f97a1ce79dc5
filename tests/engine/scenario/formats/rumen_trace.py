"""Parts of a Rumen trace."""

from __future__ import annotations

from typing import Any


def attempt(start: Any = 1000, finish: Any = 5000, host: Any = "/r/n1", **fields: Any) -> dict:
    return {
        "startTime": start,
        "finishTime": finish,
        "hostName": host,
        "shuffleFinished": -1,
        "clockSplits": [1, 2],
        **fields,
    }


def job(
    maps: list[dict], reduces: list[dict] | None = None, properties: dict | None = None, **fields: Any
) -> dict:
    tasks = {
        "mapTasks": [{"attempts": [own]} for own in maps],
        "reduceTasks": [{"attempts": [own]} for own in reduces or []],
    }
    return {
        "jobID": "job_1",
        "submitTime": 500,
        "queue": "a",
        "user": "ann",
        "jobProperties": properties or {},
        **tasks,
        **fields,
    }
