"""A few thousand of the inputs of `make fuzz`, the same ones each time; and that the command counts honestly
and notices what is wrong.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine import GantryError
from tests.conftest import ROOT
from tests.fuzz import __main__ as command
from tests.fuzz import readers
from tests.fuzz.judged import LEAKED, ErrorLogHandler, FuzzReport, ours, unreadable
from tests.waiting import MAX_WAIT_S

HYPOTHESIS = {"routes": 250, "callbacks": 250, "addresses": 30, "files": 250}
ATHERIS = {"trace": 250, "name": 250}
LONGER = [pytest.param(4, marks=pytest.mark.everything), 1]  # times as many


@pytest.fixture(autouse=True)
def nothing_hangs_here() -> Iterator[None]:
    """What ends a process that hangs must not outlive the test: it would end the process of other tests."""
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def fuzz(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> Callable[[str, int], tuple[int, str]]:
    """The command on a part, which it tries in a process of its own; its exit code and what it said."""

    def tried(part: str, inputs: int) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["tests.fuzz", "--only", part, "--inputs", str(inputs)])
        code = command.main()
        return code, capsys.readouterr().out

    return tried


@pytest.mark.parametrize("times", LONGER)
@pytest.mark.parametrize("part", HYPOTHESIS)
def test_no_error_no_traceback_no_hang(
    part: str, times: int, fuzz: Callable[[str, int], tuple[int, str]]
) -> None:
    code, said = fuzz(part, HYPOTHESIS[part] * times)
    assert code == 0, said
    assert f"{HYPOTHESIS[part] * times:,} inputs in" in said


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is for Linux on x86-64")
@pytest.mark.parametrize("times", LONGER)
@pytest.mark.parametrize("part", ATHERIS)
def test_readers_refuse_what_coverage_leads_to(
    part: str, times: int, fuzz: Callable[[str, int], tuple[int, str]]
) -> None:
    code, said = fuzz(part, ATHERIS[part] * times)
    assert code == 0, said
    assert f"{ATHERIS[part] * times:,} inputs in" in said


@pytest.mark.parametrize("reader", readers.READERS)
def test_what_each_begins_from_is_read(reader: str) -> None:
    assert readers.answer(reader, readers.corpus(reader)[0]) in ("read", "FormatError")


def test_what_is_no_error_of_ours_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_data: bytes) -> None:
        raise KeyError("name")

    def refused(_data: bytes) -> None:
        raise GantryError("no")

    monkeypatch.setitem(readers.READERS, "name", refused)
    assert readers.answer("name", b"") == "GantryError"
    monkeypatch.setitem(readers.READERS, "name", broken)
    tried = FuzzReport()
    readers.Files().ask(tried, ("name", b"long input"))
    readers.Files().ask(tried, ("name", b"short"))
    ((fault, given),) = tried.faults.items()
    assert (
        "KeyError at tests/fuzz/test_fuzz.py:" in fault
        and given == repr(b"short")
        and tried.times[fault] == 2
        and tried.inputs == 2
    )


@pytest.mark.parametrize(
    "text",
    ["Traceback (most recent call last)", "KeyError: 'a'", "<p>ValueError('x')", 'File "/a/b.py", line 3'],
)
def test_a_traceback_in_an_answer_is_noticed(text: str) -> None:
    assert LEAKED.search(text) and not LEAKED.search(
        "Server error; its log has the details. Errors: none. Not read: it must be a number."
    )


def test_json_that_no_browser_reads_is_noticed() -> None:
    assert unreadable('{"a": NaN}') and unreadable("[-Infinity]") and unreadable("<p>")
    assert not unreadable('{"a": "NaN", "b": 1}')


def test_growth_is_noticed_once_enough_was_tried() -> None:
    flat, grown, few = (
        FuzzReport(memory_mb=one)
        for one in ([100.0] * 20, [100.0 + 3 * number for number in range(20)], [1.0, 100.0])
    )
    for one in (flat, grown, few):
        one.close()
    assert not flat.faults and not few.faults and few.growth is None
    assert list(grown.faults) == ["memory grew by 26 %"]


def test_errors_in_the_log_are_told_from_those_of_a_library() -> None:
    heard = ErrorLogHandler()
    try:
        readers.answer("nothing", b"")
    except KeyError:
        heard.emit(logging.LogRecord("gantry", logging.ERROR, "", 1, "", (), sys.exc_info()))
    (told,) = heard.taken()
    assert told.startswith("KeyError at tests/fuzz/readers.py:") and ours(told)
    assert not ours("KeyError at a library: 'a'") and heard.taken() == []


HANGS = (
    "import threading; from tests.fuzz import judged; judged.HANG_S = 0.5; judged.at('what hangs'); "
    "threading.Event().wait()"
)


def test_an_input_that_hangs_ends_its_process_and_is_told(tmp_path: Path) -> None:
    now = tmp_path / "now"
    command, environment = [sys.executable, "-c", HANGS], {**os.environ, "GANTRY_FUZZ_NOW": str(now)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=MAX_WAIT_S
    )
    assert done.returncode == 1 and "Timeout" in done.stderr and now.read_text() == "what hangs"


def test_fewer_inputs_than_asked_for_are_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(
        command.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "", "")
    )
    result = command._tried("files", 10, 1, tmp_path)
    assert result["wrong"] == ["files: 0 inputs were tried, not 10"]


def test_a_highlight_that_is_no_text_is_none() -> None:
    """Found after 5,000 callbacks: the page's chart of finishing times with a number as what is
    highlighted.
    """
    done = subprocess.run(
        [sys.executable, "-c", HIGHLIGHT], cwd=ROOT, capture_output=True, text=True, timeout=MAX_WAIT_S
    )
    assert done.returncode == 0, done.stderr


HIGHLIGHT = """
import json
from tests.fuzz.callbacks import ADDRESS, Callbacks
from tests.fuzz.judged import FuzzReport
of, tried = Callbacks(), FuzzReport()
given = {"open-compare": of.result["key"], "highlight": 1e9, "scheme": None, "drawer-width": 600}
body = {"output": "finish-room.children", "outputs": {"id": "finish-room", "property": "children"}, "changedPropIds": ["open-compare.data"]}
body["inputs"] = [{"id": id, "property": "data", "value": value} for id, value in given.items()]
of.ask(tried, ("POST", ADDRESS, json.dumps(body), "application/json"))
assert tried.answers == {"200": 1} and not tried.faults, tried
"""  # noqa: E501
