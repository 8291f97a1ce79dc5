"""The command regret: the costliest decisions, an interrupt, and what is wrong with a call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.explanation import regret
from engine.explanation.regret import costly_decisions
from engine.scenario.presets import sample
from tests.engine.commands.interrupting import Interrupt
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, scenario, tasks

WORDCOUNT = str(sample("wordcount.json"))


def test_it_lists_the_costliest_which_explain_takes(run) -> None:
    code, out, err = run("regret", WORDCOUNT, "--scheduler", "fair", "--most", "3", "--json")
    assert (code, err) == (0, [])
    result = json.loads(out)
    assert result["is_whole"] and [one["regret_s"] > 0 for one in result["costly"]] == [True] * 3
    first = result["costly"][0]
    assert first["regret_s"] == pytest.approx(result["makespan_s"] - first["makespan_s"])
    code, out, _ = run("regret", WORDCOUNT, "--scheduler", "fair", "--most", "3")
    assert code == 0 and first["sentence"] in out
    code, out, _ = run("explain", WORDCOUNT, "--scheduler", "fair", "--container", first["container"])
    assert code == 0 and first["node"] in out


def test_a_run_that_ends_in_a_deadlock_has_none(run, tmp_path: Path) -> None:
    path = tmp_path / "stuck.json"
    path.write_text(scenario([node(1)], [job("a", tasks(1, 1.0), am=master())]).json())
    code, out, err = run("regret", str(path))
    assert (code, out) == (1, "") and phrase("common.ends_in_deadlock") in err[-1]


def test_an_interrupt_gives_what_was_found(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt(lambda progress: progress.tried >= 5)
    monkeypatch.setattr(regret, "costly_decisions", lambda *given: costly_decisions(*given[:-1], interrupt))
    path = tmp_path / "many.json"
    path.write_text(scenario([node(8)], [job(name, tasks(100, 1.0)) for name in "abcd"]).json())
    code, out, _ = run("regret", str(path), "--scheduler", "fifo")
    assert (
        interrupt.exceeds_user_limit
        and code == 130
        and phrase("commands.decisions_spread_over_run_were") in out
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--scheduler", "measured"), phrase("commands.measured_shows_what_clusters_history")),
        (("--scheduler", "fare"), "fair"),
        (("--most", "0"), phrase("commands.must_be_at_least", "--most", 0, 1)),
        (("--seconds", "0"), phrase("commands.must_be_number_above", "--seconds", 0, 0)),
        (("--seconds", "nan"), phrase("commands.nan_must_be_number_above", "--seconds", 0)),
    ],
)
def test_a_wrong_call_is_one_line(run, arguments: tuple[str, ...], says: str) -> None:
    code, out, err = run("regret", WORDCOUNT, *arguments)
    assert (code, out) == (2, "") and says in err[-1]
