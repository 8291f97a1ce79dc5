"""Schedulers by name: what is understood, and what is said of what is not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.errors import PolicyError, SchedulerError
from engine.scheduler import parse
from engine.simulate import simulate
from tests.conftest import ROOT
from tests.engine.records import result_of
from tests.engine.test_catalogue import busy

OWN = '''
from engine.policies.policy import ORDER, Policy


def choose(count):
    return {answer}


LAST = Policy("last", "Last first", ORDER, choose, "a test")
'''


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("fair", "fair"),
        ("fair+slowstart+admit-all", "fair"),
        ("fair + slowstart( at = 0.8 )", "fair+slowstart(at=0.8)"),
        ("fifo(resources=memory)", "fifo(resources=memory)"),
        ("fifo(resources=both)", "fifo"),
        ("drf+admit-all+slowstart(at=1)", "drf+slowstart(at=1)"),
    ],
)
def test_a_name_is_brought_to_one_form(text, name):
    assert parse(text).name == name
    assert parse(parse(text).name) == parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fare", "no order is named 'fare'; did you mean fair?"),
        ("", "can't be read; write NAME or NAME(key=value, …)"),
        ("fair+slowstar", "did you mean slowstart?"),
        ("slowstart", "'slowstart' is a part of kind reduce start, here stands order"),
        ("fair+drf", "'drf' is a part of kind order"),
        ("fair+slowstart+slowstart(at=1)", "two reduce start rules"),
        ("fair(resource=memory)", "fair has no parameter 'resource'; did you mean resources?"),
        ("fair(resources=disk)", "must be both or memory"),
        ("fair+slowstart(at=2)", "must be from 0 to 1"),
        ("fair+slowstart(at=nan)", "must be from 0 to 1"),
        ("fair+slowstart(at=x)", "must be a number"),
        ("fair(", "can't be read"),
        ("mine.py", "no order is named"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text, words):
    with pytest.raises(SchedulerError) as found:
        parse(text)
    assert words in str(found.value) and "\n" not in str(found.value)


def test_slowstart_at_stands_for_every_job_s_own():
    run = simulate(busy(), "fifo+slowstart(at=1)")
    result = result_of(run)
    for reduce in (container for container in result.containers if container.kind == "reduce"):
        maps = [other.end for other in result.containers if (other.job, other.stage, other.kind) == (reduce.job, reduce.stage, "map")]
        assert reduce.requested >= max(maps)


@pytest.mark.parametrize("plain", [True, False])
def test_an_order_of_one_s_own_from_a_file(tmp_path, plain):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="count - 1"))
    run = simulate(busy(), parse(str(path), files=True), plain=plain)
    assert run.status == "finished" and run.scheduler == "last"


@pytest.mark.parametrize("plain", [True, False])
def test_an_answer_that_was_not_offered_is_refused(tmp_path, plain):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="count"))
    with pytest.raises(PolicyError, match="last chose a request it was not offered, at 0 s for node node1-1"):
        simulate(busy(), parse(str(path), files=True), plain=plain)


@pytest.mark.parametrize("plain", [True, False])
def test_a_field_the_view_does_not_have_is_named(tmp_path, plain):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="0").replace("count", "crystal_ball"))
    with pytest.raises(PolicyError, match="policy last: choose asks for 'crystal_ball'"):
        simulate(busy(), parse(str(path), files=True), plain=plain)


def test_an_order_may_be_any_python_and_its_errors_are_told(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="sorted(range(count), key=lambda place: -place)[0]"))
    assert simulate(busy(), parse(str(path), files=True)).status == "finished"
    path.write_text(OWN.format(answer="{}[str(count)]"))
    with pytest.raises(PolicyError, match="policy last failed at 0 s: KeyError: '1'"):
        simulate(busy(), parse(str(path), files=True))


def test_a_file_s_order_runs_in_a_second_process_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="0"))
    code = f"from tests.engine.test_scheduler import *; print(simulate(busy(), parse({str(path)!r}, files=True)).status)"
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert done.stdout.strip() == "finished", done.stderr


@pytest.mark.parametrize("content", ["", "raise RuntimeError('no')", "def choose(:", "from engine.policies.order.fifo import FIFO_ORDER"])
def test_a_file_without_an_order_is_refused(tmp_path, content):
    path = tmp_path / "mine.py"
    path.write_text(content)
    with pytest.raises(SchedulerError):
        parse(str(path), files=True)
