"""How long a large workload takes to be read: 10,000 jobs with 2,000,000 tasks of SLS, a task an object with
times and a host of its own, and of SWIM.

Each is read in a process of its own, for its memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.browser.server import ROOT

JOBS, TASKS, NODES = 10_000, 200, 1_000
MAX_S, MAX_MB = 60, 2048
READ = """import json, resource, sys, time
from engine import read
kind, path = sys.argv[1:]
with open(path, "rb") as stream:
    begun = time.process_time()
    jobs = read(kind, stream).scenario.jobs
    seconds = time.process_time() - begun
tasks = sum(job.maps.count + (job.reduces.count if job.reduces else 0) for job in jobs)
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(jobs), tasks]))
"""


def formats() -> Iterator[dict]:
    """A row a format: seconds of the process's own time, and the most memory it had."""
    with tempfile.TemporaryDirectory() as folder:
        for kind, lines in (("sls", sls()), ("swim", swim())):
            path = Path(folder, kind)
            with path.open("w", encoding="utf-8") as out:
                out.writelines(lines)
            size = path.stat().st_size / 1e6
            seconds, memory, jobs, tasks = json.loads(
                subprocess.check_output([sys.executable, "-c", READ, kind, str(path)], cwd=ROOT)
            )
            title = f"{jobs:,} jobs with {tasks:,} tasks of {kind.upper()} read, {size:,.0f} MB"
            met = seconds < MAX_S and memory < MAX_MB
            yield {
                "part": "formats",
                "title": title,
                "seconds": seconds,
                "shown": f"{memory:,.0f} MB of memory,",
                "target": "under 60 s and 2 GB",
                "met": met,
            }


def sls() -> Iterator[str]:
    """Its jobs file, a line a job."""
    rng = Random("sls")
    for job in range(JOBS):
        tasks = []
        for index in range(TASKS):
            begin, span = rng.randrange(10**6), rng.randrange(1000, 60_000)
            times = {"container.start.ms": begin, "container.end.ms": begin + span}
            kind = "map" if index < 0.9 * TASKS else "reduce"
            tasks.append(
                {
                    "container.host": f"/default-rack/node{rng.randrange(NODES)}",
                    **times,
                    "container.priority": 20,
                    "container.type": kind,
                }
            )
        job_fields = {
            "am.type": "mapreduce",
            "job.start.ms": 500 * job,
            "job.queue.name": f"q{job % 5}",
            "job.id": f"job_{job}",
            "job.user": f"u{job % 20}",
        }
        yield json.dumps({**job_fields, "job.tasks": tasks}) + "\n"


def swim() -> Iterator[str]:
    """Its tab-separated lines, of as many blocks as the others have maps."""
    for job in range(JOBS):
        yield f"job{job}\t{job}\t1\t{TASKS * 2**27}\t{job}\t{job}\n"
