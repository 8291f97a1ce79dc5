"""The command exercise: a question with its solution, a verdict, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.exercises.small_exercises import FIRST, NODES, makespan, reach, values
from tests.phrases import phrase


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "exercise.json"


def test_without_an_answer_the_question_and_its_solution_are_printed(run, path: Path) -> None:
    path.write_text(json.dumps(values(FIRST, hints=["Count them."])))
    code, out, err = run("exercise", str(path))
    assert (code, err) == (0, [])
    lines = out.splitlines()
    assert lines[0] == "A title" and "  job=large|small" in lines and "Hint: Count them." in lines
    answer = lines.index("Answer: " + phrase("exercises.finishes_first", "large", "0:40"))
    assert lines[answer + 1 :][-3:] == ["Why.", "", "And how."]


def test_tables_and_ranges_are_printed(run, path: Path) -> None:
    path.write_text(json.dumps(values(reach(makespan(45), nodes=2), change=[NODES])))
    lines = run("exercise", str(path))[1].splitlines()
    assert "  Makespan   at most 0:45  0:50" in lines
    assert phrase("exercises.range", "cluster.nodes.total", "1", "6", "1", "nodes") in lines


def test_an_answer_is_judged(run, path: Path) -> None:
    path.write_text(json.dumps(values(reach(makespan(45)), change=[NODES])))
    code, out, _ = run("exercise", str(path), "--answer", "cluster.nodes.total=2")
    assert code == 1 and out == phrase("exercises.is_but_must_be", "Makespan", "0:50", "at most 0:45") + "\n"
    code, out, _ = run("exercise", str(path), "--answer", "cluster.nodes.total=3")
    assert code == 0 and out.startswith(phrase("exercises.all_hold"))


@pytest.mark.parametrize("answer", ["job", "job=", "job=x"])
def test_what_is_no_answer_is_refused(run, path: Path, answer: str) -> None:
    path.write_text(json.dumps(values(FIRST)))
    code, out, err = run("exercise", str(path), "--answer", answer)
    assert (code, out, len(err)) == (2, "", 1)


def test_faults_of_a_file_are_told_a_line_each(run, path: Path) -> None:
    path.write_text(json.dumps(values({"kind": "compute", "quantity": "fair share"})))
    code, out, err = run("exercise", str(path))
    assert (code, out) == (2, "") and [line.partition(":")[0] for line in err] == ["task.job", "task.at_s"]
    path.write_text(json.dumps(values(reach(makespan(99)), change=[NODES])))
    code, _, err = run("exercise", str(path))
    assert code == 2 and err[0].startswith("task.conditions: ")
    assert run("exercise", str(path.with_name("none")))[0] == 2
