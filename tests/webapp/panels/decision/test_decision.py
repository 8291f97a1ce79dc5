"""A decision as the page tells it: the sentence, units on every number, the chosen request first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from dash import Dash, no_update

from engine import CATALOGUE
from engine.dashboard import MAP
from tests.phrases import phrase
from tests.webapp.handmade_runs import run
from tests.webapp.layout_reading import words
from webapp.panels.decision import decision, why
from webapp.panels.timeline.viewport import View
from webapp.runs import rerun_details, saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


def row(job: str, chosen: bool = False, **more: Any) -> dict[str, Any]:
    sizes = {
        "memory_mb": 1024,
        "vcores": 1,
        "job_used_memory_mb": 2048,
        "job_used_vcores": 2,
        "queue_used_memory_mb": 0,
        "queue_used_vcores": 0,
    }
    return (
        {
            "job": job,
            "kind": "map",
            "chosen": chosen,
            "waiting": 3,
            "arrival_s": 0.0,
            "weight": 1.0,
            "queue": "root.default",
        }
        | sizes
        | more
    )


def found(*candidates: dict[str, Any], **more: Any) -> dict[str, Any]:
    """As engine's explain, which leaves out what an order has nothing for."""
    return {
        "because": "it came first",
        "node": "n1",
        "at_s": 12.0,
        "free_memory_mb": 8192,
        "free_vcores": 8,
        "waits": [],
        "candidates": list(candidates),
    } | more


def cells(parts: list, name: str) -> list[list[str]]:
    """The table of this name, heads first."""
    inner = [
        one
        for part in parts
        if getattr(part, "className", None) == "candidates-part"
        for one in part.children
    ]
    (box,) = [part for part in (*parts, *inner) if getattr(part, "aria-label", None) == name]
    head, body = box.children.children
    return [[words(cell) for cell in line.children] for line in (head.children, *body.children)]


def test_the_sentence_comes_first_then_where_and_when_with_units() -> None:
    text = words(decision.content(found(row("a", True))))
    assert text.startswith(phrase("decision.came_first_node_time_free", "n1", "0:12", 8, 8, 1))


def test_the_chosen_request_is_marked_and_first() -> None:
    table = cells(decision.content(found(row("a"), row("b", kind="am"), row("c", True))), "Candidates")
    assert table == [
        ["Job", "Kind", "Waiting", "Size", "Job holds"],
        ["★  c", "map", "3", "1 GB 1 vcore", "2 GB 2 vcores"],
        ["a", "map", "3", "1 GB 1 vcore", "2 GB 2 vcores"],
        ["b", "master", "3", "1 GB 1 vcore", "2 GB 2 vcores"],
    ]


def test_the_terms_of_the_order_are_columns_with_units_and_four_digits() -> None:
    terms = [
        {"name": "fitness", "title": "Fitness", "unit": "", "about": "How well."},
        {"name": "waited", "title": "Waited", "unit": "ms", "about": ""},
    ]
    parts = decision.content(
        found(
            row("a", True, terms={"fitness": 0.312543, "waited": None}),
            row("b", terms={"fitness": 2, "waited": 20_250}),
            terms=terms,
        )
    )
    heads, chosen, other = (line[4:6] for line in cells(parts, "Candidates"))
    assert (heads, chosen, other) == (["Fitness", "Waited (s)"], ["0.3125", "–"], ["2", "20.25"])


def test_a_term_that_no_candidate_has_comes_last() -> None:
    terms = [
        {"name": name, "title": name.capitalize(), "unit": "", "about": ""} for name in ("fill", "share")
    ]
    parts = decision.content(
        found(row("a", True, terms={"fill": None, "share": 0}), row("b", terms={"share": 1}), terms=terms)
    )
    assert [line[4:6] for line in cells(parts, "Candidates")] == [["Share", "Fill"], ["0", "–"], ["1", "–"]]


def test_queues_are_told_where_there_are_several() -> None:
    alone, several = (
        cells(decision.content(found(row("a", True), row("b", queue=queue))), "Candidates")
        for queue in ("root.default", "root.b")
    )
    assert "Queue" not in alone[0]
    assert [line[-1] for line in several] == ["Queue", "root.default", "root.b"]


