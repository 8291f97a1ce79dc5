"""Jobs of which the admission rules let some wait."""

from __future__ import annotations

from tests.engine.results import result_of
from tests.small_scenarios import job, master, node, of, scenario, tasks


def jobs_66(am, task=4, maps=2):
    """66 jobs at once on 8 nodes of 8 vcores, one container a heartbeat (autoadmin §2.3)."""
    one = job(
        "j", tasks(maps, 20.0, vcores=task), tasks(1, 10.0, vcores=task), am=master(5.0, vcores=am), count=66
    )
    return scenario([node(800, 8, count=8)], [one], heartbeat_ms=1000, each=1)


def late():
    """10 vcores, floor .5: masters may hold 5. a 3 at 0 (done at 41), b 3 at 1, c 1 at 2, d 2 at 3; nothing
    else runs before 40 s.
    """
    jobs = [
        job(name, tasks(1, 1.0), am=master(40.0, vcores=size), arrival_s=at)
        for at, (name, size) in enumerate(zip("abcd", (3, 3, 1, 2)))
    ]
    return scenario([node(99, 10)], jobs)


def started(run):
    return {c.job: c.start / 1000 for c in of(result_of(run), "am")}
