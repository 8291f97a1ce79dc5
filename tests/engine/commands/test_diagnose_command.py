"""The command diagnose: what diagnostics mean, and what is wrong with a call."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.engine.explanation.lines import cluster, masters
from tests.phrases import phrase


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The cluster's file."""
    file = tmp_path / "cluster.json"
    file.write_text(cluster().json())
    return str(file)


def test_it_tells_the_sentence_its_rule_the_property_and_the_numbers(run, path: str) -> None:
    code, out, err = run("diagnose", path, masters())
    assert (code, err) == (0, [])
    state, limit, numbers = out.rstrip().split("\n\n")
    first, meaning, rule, percent = limit.split("\n  ")
    assert first == "Queue's AM resource limit exceeded." and meaning
    assert rule == "Said by AbstractLeafQueue.activateApplications."
    assert percent == phrase("explanation.am_percent_is_here", 0.2, "1,639", 2, "3,277", 4)
    assert numbers.startswith(phrase("explanation.masters_of_queue_hold")) and "AM Partition" in numbers
    assert len(state.splitlines()) == 3


def test_it_is_json_too_of_the_schedulers_and_the_queue_that_are_named(run, path: str) -> None:
    text = "Queue's AM resource limit exceeded."
    more = ("--scheduler", "capacity+am-limit(limit=0.3)", "--queue", "root.q2", "--json")
    code, out, _ = run("diagnose", path, text, *more)
    found = json.loads(out)
    assert (code, found["queues"]) == (0, ["root.q2"])
    assert found["readings"][0]["properties"][0]["value"] == "0.3"


def test_the_scheduler_of_the_scenarios_own_files_holds(run, path: str) -> None:
    data = cluster().plain() | {"x_hadoop": {"scheduler": "capacity+am-limit(limit=0.4)"}}
    Path(path).write_text(json.dumps(data))
    _, out, _ = run("diagnose", path, "Queue's AM resource limit exceeded.", "--queue", "root.q2", "--json")
    assert json.loads(out)["readings"][0]["properties"][0]["value"] == "0.4"


def test_a_log_comes_from_standard_input(run, path: str, monkeypatch) -> None:
    log = f"start\n{masters()}\n{masters(request=3072)}"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(log.encode())))
    code, out, _ = run("diagnose", path, "-")
    assert code == 0 and out.count("Queue's AM resource limit exceeded.") == 2
    assert out.endswith(phrase("explanation.no_sentence_is_in_other_line", 1) + "\n")
    code, _, err = run("diagnose", "-", "-")
    assert (code, "SCENARIO" in err[0]) == (2, True)


@pytest.mark.parametrize(
    ("text", "more", "code", "says"),
    [
        ("hello", (), 1, phrase("explanation.may_come_from_application_itself")),
        ("", (), 1, phrase("explanation.there_is_nothing_to_read")),
        ("", ("--queue", "root.q3"), 2, "leaves are root.q1, root.q2"),
        ("", ("--scheduler", "fare"), 2, "fair"),
    ],
)
def test_what_it_can_not_tell_is_said(
    run, path: str, text: str, more: tuple[str, ...], code: int, says: str
) -> None:
    ended, out, err = run("diagnose", path, text, *more)
    assert ended == code
    assert says in (err[0] if code == 2 else out)
