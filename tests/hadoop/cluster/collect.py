"""What a run leaves behind, as files: histories and event logs, configuration, REST answers, and the
ResourceManager's log to check them by.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from engine.collect.single_file import FILE, single_file_program
from tests.hadoop.cluster.daemons import EVENT_LOGS, Cluster, StartupError

CHECKED = ("RMContainerImpl", "RMAppImpl", "FSAppAttempt", "RegularContainerAllocator", "RMAppAttemptImpl")


def archive(running: Cluster, to: Path, since_ms: int, *more: str) -> None:
    """What gantry-collect makes of the run, called as an engineer would: as one file, with the addresses and
    a time. DidNotStart with its words.
    """
    script = running.work / FILE
    script.write_bytes(single_file_program())
    servers = ["--rm", f"http://{running.addresses.manager}", "--jhs", f"http://{running.addresses.history}"]
    call = [
        sys.executable,
        "-I",
        str(script),
        *servers,
        "--from",
        str(since_ms),
        "--out",
        str(to),
        "--rate",
        "100",
        "--quiet",
        *more,
    ]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode:
        raise StartupError(f"gantry-collect ended with {done.returncode}:\n{done.stderr}")


def collect(running: Cluster, to: Path, before: dict[str, bytes], since_ms: int) -> None:
    """before: REST answers from before the batch, by name; since_ms: when the batch began."""
    archive(running, to / "rest.tar.gz", since_ms, "--history", str(running.work / EVENT_LOGS))
    archive(
        running,
        to / "history.tar.gz",
        since_ms,
        "--history",
        str(running.work / "history"),
        "--attempts",
        "none",
    )
    for name in ("history", "conf", "rest", "logs"):
        (to / name).mkdir()
    for path in (*running.history_files(), *(running.work / EVENT_LOGS).iterdir()):
        shutil.copy(path, to / "history")
    for path in (running.work / "conf").glob("*.xml"):
        shutil.copy(path, to / "conf")
    for name, answer in before.items():
        (to / "rest" / f"{name}-before.json").write_bytes(answer)
    for name in ("apps", "nodes", "scheduler", "info", "metrics"):
        (to / "rest" / f"{name}.json").write_bytes(running.rest_get(f"cluster/{name}"))
    _jobs(running, to / "rest")
    with (
        (running.work / "resourcemanager.log").open(encoding="utf-8") as log,
        (to / "logs" / "rm.log").open("w", encoding="utf-8") as kept,
    ):
        kept.writelines(line for line in log if any(f" {name}: " in line for name in CHECKED))
    for log in running.work.glob("nodes/*/logs/*/*_000001/syslog"):  # the masters'
        shutil.copy(log, to / "logs" / f"{log.parent.name}.syslog")


def _jobs(running: Cluster, to: Path) -> None:
    for app in running.value("cluster/apps")["apps"]["app"]:
        (to / f"{app['id']}.appattempts.json").write_bytes(
            running.rest_get(f"cluster/apps/{app['id']}/appattempts")
        )
    jobs = running.rest_get("history/mapreduce/jobs")
    (to / "jobs.json").write_bytes(jobs)
    for job in json.loads(jobs)["jobs"].get("job", ()):  # none where only Spark ran
        job_path = f"history/mapreduce/jobs/{job['id']}"
        (to / f"{job['id']}.json").write_bytes(running.rest_get(job_path))
        tasks = running.rest_get(f"{job_path}/tasks")
        (to / f"{job['id']}.tasks.json").write_bytes(tasks)
        for task in json.loads(tasks)["tasks"]["task"]:
            (to / f"{task['id']}.attempts.json").write_bytes(
                running.rest_get(f"{job_path}/tasks/{task['id']}/attempts")
            )
