"""Placeholder until its helper's commit."""

from __future__ import annotations

from engine.exercises.model import Exercise
from engine.exercises.question import Answer, Question, Simulate, Verdict


def question(exercise: Exercise, simulate: Simulate) -> Question:
    raise NotImplementedError


def check(exercise: Exercise, answer: Answer, simulate: Simulate) -> Verdict:
    raise NotImplementedError


def solve(exercise: Exercise, simulate: Simulate) -> tuple[str, tuple[str, ...]]:
    raise NotImplementedError


def label(exercise: Exercise, answer: Answer) -> str:
    raise NotImplementedError
