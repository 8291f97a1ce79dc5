"""Queues as a tree: their order, what is implied, and their parts of the cluster."""

from __future__ import annotations

from typing import Any

import pytest

from webapp.panels.editor.lines import lines
from webapp.panels.editor.queue_lines import bars, in_tree_order

NODES = [{"count": 4, "memory_mb": 1024, "vcores": 4}]


def draft(*queues: Any, nodes: Any = NODES) -> dict[str, Any]:
    return {"version": 1, "cluster": {"nodes": nodes}, "queues": list(queues), "jobs": "not yet"}


def test_each_queue_stands_below_its_parent() -> None:
    names = ["root.b.x", "root.a", "root.b", "root.b.x.deep"]
    assert in_tree_order(names) == [
        ("root", 0),
        ("root.b", 1),
        ("root.b.x", 2),
        ("root.b.x.deep", 3),
        ("root.a", 1),
        ("root.default", 1),
    ]


def test_a_line_knows_its_row_or_that_it_is_implied() -> None:
    lines_ = lines(draft({"name": "root.b.x", "weight": 2, "policy": "fifo"}, {"name": "root.a"}))["queues"]
    assert [(line["path"], line["rows"], line["depth"]) for line in lines_] == [
        ("root", None, 0),
        ("root.b", None, 1),
        ("root.b.x", (0, 0), 2),
        ("root.a", (1, 1), 1),
        ("root.default", None, 1),
    ]
    assert lines_[2]["name"] == "x" and lines_[2]["parts"] == [["", "weight 2, policy fifo"]]


def test_queues_of_one_name_or_none_have_each_their_line() -> None:
    lines_ = lines(draft({"name": "root.a"}, {"name": "root.a"}, {}, 5))["queues"]
    assert [(line["path"], line["rows"]) for line in lines_ if line["rows"]] == [
        ("root.a", (0, 0)),
        ("root.a", (1, 1)),
        ("queue3", (2, 2)),
        ("queue4", (3, 3)),
    ]


def test_parts_begin_where_the_one_before_ends() -> None:
    lines_ = bars(
        draft(
            {"name": "root.a", "weight": 3, "capacity_pct": 75},
            {"name": "root.a.x"},
            {"name": "root.a.y"},
            {"name": "root.default", "capacity_pct": 25},
        )
    )
    assert lines_["root.a"]["weight"] == pytest.approx([0, 0.75, 1, "75 % · 3 GB"])
    assert lines_["root.a.y"]["weight"][:2] == pytest.approx([0.375, 0.375])
    assert lines_["root.default"]["capacity"][:2] == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize("nodes", [[], None, "x", [{"count": 0}], [{**NODES[0], "memory_mb": "much"}]])
def test_errors_in_nodes_or_queues_leave_the_tree_without_bars(nodes: Any) -> None:
    assert bars(draft({"name": "root.a"}, nodes=nodes)) == {}
    assert bars(draft({"name": "root.a", "weight": -1})) == {}
    assert [line["path"] for line in lines(draft({"name": "root.a"}, nodes=nodes))["queues"]] == [
        "root",
        "root.a",
        "root.default",
    ]
