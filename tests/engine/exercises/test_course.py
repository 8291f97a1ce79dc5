"""The course: each exercise reads, can be asked and solved, tells right from wrong, and says of its runs what
is so.
"""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from engine import simulate
from engine.analysis.metrics import summary
from engine.codes import MASTER, REDUCE
from engine.exercises.changes import changeables
from engine.exercises.course import FOLDER, course, course_exercise
from engine.exercises.exercise import check, check_exercise, histogram_label
from engine.exercises.model import Compute, Exercise, Predict, Reach
from engine.exercises.question import Answer
from engine.experiments.overrides import with_overrides
from engine.schedulers.catalogue import CATALOGUE
from engine.simulation.run import Run

ANSWERS: dict[str, tuple[Answer, list[Answer]]] = {  # the right one, and wrong ones
    "first-to-finish": ({"job": "query"}, [{"job": "night"}, {"job": "report"}]),
    "fair-share": ({"value": 8}, [{"value": value} for value in (4, 6, 12, 16)]),
    "dominant-share": ({"value": 50}, [{"value": value} for value in (0.5, 16.67, 66.67, 100)]),
    "makespan-in-waves": ({"makespan_s": 76}, [{"makespan_s": 60}, {"makespan_s": 92}]),
    "when-to-start-reduces": (
        {"jobs[0].slowstart": 0.6},
        [{"jobs[0].slowstart": 0}, {"jobs[0].slowstart": 0.4}, {"jobs[0].slowstart": 0.9}],
    ),
    "why-it-waited": (
        {"span": "1", "rule": "room"},
        [{"span": "0", "rule": "room"}, {"span": "1", "rule": "slow-start"}, {"span": "1", "rule": "order"}],
    ),
    "which-request-fits": (
        {"node": "node-2", "request": "query/map"},
        [
            {"node": "node-1", "request": "query/map"},
            {"node": "node-1", "request": "render/map"},
            {"node": "node-2", "request": "render/map"},
        ],
    ),
    "enough-but-no-room": ({"rule": "scattered"}, [{"rule": "room"}, {"rule": "order"}]),
    "masters-take-all": (
        {"schedulers[0]": "fair", "cluster.nodes.total": 6},
        [
            {"schedulers[0]": "fair+admit-all", "cluster.nodes.total": 4},
            {"schedulers[0]": "fair+admit-all", "cluster.nodes.total": 8},
            {"schedulers[0]": "fair", "cluster.nodes.total": 5},
            {"schedulers[0]": "fair+am-share(limit=0.25)", "cluster.nodes.total": 6},
        ],
    ),
    "fitness-of-a-request": ({"value": 0.26}, [{"value": value} for value in (0.06, 0.2, 0.23, 26)]),
    "a-chance-for-the-second": ({"value": 0.72}, [{"value": value} for value in (0.1, 0.28, 0.37, 1)]),
    "oldest-or-shortest": ({"job": "report"}, [{"job": "backup"}, {"job": "query"}]),
    "reduces-in-time": ({"job": "sort"}, [{"job": "index"}, {"job": "query"}]),
    "reserve-for-tasks": (
        {"schedulers[0].reserve.vcores": 11},
        [{"schedulers[0].reserve.vcores": vcores} for vcores in (0, 5, 13)],
    ),
}
EXERCISES = {name: one for lesson in course() for name, one in lesson.exercises.items()}
POLICIES = {name for policies in CATALOGUE.values() for name in policies}
EIGHT = re.compile(r"room for eight (?:maps|containers)")


def exercise(name: str) -> Exercise:
    found = course_exercise(name)
    assert found is not None
    return found


def run(name: str, scheduler: str) -> Run:
    return simulate(exercise(name).checked_scenario, scheduler)


def started(of: Run, job: str) -> np.ndarray:
    return np.sort(of.containers.start[of.containers.job == of.workload.job_names.index(job)])


def texts(of: Exercise) -> list[str]:
    return [of.title, of.learn, of.text, *of.hints, of.explanation]


def kind(of: Exercise) -> str:
    task = of.task
    if isinstance(task, Predict):
        return task.ask
    if isinstance(task, Compute):
        return task.quantity
    return "reach, cost" if isinstance(task, Reach) and task.cost else task.kind


