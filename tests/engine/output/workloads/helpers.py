"""Writing scenarios as other tools' files, and reading those."""

from __future__ import annotations

import io
from collections import Counter
from typing import Any

from engine import Scenario
from engine.dashboard import Notes, workload_text
from engine.scenario.formats.readers import ImportedScenario, read

TASK = {"memory_mb": 1024, "vcores": 1}


def job(**fields: Any) -> dict[str, Any]:
    return {"name": "one", "maps": {"count": 3, **TASK, "duration_s": 10}} | fields


def scenario(*jobs: dict[str, Any], **cluster: Any) -> Scenario:
    nodes = [{"name": "n", "count": 2, "memory_mb": 8192, "vcores": 8}]
    queues = {one["queue"] for one in jobs if one.get("queue", "root.default") != "root.default"}
    return Scenario.of(
        {
            "version": 1,
            "cluster": {"nodes": nodes} | cluster,
            "queues": [{"name": name} for name in sorted(queues)],
            "jobs": [*jobs],
        }
    )


def text_of(one: Scenario, kind: str) -> tuple[str, list[str]]:
    """The file, and what it lost."""
    notes = Notes()
    return "".join(workload_text(one, kind, notes)), notes.sentences()


def read_again(one: Scenario, kind: str, nodes: bytes | None = None) -> ImportedScenario:
    """What the reader makes of the file, on these nodes, else the scenario's."""
    nodes = nodes or text_of(one, "sls-nodes")[0].encode()
    return read(kind, io.BytesIO(text_of(one, kind)[0].encode()), io.BytesIO(nodes))


def tasks(one: Scenario) -> Counter:
    """Of each job, as the engine would run it: arrival in ms, queue, user, times of its maps and of its
    reduces in ms.
    """
    from engine.output.workloads.job_rows import job_rows

    times = lambda rows: tuple(rows.reshape(-1).tolist())
    return Counter(
        (row.arrival_ms, row.queue, row.user, times(row.maps), times(row.reduces))
        for row in job_rows(one, Notes())
    )
