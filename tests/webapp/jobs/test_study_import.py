"""A study's file on the page: the draft, and the study with its sliders."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engine import FormatError, Study, Vary
from tests.phrases import phrase
from webapp.jobs import studies
from webapp.jobs.studies import StudyRequest
from webapp.jobs.study_import import import_study
from webapp.panels.editor import files
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest

NODES = "cluster.nodes.total"


def file_of(small: dict, **of: Any) -> dict[str, Any]:
    return Study(small, ("fifo", "fair"), **of).plain()


def test_the_study_of_the_file_is_the_study_that_is_run(cache, small) -> None:
    """Written by the page and opened again, with two parameters, the seeds of its own first one, and
    jitter.
    """
    study = Study(
        small,
        ("fifo", "fair"),
        (Vary(NODES, (1, 3, 5)), Vary("jobs[0].maps.duration_s", (0.5, 0.75, 2))),
        7,
        40,
        jitter=0.1,
    )
    draft = import_study(study.plain())
    look = draft["study"]
    assert (look["seeds"], look["jitter"], look["axes"], look["metric"]) == (7, 0.1, 2, "makespan_s")
    assert [slider["step"] for slider in look["sliders"]] == [2, 0.25]
    assert draft["scenario"]["seed"] == 40 and draft["schedulers"] == ["fifo", "fair"]
    task = build_task(RunRequest(draft["scenario"], tuple(draft["schedulers"])))
    x, y = (
        {key: slider[key] for key in ("path", "first", "last", "step")} | {"present": slider["value"]}
        for slider in look["sliders"]
    )
    again = studies.build_study(
        StudyRequest.of(
            {"key": task.key, "x": x, "y": y, "seeds": 7, "jitter": 0.1, "values": look["values"]}
        ),
        task,
    )
    assert again.vary[0].values == (1, 3, 5) and again.seed(0) == 40
    assert "jobs[0].maps.duration_s" in draft["assumed"][0]  # 0.5, 0.75 and 2 are no even steps


def test_choices_and_nothing_open_the_scenario_alone(small) -> None:
    assert (
        "study" not in import_study(file_of(small))
        and "varies nothing" in import_study(file_of(small))["assumed"][0]
    )
    choices = file_of(small, vary=(Vary("schedulers[1].fair.resources", ("memory", "both")),))
    assert "study" not in import_study(choices) and "choices" in import_study(choices)["assumed"][0]


def test_it_is_opened_as_any_file(small) -> None:
    study = Study(small, ("fifo",), (Vary(NODES, (1, 2)),), 3)
    result = files.opened([("study.json", io.BytesIO(study.json().encode()))])
    assert result["study"]["seeds"] == 3 and result["scenario"]["name"] == "small"


def test_a_faulty_one_is_refused_in_a_sentence(small) -> None:
    data = file_of(small) | {"seeds": 0}
    with pytest.raises(FormatError, match=phrase("services.cant_be_opened_seeds_must", "study.json")):
        files.opened([("study.json", io.BytesIO(json.dumps(data).encode()))])