def policies(of: Exercise) -> set[str]:
    """Of all its schedulers, and of those that may be chosen."""
    chosen = [choice for change in of.change for choice in change.choices if change.path == "schedulers[0]"]
    return {word for name in (*of.schedulers, *chosen) for word in re.findall(r"[a-z-]+", name)}


def test_lessons_have_three_exercises_the_papers_five_and_every_file_is_one() -> None:
    assert [len(lesson.exercises) for lesson in course()] == [3, 3, 3, 5]
    assert set(EXERCISES) == {path.stem for path in FOLDER.glob("*.json")} == set(ANSWERS)
    assert course_exercise("none") is None


def test_every_kind_of_task_is_there() -> None:
    assert {kind(one) for one in EXERCISES.values()} == {
        *("first", "makespan", "next", "place"),
        *("reach", "reach, cost", "explain"),
        *("fair share", "dominant share", "term"),
    }


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_can_be_asked_and_is_solved(name: str) -> None:
    one = exercise(name)
    solved = check_exercise(one)
    assert solved.answer.endswith(".") and len(solved.explanation) == 2
    assert len(one.hints) == 3 and re.fullmatch(r"[^.]+\.", one.learn)
    containers = max(len(simulate(one.checked_scenario, each).containers) for each in one.schedulers)
    assert 3 <= containers <= 60


@pytest.mark.parametrize("name", ANSWERS)
def test_the_right_answer_is_right_and_a_wrong_one_is_told_why(name: str) -> None:
    one, (right, wrongs) = exercise(name), ANSWERS[name]
    assert check(one, right).correct and histogram_label(one, right)
    verdicts = [check(one, wrong) for wrong in wrongs]
    assert not [verdict.sentence for verdict in verdicts if verdict.correct]
    assert all(verdict.sentence for verdict in verdicts)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_texts_name_only_what_is_there(name: str) -> None:
    one = exercise(name)
    every_job = {job for each in EXERCISES.values() for job in run_names(each)}
    for text in texts(one):
        words = set(re.findall(r"[a-z][a-z-]*\w", text.replace("fair share", "")))
        assert words & every_job <= set(run_names(one)), text
        assert words & POLICIES <= policies(one), text


def run_names(of: Exercise) -> list[str]:
    return simulate(of.checked_scenario, of.schedulers[0]).workload.job_names


