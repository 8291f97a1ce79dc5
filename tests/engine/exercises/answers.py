"""Random exercises on random runs, and answers to them, complete or not."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import assume, reject
from hypothesis import strategies as st

from engine.errors import GantryError
from engine.exercises.exercise import question
from engine.exercises.model import Exercise
from engine.exercises.question import Answer, Question
from engine.exercises.reader import exercise_of_values
from engine.explanation.container_names import name_of
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.engine.exercises.small_exercises import values

MOST = 24  # of the answers to one question
SCHEDULERS = (
    "fair", "drf", "capacity", "fifo", "haste", "saf", "omo", "fresh", "priority-fair", "weighted", "ffd-dp",
    "fair(reservations=no)", "fair(update_ms=0)+admit-all", "capacity(resources=memory)", "haste-a",
)  # fmt: skip
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.integers(),
    st.text(max_size=4),
    st.lists(st.integers(), max_size=2),
    st.sampled_from(["nan", "1e999", "-1", "map", "0", "j0", "root"]),
)


def on_run(case: Scenario, scheduler: str, task: dict[str, Any]) -> Exercise:
    """An exercise on a random scenario."""
    return exercise_of_values(values(task) | {"scenario": case.plain(), "schedulers": [scheduler]})


def some_container(run: Run, place: int) -> str:
    """JOB/STAGE/KIND/INDEX/ATTEMPT of any container that was placed."""
    return name_of(run, place % len(run.containers.job))


def asked_on_run(
    case: Scenario, scheduler: str, place: int, task: dict[str, Any]
) -> tuple[Run, str, Exercise, Question]:
    """A run, some container of it, an exercise about that, and its question, where it can be asked."""
    try:
        run = simulate(case, scheduler)
        assume(len(run.containers.job) > 0)
        container = some_container(run, place)
        asked = on_run(case, scheduler, {**task, "container": container})
        return run, container, asked, question(asked)
    except GantryError:
        reject()


def all_answers(asked: Question) -> list[dict[str, str]]:
    """Every combination of choices, MOST of them."""
    keys = [field.key for field in asked.fields]
    choices = [[choice.value for choice in field.choices] for field in asked.fields]
    return [dict(zip(keys, chosen)) for chosen in itertools.islice(itertools.product(*choices), MOST)]


def malformed(asked: Question) -> st.SearchStrategy[Answer]:
    """What a form, or somebody else, may send: its keys with anything, and other keys."""
    keys = st.sampled_from([field.key for field in asked.fields]) | st.text(max_size=4)
    return st.dictionaries(keys, JUNK, max_size=4)
