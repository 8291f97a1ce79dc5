"""What a report says in words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from webapp.report import summary_text


def outcome(name: str, makespan: float | None, turnaround: float | None = None) -> SimpleNamespace:
    status = "finished" if makespan is not None else "deadlock"
    run = SimpleNamespace(scheduler=name, status=status, at_ms=5_000, because="made so")
    return SimpleNamespace(run=run, metrics={"makespan_s": makespan, "mean_turnaround_s": turnaround})


def test_the_best_and_by_how_much() -> None:
    # (80 - 60) / 80 = 25 %; (50 - 40) / 50 = 20 %.
    sentences = summary_text.verdict([outcome("a", 60, 50), outcome("b", 80, 40), outcome("c", 60, 45)])
    assert sentences == [
        "The batch is finished first under a and c: 1 m 0 s, 25 % less than under b with 1 m 20 s.",
        "A job's mean turnaround is shortest under b: 40 s, 20 % less than under a with 50 s.",
    ]


def test_all_alike_one_alone_and_none() -> None:
    assert summary_text.verdict([outcome("a", 9, 9), outcome("b", 9, 9)])[0] == "The makespan is 9 s under both schedulers that finish."
    assert summary_text.verdict([outcome("a", 9, 8), outcome("b", None)]) == [
        "The makespan under a is 9 s.",
        "The mean turnaround of a job under a is 8 s.",
        "b ends in a deadlock at 5 s: made so",
    ]
    assert summary_text.verdict([outcome("a", None), outcome("b", None)])[0] == "No scheduler finishes the batch."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234.5, "1,234.5 s"),
        ({"dist": "normal", "mean": 20, "sd": 5}, "normal(20, 5) s"),
        ({"dist": "exponential", "mean": 0.5}, "exponential(0.5) s"),
        ({"values": [1, 2, 3, 4, 5, 6, 7]}, "values(1, 2, 3, 4, 5, 6, …) s"),
    ],
)
def test_durations_as_one_composes_them(value: object, text: str) -> None:
    assert summary_text.lasts(value) == text


@pytest.mark.parametrize(("names", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_names_in_a_sentence(names: list[str], text: str) -> None:
    assert summary_text.listed(names) == text
