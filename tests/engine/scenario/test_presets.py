"""The presets and sample files: each is valid, says where it comes from, and says which numbers are ours."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from engine import Run, quantities, simulate
from engine.codes import EXECUTOR
from engine.scenario.model import Scenario
from engine.scenario.presets import PRESET_KEYS, Preset, presets, sample
from tests.phrases import phrase

ALL = presets()


def at(data: Any, path: str) -> Any:
    """The value at a JSON path such as jobs[0].maps.duration_s; KeyError or IndexError where there is
    none.
    """
    for name, index in re.findall(r"([a-z_]+)|\[(\d+)\]", path):
        data = data[name] if name else data[int(index)]
    return data


def test_presets_stand_in_a_fixed_order() -> None:
    assert (
        tuple(preset.key for preset in ALL)
        == PRESET_KEYS
        == (
            "wordcount",
            "dynamic-priority",
            "omo-terasort",
            "autoadmin-burst",
            "random-durations",
            "spark-beside-mapreduce",
            "spark-with-maximum",
            "spark-measured",
            "dag-beside-demand",
            "tez-session",
        )
    )


@pytest.mark.parametrize("preset", ALL, ids=lambda preset: preset.key)
def test_a_preset_says_what_it_is_and_what_is_ours(preset: Preset) -> None:
    plain = json.loads(sample(f"{preset.key}.json").read_text("utf-8"))
    assert preset.title == plain["name"] and preset.about == plain["x_about"]
    assert re.search(r"(Table|Fig\.) \d", preset.about) or preset.about.startswith(
        phrase("scenario.our_own_making") + " "
    )
    assert preset.about.endswith(".")
    assert len(set(preset.ours)) == len(preset.ours)
    for path in preset.ours:
        assert at(plain, path) is not None, path
    assert Scenario.read(preset.scenario.json()) == preset.scenario


def test_wordcount_is_table_5_of_saf() -> None:
    scenario = ALL[0].scenario
    (node,) = scenario.cluster.nodes
    assert (node.count, node.memory_mb, node.vcores) == (8, 8192, 8)
    asks = [
        (
            job.maps.count,
            job.reduces.count,
            job.maps.vcores,
            job.maps.memory_mb,
            job.reduces.vcores,
            job.reduces.memory_mb,
        )
        for job in scenario.jobs
    ]
    assert asks == [
        (31, 5, 2, 1024, 2, 1024),
        (31, 5, 3, 1024, 2, 1024),
        (31, 5, 4, 1024, 3, 1024),
        (31, 5, 5, 1024, 3, 1024),
    ]
    assert sum(job.reduces.count * job.reduces.vcores for job in scenario.jobs) == 50  # as x_about says
    assert all(job.input_mb == 3.5 * 1024 for job in scenario.jobs)


def test_dynamic_priority_is_table_1() -> None:
    scenario = ALL[1].scenario
    assert (
        scenario.cluster.heartbeat_ms == 0
        and sum(node.vcores * node.count for node in scenario.cluster.nodes) == 1
    )
    table = [("J1", 6, 2), ("J2", 10, 30), ("J3", 3, 20), ("J4", 0, 10), ("J5", 12, 15), ("J6", 11, 2)]
    assert [(job.name, job.arrival_s, job.maps.duration_s) for job in scenario.jobs] == table
    assert all(
        job.estimate_s == job.maps.duration_s and job.input_mb == 64 * job.estimate_s and not job.am
        for job in scenario.jobs
    )
    waits, now = {}, 0.0  # first come, first served, one at a time
    for name, arrival, seconds in sorted(table, key=lambda row: row[1]):
        now = max(now, arrival)
        waits[name] = now - arrival
        now += seconds
    assert sum(waits.values()) / 6 == 26 and now == 79  # the paper's FIFO: 26 s, its Gantt chart ends at 79


def test_omo_terasort_is_figure_9() -> None:
    scenario = ALL[2].scenario
    (node,), (job,) = scenario.cluster.nodes, scenario.jobs
    assert (node.count, node.map_slots, node.reduce_slots) == (20, 2, 2)
    assert node.memory_mb // job.maps.memory_mb == node.vcores // job.maps.vcores == 4  # containers a node
    assert (job.count, job.interval_s, job.maps.count, job.reduces.count) == (8, 2, 80, 2)
    assert job.shuffle_mb_per_map * job.maps.count == job.input_mb == 20 * 1024
    # printed: shuffle after the maps, Fair-1
    assert job.input_mb / job.reduces.count / scenario.cluster.shuffle_mb_s == pytest.approx(293, abs=1)


def test_autoadmin_burst_is_case_1() -> None:
    scenario = ALL[3].scenario
    (node,), (job,) = scenario.cluster.nodes, scenario.jobs
    assert (node.count, node.vcores, node.memory_mb) == (8, 8, 12 * 1024)
    assert (job.count, job.am.vcores, job.maps.vcores, job.reduces.vcores, job.input_mb) == (66, 1, 4, 4, 100)
    assert job.count * job.am.vcores > node.count * node.vcores  # the masters alone can take every vcore


def test_random_durations_has_a_draw_of_every_kind() -> None:
    jobs = ALL[4].scenario.jobs
    drawn = [stage.duration_s for job in jobs for stage in (job.maps, job.reduces) if stage] + [
        job.interval_s for job in jobs if job.count > 1
    ]
    assert {draw.dist for draw in drawn} == {"lognormal", "normal", "uniform", "exponential"}


def test_spark_beside_mapreduce_says_what_an_application_without_a_maximum_does_to_its_neighbour() -> None:
    preset = ALL[5]
    etl, report = preset.scenario.plain()["jobs"]

    def run(**dynamic: Any) -> Run:
        executors = {**etl["executors"], "dynamic": dynamic}
        jobs = [{**etl, "executors": executors}, report]
        return simulate(Scenario.of({**preset.scenario.plain(), "jobs": jobs}), "fair")

    unlimited = run()
    held = unlimited.containers.kind == EXECUTOR
    tasks = unlimited.tasks
    assert tasks is not None
    last_minute = unlimited.jobs.finish[0] - 60_000
    busy = set(tasks.container[(tasks.start <= last_minute) & (tasks.end > last_minute)].tolist())
    told = phrase("scenario.last_minute_of_etl", int(held.sum()) - len(busy), int(held.sum()))
    assert (unlimited.containers.end[held] == unlimited.jobs.finish[0]).all() and told in preset.about

    runs = (unlimited, run(maximum=8), run(idle_s=10, shuffle_tracking=False))
    finishes = [[quantities.clock(int(finish) // 1000) for finish in one.jobs.finish] for one in runs]
    assert finishes == [["2:42", "3:27"], ["3:52", "1:49"], ["2:57", "2:30"]]
    for clock in sum(finishes, []):
        assert clock in preset.about


def test_the_same_with_a_maximum_stands_beside_it() -> None:
    without, preset = ALL[5:7]
    assert (preset.beside, without.beside) == (without.key, None)
    limited, unlimited = (one.scenario.plain() for one in (preset, without))
    limited["jobs"][0]["executors"]["dynamic"] = {}
    for own in ("name", "x_about", "x_schedulers", "x_beside"):
        limited.pop(own, None)
        unlimited.pop(own, None)
    assert limited == unlimited
    finishes = [
        quantities.clock(int(finish) // 1000)
        for one in (preset, without)
        for finish in simulate(one.scenario, "fair").jobs.finish
    ]
    assert finishes == ["3:52", "1:49", "2:42", "3:27"]
    assert all(clock in preset.about for clock in finishes)


def test_spark_measured_is_what_it_says_and_close_to_what_was_measured() -> None:
    preset = ALL[7]
    executors = [job.executors for job in preset.scenario.jobs if job.executors]
    assert sum(one.dynamic is None for one in executors) == 2
    assert {one.dynamic.maximum for one in executors if one.dynamic} == {10}

    run = simulate(preset.scenario, "fair")
    start, finish = (
        dict(zip(run.workload.job_names, at.tolist())) for at in (run.jobs.start, run.jobs.finish)
    )
    waited = [start[name] - finish["dyn1"] for name in ("dyn2", "fixed3", "dyn3")]
    assert all(0 < after < 1000 for after in waited)
    assert 0 < start["dyn4"] - finish["dyn2"] < 1000  # one of queue b's two drivers is gone
    measured = {"1:07 (measured: 1:09)": 69.3, "2:24 (2:27)": 147.2, "3:06 (3:11)": 190.9}
    times = (finish["dyn1"], start["dyn4"], max(finish.values()))
    for time, (words, seconds) in zip(times, measured.items(), strict=True):
        assert words.startswith(quantities.clock(round(time / 1000))) and words in preset.about
        assert time / 1000 == pytest.approx(seconds, rel=0.04)


def test_dag_beside_demand_says_what_a_peak_of_others_does_to_it() -> None:
    preset = ALL[8]
    plain = preset.scenario.plain()
    nightly, service = plain["jobs"]
    quiet = {**service, "stages": service["stages"][:1]}

    def finishes(scheduler: str, *others: dict) -> list[str]:
        run = simulate(Scenario.of({**plain, "jobs": [nightly, *others]}), scheduler)
        return [quantities.clock(int(finish) // 1000) for finish in run.jobs.finish]

    under = {
        name: [finishes(name, *others) for others in ([service], [quiet], [])]
        for name in ("fair", "capacity")
    }
    assert under == {
        "fair": [["4:25", "5:01"], ["3:30", "5:01"], ["3:11"]],
        "capacity": [["4:48", "7:00"], ["4:48", "5:01"], ["4:48"]],
    }
    for clock in {clock for runs in under.values() for one in runs for clock in one}:
        assert clock in preset.about


def test_tez_session_says_what_used_and_kept_containers_do() -> None:
    preset = ALL[9]
    plain = preset.scenario.plain()

    def told(**containers: Any) -> list[str]:
        """When the DAGs and the MapReduce job finish, and in how many containers."""
        jobs = [plain["jobs"][0] | {"containers": containers}, plain["jobs"][1]]
        run = simulate(Scenario.of({**plain, "jobs": jobs}), "fair")
        assert run.tasks is not None
        ends = [run.tasks.end[run.tasks.stage == last].max() for last in (3, 5, 6)]
        clocks = [quantities.clock(int(end) // 1000) for end in (*ends, run.jobs.finish[1])]
        return [*clocks, str(np.count_nonzero(run.containers.kind == EXECUTOR))]

    assert told() == ["0:36", "1:18", "2:20", "2:24", "58"]
    assert told(reuse=False) == ["0:47", "1:36", "2:19", "2:20", "86"]
    assert told(idle_minimum_s=60, idle_maximum_s=60) == ["0:36", "1:01", "2:27", "3:10", "36"]
    for words in (
        "0:36, 1:18 and 2:20, in 58",
        "0:47, 1:36 and 2:19",
        "36 containers",
        "1:01",
        "3:10",
        "2:24",
    ):
        assert words in preset.about


@pytest.mark.parametrize("name", ["no-such.json", "../scenario.py", "/rumen.json", ""])
def test_a_sample_that_does_not_exist(name: str) -> None:
    with pytest.raises(FileNotFoundError):
        sample(name)
