"""Jobs whose ApplicationMasters wait."""

from __future__ import annotations

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.small_scenarios import job, master, of, tasks


def waiting_jobs(name="j", count=9, startup=50.0, memory=1, vcores=1, **more):
    """Jobs whose masters last 50 s before anything else runs."""
    return job(name, tasks(1, 5.0), am=master(startup, memory, vcores), count=count, **more)


def at_0(found, text):
    """How many masters of each job group start at once."""
    names = [
        c.job.rpartition("-")[0] or c.job for c in of(result_of(simulate(found, text)), "am") if c.start == 0
    ]
    return {name: names.count(name) for name in dict.fromkeys(names)}
