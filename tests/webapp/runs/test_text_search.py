"""A search by a job's name, a container's, a node's, a user's or a queue's, in every run that is shown."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from engine.dashboard import NONE, name_of
from webapp.jobs.job_manager import JobControl
from webapp.jobs.run_job import do_task
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task, with_pinned
from webapp.runs.text_search import find_matches, same_attempt_elsewhere
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(small: dict[str, Any], cache: SharedCache) -> Task:
    """Two jobs, one with a master, on two nodes."""
    first = small["jobs"][0]
    small["cluster"]["nodes"] = [{"name": "n", "count": 2, "memory_mb": 2048, "vcores": 2}]
    small["queues"] = [{"name": "root.prod"}]
    small["jobs"] = [
        first | {"name": "sort", "user": "ann"},
        first | {"name": "sort2", "user": "joe", "queue": "root.prod", "am": {"memory_mb": 512, "vcores": 1}},
    ]
    return build_task(RunRequest(small, ("fifo", "fair")))


def named(task: Task, text: str) -> list[list[str]]:
    """The containers found in each run."""
    result = find_matches(task, text)
    assert result
    return [
        [name_of(shown_run.outcome.run, number) for number in some.tolist()]
        for shown_run, some in zip(task.shown, result.containers)
    ]


def test_a_part_of_a_jobs_name_finds_its_containers_in_the_order_of_start(task) -> None:
    result = find_matches(task, "SOR")
    assert (result.kind, result.names) == ("job", ("sort", "sort2"))
    for shown_run, some in zip(task.shown, result.containers):
        assert len(some) == 3 + 4
        assert (np.diff(shown_run.outcome.run.containers.start[some]) >= 0).all()


def test_a_whole_name_comes_before_a_part(task) -> None:
    result = find_matches(task, "sort")
    assert (result.names, result.selection) == (("sort",), "job:sort")
    assert sorted(named(task, "sort")[0]) == ["sort/1/map/0/1", "sort/1/map/1/1", "sort/1/reduce/0/1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sort/1/map/1", ["sort/1/map/1/1"]),
        ("sort/1/map", ["sort/1/map/0/1", "sort/1/map/1/1"]),
        ("sort2/1/reduce/0/1", ["sort2/1/reduce/0/1"]),
        (" sort2/1/master ", ["sort2/1/am/0/1"]),
        ("Sort2/1/am/0", ["sort2/1/am/0/1"]),
    ],
)
def test_a_container_is_found_as_the_command_line_writes_it(task, text, expected) -> None:
    assert [sorted(names) for names in named(task, text)] == [expected] * 2


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [("n-1", "node", ("n-1",)), ("ann", "user", ("ann",)), ("PROD", "queue", ("root.prod",))],
)
def test_nodes_users_and_queues_find_what_ran_there_or_is_theirs(task, text, kind, names) -> None:
    result = find_matches(task, text)
    assert (result.kind, result.names, result.selection) == (kind, names, f"{kind}:{names[0]}")
    c = task.shown[0].outcome.run.containers
    mine = {"node": c.node == 0, "user": c.job == 0, "queue": c.job == 1}[kind]
    assert result.containers[0].tolist() == np.flatnonzero(mine).tolist()


@pytest.mark.parametrize("text", ["", "  ", "nothing", "sort/1/map/7", "sort/9/map/0", "sort/1/map/0/2"])
def test_nothing_is_no_match(task, text) -> None:
    assert find_matches(task, text) is None


def test_enter_goes_on_and_round(task) -> None:
    result = find_matches(task, "sort/1/map")
    first, second = result.containers[1].tolist()
    assert [result.container(1, number) for number in (0, 1, 2)] == [first, second, first]


def test_a_match_is_marked_in_every_scheduler(task) -> None:
    for number in range(len(task.shown[0].outcome.run.containers.job)):
        result = same_attempt_elsewhere(task, 0, number)
        names = [
            name_of(shown_run.outcome.run, container) for shown_run, container in zip(task.shown, result)
        ]
        assert result[0] == number
        assert names[0] == names[1]


def test_a_job_that_never_started_is_found_and_says_so(small, cache) -> None:
    first = small["jobs"][0]
    reduces = first["reduces"] | {"memory_mb": 4096}
    small["jobs"] = [
        first | {"am": {"memory_mb": 2048, "vcores": 1}, "reduces": reduces},
        first | {"name": "two", "am": {"memory_mb": 4096, "vcores": 1}},
    ]
    task = build_task(RunRequest(small, ("fifo",)))
    result = find_matches(task, "two")
    assert task.shown[0].outcome.run.jobs.start.tolist()[1] == NONE
    assert result.container(0, 3) is None


def test_a_pinned_scenario_may_have_other_names(task, small) -> None:
    small["jobs"] = [small["jobs"][0] | {"name": "join"}]
    both = with_pinned(build_task(RunRequest(small, ("fifo",))), task)
    assert [len(some) for some in find_matches(both, "join").containers] == [3, 0, 0]
    assert [len(some) for some in find_matches(both, "ann").containers] == [3, 3, 3]
    assert same_attempt_elsewhere(both, 0, 0) == [0, None, None]


def test_a_million_containers_are_searched_in_a_moment(small, cache) -> None:
    task_of = {"memory_mb": 1, "vcores": 1, "duration_s": 1}
    small["cluster"]["nodes"] = [{"name": "n", "count": 1000, "memory_mb": 1000, "vcores": 1000}]
    small["jobs"] = [{"name": f"job{number:04}", "maps": task_of | {"count": 1000}} for number in range(1000)]
    task = build_task(RunRequest(small, ("fifo",)))
    do_task(task, JobControl(1))
    assert len(task.shown[0].outcome.run.containers.job) == 1_000_000
    took = []
    for text in ("job0042", "job", "n-17", "job0042/1/map/7", "nothing"):
        before = time.thread_time()
        find_matches(task, text)
        took.append(time.thread_time() - before)
    assert max(took) < 0.1
