"""Room for the masters of a record: what nodes of unknown size get, and a queue's limit where sizes are
known.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import simulate
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.history.history_scenario import scenario_from_history
from engine.scenario.history.jhist import add_jhist
from engine.scenario.history.records import History, NodeRecord
from tests.engine.scenario.history.job_histories import Job, history_of, plain_job, told
from tests.phrases import phrase


def job_of(number: int, at: float, queue: str, host: str = "n1") -> Job:
    """One map beside its master on a host."""
    job = Job(number, at, queue=queue).master(at + 1, host).inited(at + 3, 1)
    return job.task("map", 0, at + 5, at + 10, host).finished(at + 11)


def read(history: History) -> ImportedScenario:
    return scenario_from_history(history, None, "title")


def sizes(result: ImportedScenario) -> list[tuple[int, int, int]]:
    return [(group.count, group.memory_mb, group.vcores) for group in result.scenario.cluster.nodes]


def ends(result: ImportedScenario, scheduler: str = "fair") -> str:
    return simulate(result.scenario, scheduler).status


def test_a_master_that_held_more_than_half_of_what_ran() -> None:
    """1,536 MB and a map of 1,024: 2,560 MB would leave masters 1,280."""
    result = read(history_of(job_of(1, 0, "a")))
    assert sizes(result) == [(1, 3072, 2)] and ends(result) == "finished"
    assert told(result, phrase("history.node_has_size_nothing_says", 1, "3,072"))


def test_tasks_without_a_host_run_at_a_time_on_the_node_that_stands_in() -> None:
    job = Job().inited(3, 3)
    for index in range(3):
        job.task("map", index, 5, 10, host="")
    result = read(history_of(job.finished(11)))
    assert sizes(result) == [(1, 3072, 3)] and ends(result) == "finished"


def test_queues_share_the_cluster_whose_half_their_masters_have() -> None:
    """Four leaves have jobs at a time: those two of `users` a sixth each, the others a third."""
    queues = ("a", "b", "users.ann", "users.bob")
    result = read(history_of(*(job_of(number, 0, queue) for number, queue in enumerate(queues, 1))))
    assert sizes(result) == [(1, 2 * 6 * 1536, 12)] and ends(result) == "finished"


def test_queues_that_followed_each_other_may_meet_where_a_run_is_late() -> None:
    apart = read(history_of(job_of(1, 0, "a"), job_of(2, 100, "b")))
    close = read(history_of(job_of(1, 0, "a"), job_of(2, 15, "b")))
    assert sizes(apart) == [(1, 3072, 2)] and sizes(close) == [(1, 6144, 4)]


def test_where_sizes_are_known_the_queue_s_limit_is_what_its_masters_held() -> None:
    history = history_of(job_of(1, 0, "a"), job_of(2, 0, "b"))
    history.nodes["n1:8042"] = NodeRecord("n1:8042", "/r", 5120, 4)
    result = read(history)
    assert sizes(result) == [(1, 5120, 4)] and ends(result) == "finished"
    assert [(queue.name, queue.max_am_share) for queue in result.scenario.queues] == [
        ("root.a", 0.6),
        ("root.b", 0.6),
    ]
    assert told(result, phrase("history.masters_held_more_than_half", "root.a", "1,536", 1, 0.6))


def test_masters_of_more_than_a_queue_s_share_have_no_limit() -> None:
    history = history_of(job_of(1, 0, "a"), job_of(2, 0, "a"), job_of(3, 0, "default"))
    history.nodes["n1:8042"] = NodeRecord("n1:8042", "/r", 5632, 6)
    result = read(history)
    assert [(queue.name, queue.max_am_share) for queue in result.scenario.queues] == [
        ("root.a", -1),
        ("root.default", 0.546),
    ]
    assert ends(result) == "finished"


def test_a_limit_that_holds_is_left_alone() -> None:
    history = history_of(plain_job())
    for host in ("n1:8042", "n2:8042"):
        history.nodes[host] = NodeRecord(host, "/r", 8192, 8)
    assert [queue.max_am_share for queue in read(history).scenario.queues] == [None]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_ran_can_run(seed: int) -> None:
    """Jobs of any queues on some hosts of unknown size."""
    rng = random.Random(seed)
    hosts = [f"n{number}" for number in range(rng.randint(1, 3))]
    jobs = []
    for number in range(1, rng.randint(2, 8)):
        at = rng.choice((0, rng.uniform(0, 40)))
        job = Job(number, at, queue=rng.choice(("a", "b", "users.ann", "users.bob", "default")))
        job.master(at + rng.uniform(0, 20), rng.choice(hosts)).inited(at + 21, 3, 1)
        for index in range(3):
            job.task("map", index, at + 23 + index, at + 30 + rng.uniform(0, 9), rng.choice(hosts))
        jobs.append(
            job.task("reduce", 0, at + 40, at + 45, rng.choice(hosts), shuffled=at + 41).finished(at + 46)
        )
    result = read(history_of(*jobs, mapreduce__reduce__memory__mb=str(rng.choice((1024, 4096)))))
    assert {scheduler: ends(result, scheduler) for scheduler in ("fair", "drf", "capacity")} == dict.fromkeys(
        ("fair", "drf", "capacity"), "finished"
    )


def tight(history: History, hosts: int, memory_mb: int, vcores: int = 8) -> ImportedScenario:
    """On hosts n1, n2, … of a known size."""
    for number in range(1, hosts + 1):
        key = f"n{number}:8042"
        history.nodes[key] = NodeRecord(key, "/r", memory_mb, vcores)
    return read(history)


def most_running(result: ImportedScenario) -> int | None:
    return next((queue.max_running_apps for queue in result.scenario.queues if queue.name == "root"), None)


def test_no_more_applications_run_than_leave_the_largest_task_room() -> None:
    """Beside a map of 1,024 MB a node of 4,096 has room for two masters of 1,536; five fill both nodes, one
    of them by waiting where it is reserved, and all nodes together have room for four.
    """
    jobs = [job_of(number, number, "a", f"n{1 + number % 2}") for number in range(1, 8)]
    result = tight(history_of(*jobs), 2, 4096)
    assert most_running(result) == 4
    assert told(
        result,
        phrase("history.masters_may_fill_all_nodes", "5 ApplicationMasters", "1,024", 1, "4 applications"),
    )
    assert {name: ends(result, name) for name in LIMITED} == dict.fromkeys(LIMITED, "finished")
    assert most_running(tight(history_of(*jobs[:2]), 2, 4096)) is None, "no more may meet"


def test_where_one_master_may_take_the_only_room_that_is_told() -> None:
    """The master of 1,024 MB lay on n2, where the map of 2,048 has no room, and may start on n1."""
    job = Job(1, 0, queue="a").master(1, "n2").inited(3, 1).task("map", 0, 5, 10, "n1").finished(11)
    history = history_of(job, mapreduce__map__memory__mb="2048")
    for host, memory_mb in (("n1:8042", 2048), ("n2:8042", 1024)):
        history.nodes[host] = NodeRecord(host, "/r", memory_mb, 4)
    result = read(history)
    assert most_running(result) == 1
    assert told(result, phrase("history.one_master_may_take_the_room", "2,048", 1))


def test_a_user_has_of_a_queue_what_the_record_shows() -> None:
    """Of 8,192 MB each of root.a and root.default has 4,096; ann held 1,536 and four maps."""
    job = Job(1, 0, queue="a").master(1).inited(3, 4)
    for index in range(4):
        job.task("map", index, 5, 10)
    result = tight(history_of(job.finished(11)), 1, 8192, 16)
    (queue,) = result.scenario.queues
    assert (queue.name, queue.user_limit_factor) == ("root.a", 1.375)
    assert told(result, phrase("history.users_held_more_than_part", 1))
    assert ends(result, "capacity") == "finished"


def test_a_scheduler_without_limits_has_room_on_nodes_of_unknown_size() -> None:
    """FifoScheduler lets six masters start that may meet."""
    jobs = [job_of(number, 0, "a") for number in range(1, 7)]
    result = read(history_of(*jobs))
    assert {name: ends(result, name) for name in ("fifo", "haste")} == {
        "fifo": "finished",
        "haste": "finished",
    }


LIMITED = ("fair", "drf", "capacity", "priority-capacity", "omo")


@pytest.mark.parametrize("seed", range(20))
def test_whatever_ran_can_run_on_nodes_as_small_as_known(seed: int) -> None:
    """Jobs that ran one after another, arriving in any order, on nodes with room for little more than one."""
    rng = random.Random(seed)
    memory = {kind: rng.choice((512, 1024, 2048, 4096)) for kind in ("map", "reduce", "am")}
    hosts, jobs = rng.randint(1, 3), []
    for number in range(1, rng.randint(3, 9)):
        at, host = 60 * number, f"n{rng.randint(1, hosts)}"
        job = Job(number, rng.uniform(0, at), queue=rng.choice(("a", "b", "users.ann", "default")))
        job.master(at, host).inited(at + 3, 2, 1).task("map", 0, at + 5, at + 12, host)
        job.task("map", 1, at + 13, at + 20, host).task("reduce", 0, at + 20, at + 29, host, shuffled=at + 22)
        jobs.append(job.finished(at + 30))
    sizes = {f"mapreduce__{kind}__memory__mb": str(memory[kind]) for kind in ("map", "reduce")}
    history = history_of(*jobs, **sizes, yarn__app__mapreduce__am__resource__mb=str(memory["am"]))
    room = memory["am"] + max(memory["map"], memory["reduce"])
    result = tight(history, hosts, room + rng.choice((0, 512, 2048)), rng.choice((2, 4)))
    assert {name: ends(result, name) for name in LIMITED} == dict.fromkeys(LIMITED, "finished")


def test_whatever_a_real_cluster_ran_can_run(shared: Callable[[str], Path]) -> None:
    """Each job's file alone, and all together, without the configuration that says how large nodes are."""
    paths = [*shared("data").glob("*.jhist"), *shared("data/mini-cluster").glob("*/history/*.jhist.gz")]
    assert len(paths) == 9
    for files in (*([path] for path in paths), paths[1:]):
        history = History()
        for path in files:
            with path.open("rb") as stream:
                add_jhist(history, Source(stream, is_json=False), path.name)
        result = read(history)
        stuck = [name for name in (*LIMITED, "fifo", "haste", "saf") if ends(result, name) != "finished"]
        assert not stuck, files