def test_facts_queues_compared_and_the_other_rules_have_their_place() -> None:
    fact = {"name": "beta", "title": "Beta", "unit": "s", "about": "The gap.", "value": 12.25}
    rules = {
        key: {"rule": key, "at_s": 3.0, "facts": [fact], "because": f"{key} so"}
        for key in ("asked", "admitted")
    }
    queues = [{"name": "root.a", "terms": {"share": 0.25}}, {"name": "root.b", "terms": {"share": None}}]
    parts = decision.content(
        found(
            row("a", True),
            facts=[fact | {"title": "Temperature", "unit": "", "value": 301.03}],
            queues=queues,
            **rules,
        )
    )
    text = words(parts)
    for part in (
        "Temperature 301",
        phrase("decision.why_was_requested_then_asked", 12.3),
        phrase("decision.why_master_was_admitted_admitted", 12.3),
    ):
        assert part in text
    assert cells(parts, "Queues compared") == [["Queue", "Share"], ["root.a", "0.25"], ["root.b", "–"]]


def test_of_very_many_candidates_the_rest_are_counted() -> None:
    parts = decision.content(found(*(row(f"j{number}", number == 60) for number in range(100))))
    table = cells(parts, "Candidates")
    assert len(table) == 1 + decision.MAX_CANDIDATES
    assert "j60" in table[1][0]
    assert phrase("decision.and_others_fitted", 100 - decision.MAX_CANDIDATES) in words(parts)


@pytest.fixture
def task(small: dict, cache: SharedCache) -> Task:
    rerun_details.explain_container.cache_clear()
    return build_task(RunRequest(small, ("fifo", "fair")))


def test_a_decision_is_shown_with_what_the_page_needs_to_point_at_it(task: Task) -> None:
    data, title, where, body, says = why.decision_view(task, 1, 2, View())
    assert data == {
        "key": task.key,
        "index": 1,
        "container": 2,
        "of": 3,
        "row": 0,
        "start": 10_000,
        "end": 16_000,
    }
    assert (title, where) == ("Decision 3 of 3", phrase("decision.one_reduce_under_fair_at", 0, "0:10"))
    assert says.startswith(phrase("decision.decision_one_reduce_under_fair", 3, 3, 0, "0:10") + " ")
    assert "Outcome" in words(body)
    assert "reduce 5 s, 0:11 to 0:16" in words(body)


def test_one_too_far_into_a_run_is_a_sentence_and_can_still_be_pointed_at(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerun_details, "MAX_RETRACED", 0)
    data, _, _, body, _ = why.decision_view(task, 0, 2, View())
    assert data["container"] == 2
    assert phrase("decision.too_many_replay_here") in words(body)


@pytest.mark.parametrize(
    ("asked", "because"),
    [
        ({"index": 1, "container": 3}, phrase("decision.container_must_be_from", 3, 0, 2)),
        ({"index": 2, "container": 0}, phrase("decision.scheduler_must_be_from", 2, 0, 1)),
        ({"index": 10**30, "container": 10**30}, phrase("common.must_be_from", 0, 1)),
        ({"index": 2, "from": 0}, ""),
        ({"index": -1, "container": 0}, ""),
        ({"index": 1, "container": -1}, ""),
        ({"index": True, "container": 0}, ""),
        ({"index": 0, "container": True}, ""),
        ({"index": 0, "from": float("nan")}, ""),
    ],
)
def test_a_decision_that_is_not_in_the_result_is_said(
    task: Task, monkeypatch: pytest.MonkeyPatch, asked: dict, because: str
) -> None:
    saved_tasks.save_task(task)
    app = Dash("test")
    app.layout = why.layout()
    why.register(app)
    decide = next(one["callback"].__wrapped__ for one in app.callback_map.values() if "callback" in one)
    monkeypatch.setattr(why, "ctx", SimpleNamespace(triggered_id="picked"))
    *panel, complaints = decide(asked | {"view": {"key": task.key}}, None)
    assert panel == [None if because else no_update, *[no_update] * 4]
    if because:
        (added,) = complaints.to_plotly_json()["operations"]
        assert added["operation"] == "Append" and because in added["params"]["value"].children
    else:
        assert complaints is no_update


def test_every_order_can_be_told(small: dict, cache: SharedCache) -> None:
    small["jobs"].append(small["jobs"][0] | {"name": "two"})
    for name in CATALOGUE["order"]:
        task = build_task(RunRequest(small, (name,)))
        rows = [one.run for one in task.outcomes()]
        for number in range(len(rows[0].containers.job)):
            text = words(why.decision_view(task, 0, number, View())[3])
            assert "Candidates" in text
            assert not {"nan", "inf", "None"} & set(text.split())


def test_the_decided_container_bears_its_name_as_it_is() -> None:
    where, [_, outcome] = decision.container(
        run([{"kind": MAP, "start": 1_000, "end": 41_000}], names=["a &lt;b"]), 0
    )
    assert where == "a &lt;b map 0"
    assert outcome.children.endswith("map 40 s, 0:01 to 0:41.")
