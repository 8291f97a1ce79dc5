"""How fast job histories are read, in both forms, and made into a scenario: of this process's own time, with
the counters that a task has.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

from engine.scenario.formats.json_stream import Source
from engine.scenario.history.history_scenario import scenario_from_history
from engine.scenario.history.jhist import add_jhist
from engine.scenario.history.records import History
from tests.engine.scenario.history.job_histories import Job

JOBS, TASKS = 20, 250
COUNTERS = 50  # of a task, some 3.5 KB of JSON; they stand with its attempt and with the task
MIN_MB_S = 40.0


def histories() -> Iterator[dict]:
    """Two rows of reading, one of making."""
    jobs = [_job(number) for number in range(1, JOBS + 1)]
    for form in ("json", "binary"):
        files = [getattr(job, form)() for job in jobs]
        size = sum(map(len, files)) / 1e6
        history = History()
        started = time.process_time()
        for index, data in enumerate(files):
            add_jhist(history, Source(io.BytesIO(data), is_json=False), f"{index}.jhist")
        seconds = time.process_time() - started
        row = {
            "part": "histories",
            "title": f"{size:,.0f} MB of job history, {form}",
            "seconds": seconds,
            "shown": f"{size / seconds:,.0f} MB/s",
        }
        yield row | (
            {"target": f"{MIN_MB_S:.0f} MB/s or better", "met": size / seconds >= MIN_MB_S}
            if form == "json"
            else {}
        )
    started = time.process_time()
    scenario_from_history(history, None, "")
    seconds = time.process_time() - started
    yield {
        "part": "histories",
        "title": f"{JOBS * TASKS:,} tasks into a scenario",
        "seconds": seconds,
        "shown": f"{JOBS * TASKS / seconds:,.0f} tasks/s",
    }


def _job(number: int) -> Job:
    job = Job(number, number).master(number + 1).inited(number + 3, TASKS)
    for index in range(TASKS):
        job.task(
            "map",
            index,
            number + 5 + index % 40,
            number + 20 + index % 60,
            host=f"node{index % 50}",
            more=COUNTERS,
        )
        job.add("TASK_FINISHED", "TaskFinished", taskid="", counters=job.events[-1][2]["counters"])
    return job.finished(number + 90)
