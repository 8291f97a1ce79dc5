"""Equal runs are found, own and pinned ones apart, and quickly."""

from __future__ import annotations

import copy
import time

from webapp.jobs.job_manager import JobControl
from webapp.jobs.run_job import do_task
from webapp.runs.cache import SharedCache
from webapp.runs.identical_runs import equal_groups, first_equal
from webapp.runs.task import build_task, with_pinned
from webapp.url.url_state import RunRequest


def test_each_run_has_the_place_of_the_first_that_is_equal(cache: SharedCache, small: dict) -> None:
    small["jobs"][0] |= {"count": 4, "am": {"memory_mb": 1024, "vcores": 1}}
    task = build_task(RunRequest(small, ("fifo", "fair+admit-all", "fifo(resources=memory)")))
    assert equal_groups(task) == first_equal(task.outcomes()) == (0, 1, 0)


def test_what_is_pinned_equals_what_is_pinned_alone(cache: SharedCache, small: dict) -> None:
    other = copy.deepcopy(small) | {"name": "other"}
    both = with_pinned(
        build_task(RunRequest(small, ("fifo", "fair"))),
        build_task(RunRequest(other, ("fifo", "fair"))),
    )
    assert [shown_run.name for shown_run in both.shown] == ["fifo", "fifo", "fair", "fair"]
    assert equal_groups(both) == (0, 1, 0, 1)


def test_many_containers_cost_little(cache: SharedCache, small: dict) -> None:
    small["cluster"]["nodes"][0]["count"] = 2_000
    small["jobs"][0]["maps"]["count"] = 200_000
    task = build_task(RunRequest(small, ("fifo",)))
    do_task(task, JobControl(1))
    begun = time.process_time()
    equal_groups(task)
    assert time.process_time() - begun < 1
