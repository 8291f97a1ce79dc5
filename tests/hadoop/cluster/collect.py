"""What a run leaves behind, as files: histories, configuration, REST answers, and the ResourceManager's log to check them by."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.hadoop.cluster.daemons import Cluster

CHECKED = ("RMContainerImpl", "RMAppImpl", "FSAppAttempt", "RegularContainerAllocator", "RMAppAttemptImpl")


def collect(running: Cluster, to: Path, before: dict[str, bytes]) -> None:
    """before: REST answers from before the batch, by name."""
    for name in ("history", "conf", "rest", "logs"):
        (to / name).mkdir()
    for path in running.history_files():
        shutil.copy(path, to / "history")
    for path in (running.work / "conf").glob("*.xml"):
        shutil.copy(path, to / "conf")
    for name, answer in before.items():
        (to / "rest" / f"{name}-before.json").write_bytes(answer)
    for name in ("apps", "nodes", "scheduler", "info", "metrics"):
        (to / "rest" / f"{name}.json").write_bytes(running.asked(f"cluster/{name}"))
    _jobs(running, to / "rest")
    with (running.work / "resourcemanager.log").open(encoding="utf-8") as log, (to / "logs" / "rm.log").open("w", encoding="utf-8") as kept:
        kept.writelines(line for line in log if any(f" {name}: " in line for name in CHECKED))
    for log in running.work.glob("nodes/*/logs/*/*_000001/syslog"):  # the masters'
        shutil.copy(log, to / "logs" / f"{log.parent.name}.syslog")


def _jobs(running: Cluster, to: Path) -> None:
    for app in running.value("cluster/apps")["apps"]["app"]:
        (to / f"{app['id']}.appattempts.json").write_bytes(running.asked(f"cluster/apps/{app['id']}/appattempts"))
    jobs = running.asked("history/mapreduce/jobs")
    (to / "jobs.json").write_bytes(jobs)
    for job in json.loads(jobs)["jobs"]["job"]:
        asked = f"history/mapreduce/jobs/{job['id']}"
        (to / f"{job['id']}.json").write_bytes(running.asked(asked))
        tasks = running.asked(f"{asked}/tasks")
        (to / f"{job['id']}.tasks.json").write_bytes(tasks)
        for task in json.loads(tasks)["tasks"]["task"]:
            (to / f"{task['id']}.attempts.json").write_bytes(running.asked(f"{asked}/tasks/{task['id']}/attempts"))
