"""Every picture of a task, whatever the page asks for; and the section's callbacks where the page sends nonsense."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine import Scenario, presets
from webapp import runs
from webapp.app import app
from webapp.panels import pictures, pictures_made
from webapp.panels.picture import NOTHING, card, filled, outputs
from webapp.panels.pictures_made import EMPTY, Look
from webapp.runs import Task
from webapp.state import Asked

DEADLOCK = {
    "version": 1,
    "name": "stuck",
    "cluster": {"nodes": [{"count": 1, "memory_mb": 2048, "vcores": 2}]},
    "jobs": [
        {"name": f"j{number}", "am": {"memory_mb": 1024, "vcores": 1}, "maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 5}}
        for number in range(2)
    ],
}


def tasked(plain: dict[str, Any], names: list[str]) -> Task:
    return runs.task(Asked(Scenario.of(plain).plain(), names))


def every(task: Task, name: str | None, look: Look) -> list:
    return [
        pictures_made.queued(task, look),
        pictures_made.spreading(task, "waits", look),
        pictures_made.spreading(task, "turnarounds", look),
        *(pictures_made.dues(task, name, by, look) for by in pictures_made.BY),
        pictures_made.living(task, name, "all", look),
        *(pictures_made.heated(task, name, what, look) for what in pictures_made.RESOURCES),
        pictures_made.scattering(task, name, None, look),
    ]


@pytest.mark.parametrize("key", [preset.key for preset in presets()])
def test_every_picture_of_the_presets(cache, key: str) -> None:
    plain = next(preset.scenario.plain() for preset in presets() if preset.key == key)
    task = tasked(plain, ["fifo", "fair"])
    for picture in every(task, "fair", Look(f"job:{task.outcomes()[0].run.workload.job_names[0]}", True, 500)):
        assert picture.figure["layout"]["height"] > 0
        assert "\n" not in picture.story
        assert picture.story.endswith(".")
        assert picture.table
        assert (picture.of == "fair") == ("fifo" not in picture.story)


@pytest.mark.parametrize("highlight", [None, "user:default", "queue:root.default", "node:node1", "job:none", "phase:map", "nonsense"])
def test_a_deadlock_of_one_node(cache, highlight: str | None) -> None:
    # Both masters start, neither map fits: nothing ever ends.
    task = tasked(DEADLOCK, ["fair"])
    assert task.outcomes()[0].run.status == "deadlock"
    for picture in every(task, "no such scheduler", Look(highlight)):
        assert picture.story


def test_one_job_that_is_over_at_once(cache) -> None:
    plain = DEADLOCK | {"jobs": [{"maps": {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 0}}]}
    for picture in every(tasked(plain, ["fifo"]), None, Look()):
        assert picture.table


def test_what_the_page_asks_for_may_be_anything(cache, small) -> None:
    task = tasked(small, ["fifo"])
    look = Look()
    assert pictures_made.dues(task, None, "planet", look).story == pictures_made.dues(task, "fifo", "job", look).story
    assert pictures_made.heated(task, ["fifo"], ["gold"], look).story == pictures_made.heated(task, "fifo", "memory", look).story
    assert pictures_made.living(task, None, "-1", look).story == pictures_made.living(task, "fifo", "all", look).story
    run = task.outcomes()[0].run
    late = pictures_made.scattering(task, None, 10**12, look)
    assert late.story == pictures_made.scattering(task, None, run.until_ms, look).story
    assert Look.of(7, None, "wide") == Look()
    assert Look.of("job:a", "dark", 10**6) == Look("job:a", True, 4000)
    assert [pictures._ms(value) for value in (1.5, "now", None, 1e300, float("inf"))] == [1500, None, None, None, None]


def test_a_card_is_filled_by_what_its_outputs_say() -> None:
    picture = replace(EMPTY["queue"], story="All wait.", of="fifo", table=[{"From (s)": 0.0, "fifo": None}, {"From (s)": 1.0, "fifo": 2}])
    figure, style, story, badge, table = filled(picture)
    assert (style, story, badge) == ({"height": NOTHING["layout"]["height"]}, "All wait.", "fifo")
    assert figure["layout"]["meta"]["title"] == "How long is the queue? (fifo)"
    assert [column["type"] for column in table[-1].columnDefs] == ["rightAligned", "rightAligned"]
    assert len(outputs("queue")) == len(filled(picture, table=False))
    ids = {component.id for component in card(picture)._traverse() if getattr(component, "id", None)}
    assert {one.component_id for one in outputs("queue")} <= ids
    assert "meta" not in NOTHING["layout"]


def test_nothing_is_drawn_before_the_section_is_seen() -> None:
    made = next(callback for key, callback in app.callback_map.items() if "pictures-room.children" in key)
    assert [one["id"] for one in made["inputs"]] == ["pictures-seen", "result"]
    assert not [component for component in pictures.layout()._traverse() if type(component).__name__ == "Graph"]
