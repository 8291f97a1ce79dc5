"""How fast job histories are read, in both forms, and made into a scenario: of this process's own time, with the counters that a task has."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

from engine.scenario.formats.stream import Source
from engine.scenario.history.jhist import add_jhist
from engine.scenario.history.making import made
from engine.scenario.history.records import History
from tests.engine.scenario.history.job_histories import Job

JOBS, TASKS = 20, 250
COUNTERS = 50  # of a task, some 3.5 KB of JSON; they stand with its attempt and with the task
LEAST_MB_S = 40.0


def histories() -> Iterator[dict]:
    """Two rows of reading, one of making."""
    jobs = [_job(number) for number in range(1, JOBS + 1)]
    for form in ("json", "binary"):
        files = [getattr(job, form)() for job in jobs]
        size = sum(map(len, files)) / 1e6
        history = History()
        began = time.process_time()
        for place, data in enumerate(files):
            add_jhist(history, Source(io.BytesIO(data), of_json=False), f"{place}.jhist")
        took = time.process_time() - began
        row = {"part": "histories", "title": f"{size:,.0f} MB of job history, {form}", "seconds": took, "shown": f"{size / took:,.0f} MB/s"}
        yield row | ({"target": f"{LEAST_MB_S:.0f} MB/s or better", "met": size / took >= LEAST_MB_S} if form == "json" else {})
    began = time.process_time()
    made(history, None, "")
    took = time.process_time() - began
    yield {"part": "histories", "title": f"{JOBS * TASKS:,} tasks into a scenario", "seconds": took, "shown": f"{JOBS * TASKS / took:,.0f} tasks/s"}


def _job(number: int) -> Job:
    job = Job(number, number).master(number + 1).inited(number + 3, TASKS)
    for index in range(TASKS):
        job.task("map", index, number + 5 + index % 40, number + 20 + index % 60, host=f"node{index % 50}", more=COUNTERS)
        job.add("TASK_FINISHED", "TaskFinished", taskid="", counters=job.events[-1][2]["counters"])
    return job.finished(number + 90)