def test_there_is_as_much_room_as_the_texts_say() -> None:
    said = {name for name, one in EXERCISES.items() if EIGHT.search(one.text)}
    for name in said:
        (group,) = exercise(name).checked_scenario.cluster.nodes
        sizes = {
            (stage.memory_mb, stage.vcores)
            for job in exercise(name).checked_scenario.jobs
            for stage in (job.maps, job.reduces)
            if stage
        }
        assert {min(group.memory_mb // mb, group.vcores // vcores) for mb, vcores in sizes} == {4}
        assert group.count == 2
    assert len(said) == 4


@pytest.mark.parametrize("name", ["makespan-in-waves", "when-to-start-reduces"])
def test_a_reduce_fetches_one_second_from_each_map(name: str) -> None:
    scenario = exercise(name).checked_scenario
    (job,) = scenario.jobs
    assert job.reduces and job.shuffle_mb_per_map / job.reduces.count == scenario.cluster.shuffle_mb_s


def test_fair_and_fifo_end_together_and_fifo_goes_by_arrival() -> None:
    fair, fifo = (run("first-to-finish", name) for name in ("fair", "fifo"))
    assert fair.until_ms == fifo.until_ms
    assert list(np.argsort(fifo.jobs.finish)) == [0, 1, 2]


def test_homework_holds_less_than_its_fair_share_and_project_more() -> None:
    of = run("fair-share", "fair")
    held = {job: 2 * int((started(of, job) <= 5_000).sum()) for job in ("homework", "project")}
    assert held["homework"] < 8 < held["project"]


def test_fair_looks_at_memory_alone() -> None:
    counts = {
        name: [int((started(run("dominant-share", name), job) <= 5_000).sum()) for job in ("index", "render")]
        for name in ("drf", "fair")
    }
    assert counts["fair"][0] < counts["drf"][0] and counts["fair"][1] > counts["drf"][1]


def test_a_small_request_overtakes_the_large_one_unless_a_node_is_reserved() -> None:
    fifo, fair = (run("which-request-fits", name) for name in ("fifo", "fair"))
    assert started(fifo, "query").max() < started(fifo, "render").min()
    nodes = fair.containers.node[
        (fair.containers.job == fair.workload.job_names.index("query"))
        & (fair.containers.start < started(fair, "render").min())
    ]
    assert len(set(nodes)) == 1  # the other one is reserved


def test_masters_need_a_limit_or_more_nodes_than_they_fill() -> None:
    one = exercise("masters-take-all")
    (_, nodes) = changeables(one)
    for count in nodes.values:
        verdict = check(one, {"schedulers[0]": "fair+admit-all", "cluster.nodes.total": count})
        is_stuck = simulate(verdict.scenario, "fair+admit-all").status == "deadlock"
        assert is_stuck == (2 * float(count) <= 8)
    four_nodes = one.checked_scenario
    assert simulate(four_nodes, "fair").status == "finished"


def test_fair_starts_four_masters_on_six_nodes_and_needs_fewer_than_admit_all() -> None:
    one = exercise("masters-take-all")
    assert isinstance(one.task, Reach)
    (_, nodes) = changeables(one)
    fewest = {}
    for name in ("fair", "fair+admit-all"):
        verdicts = [
            check(one, {"schedulers[0]": name, "cluster.nodes.total": count}) for count in nodes.values
        ]
        enough = [verdict for verdict in verdicts if len(verdict.details) == len(one.task.conditions)]
        fewest[name] = min(verdict.scenario.cluster.nodes[0].count for verdict in enough)
    assert fewest == {"fair": 6, "fair+admit-all": 8}
    six = with_overrides(one.scenario, (), [("cluster.nodes.total", 6)])[0]
    of = simulate(six, "fair")
    assert int(((of.containers.kind == MASTER) & (of.containers.start == 0)).sum()) == 4


def test_backup_keeps_the_small_jobs_waiting_under_fifo() -> None:
    fifo = run("oldest-or-shortest", "fifo")
    assert started(fifo, "backup").max() < min(started(fifo, job)[0] for job in ("report", "query"))


def test_the_best_reserve_is_as_the_hint_computes_it_and_ahead_of_autoadmin() -> None:
    one = exercise("reserve-for-tasks")
    vcores, master, task = 16, 1, 2
    best = int(vcores * task / (master + task))
    verdict = check(one, {"schedulers[0].reserve.vcores": best})
    by_hand, by_itself = (summary(simulate(one.checked_scenario, each)) for each in verdict.schedulers)
    assert verdict.correct and check(one, {"schedulers[0].reserve.vcores": best + 1}).correct
    assert by_hand["mean_turnaround_s"] < by_itself["mean_turnaround_s"]


def test_saf_repeats_its_paper_s_example_and_picks_the_second_where_drf_does_not() -> None:
    """saf §5, Table 4: shares of 0.4 and 0.3, T = k log 2; its K of 1000 leaves p near 1."""
    by_hand = math.exp(-0.1 / math.log10(2))
    assert check(exercise("a-chance-for-the-second"), {"value": by_hand}).correct
    assert math.exp(-0.1 / (1000 * math.log10(2))) > 0.999
    third = {}
    for name in ("saf(k=1)", "drf"):
        of = run("a-chance-for-the-second", name)
        third[name] = of.workload.job_names[of.containers.job[2]]
    assert third == {"saf(k=1)": "cache", "drf": "render"}


def test_omo_starts_reduces_late_and_ends_sooner_than_fair() -> None:
    omo, fair = (run("reduces-in-time", name) for name in ("omo", "fair"))
    (index,) = (job for job in exercise("reduces-in-time").checked_scenario.jobs if job.name == "index")
    assert index.maps.count * index.shuffle_mb_per_map / 10 == 9
    starts = {}
    for name, of in (("omo", omo), ("fair", fair)):
        is_index = of.containers.job == of.workload.job_names.index("index")
        is_reduce = is_index & (of.containers.kind == REDUCE)
        (starts[name],) = of.containers.start[is_reduce].tolist()
        last_map = of.containers.end[is_index & ~is_reduce].max()
    assert starts == {"omo": 24_000, "fair": 10_000} and last_map == 40_000
    assert (omo.until_ms, fair.until_ms) == (42_000, 47_000)
