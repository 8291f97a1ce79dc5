"""What a real terminal shows beside the answer: bars, colours, and nothing of them where there is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from engine import sample
from tests.conftest import ROOT
from tests.terminals import INTERRUPT, WIDTH, terminal

WORDCOUNT = str(sample("wordcount.json"))
ENGINE = (sys.executable, "-m", "engine")
TWO = ("run", WORDCOUNT, "--scheduler", "fifo", "--scheduler", "fair")
LONG = ("sweep", WORDCOUNT, "--vary", "jobs[*].slowstart=0:1:0.01", "--jitter", "0.2", "--seeds", "100")
BAR = "━"
GREEN, RED, NORMAL = "\x1b[32m", "\x1b[31m", "\x1b[0m"
CURSOR_OFF, CURSOR_ON = "\x1b[?25l", "\x1b[?25h"


def piped(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What the command writes into pipes."""
    return subprocess.run(
        [*ENGINE, *arguments], cwd=ROOT, capture_output=True, text=True, env={**os.environ, **variables}
    )


def shown(*arguments: str, **variables: str) -> str:
    """All that the command shows on a terminal."""
    with terminal([*ENGINE, *arguments], ROOT, **variables) as window:
        window.end()
    return window.shown


def test_the_best_is_green_on_a_terminal_and_plain_elsewhere():
    plain = piped(*TWO, COLUMNS=str(WIDTH))
    assert (plain.returncode, plain.stderr) == (0, "") and "\x1b" not in plain.stdout
    coloured = shown(*TWO).replace("\r\n", "\n")
    assert coloured.count(GREEN) == plain.stdout.count(" *") > 5
    assert coloured.replace(GREEN, "").replace(NORMAL, "") == plain.stdout


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_may_be_refused(variables: dict[str, str]):
    assert "\x1b" not in shown(*TWO, **variables)
    assert shown("check", "nowhere.json", **variables).startswith("nowhere.json: ")


def test_colours_may_be_forced_but_not_into_json():
    assert GREEN in piped(*TWO, FORCE_COLOR="1").stdout
    assert len(json.loads(piped(*TWO, "--json", FORCE_COLOR="1").stdout)["runs"]) == 2


def test_faults_are_red():
    assert shown("check", "nowhere.json").startswith(f"{RED}nowhere.json: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sweep", WORDCOUNT, "--vary", "jobs[*].slowstart=0.05,0.8", "--jitter", "0.2", "--seeds", "3"),
        ("search", WORDCOUNT, "--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--trials", "12"),
        ("regret", WORDCOUNT, "--most", "1"),
        ("replay", str(sample("recorded-batch.json"))),
        ("what-if", str(sample("recorded-batch.json")), "--question", "nodes", "--set", "nodes=6"),
        ("bound", WORDCOUNT, "--scheduler", "fair", "--optimum", "2"),
        ("papers", "dynamic-priority/table-1"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_long_work_has_a_bar_on_a_terminal_alone(arguments: tuple[str, ...]):
    with terminal([*ENGINE, *arguments], ROOT, stdout=subprocess.DEVNULL) as window:
        assert window.end() == 0
    assert BAR in window.shown
    assert window.shown.rindex(CURSOR_ON) > window.shown.rindex(CURSOR_OFF)
    assert BAR not in window.shown[window.shown.rindex("\x1b[2K") :]
    elsewhere = piped(*arguments)
    assert elsewhere.returncode == 0 and "\x1b" not in elsewhere.stderr and BAR not in elsewhere.stderr


def test_an_interrupt_ends_long_work_at_once_with_a_clean_terminal(tmp_path):
    with terminal([*ENGINE, *LONG, "--csv", str(tmp_path / "x.csv")], ROOT) as window:
        window.wait_for(" of 10,100 runs ")
        window.type(INTERRUPT)
        assert window.end() == 130
    assert "Traceback" not in window.shown
    assert window.shown.rindex(CURSOR_ON) > window.shown.rindex(CURSOR_OFF)
    assert not list(tmp_path.iterdir())
