"""Every scheduler of an experiment is written in full, and no experiment has another way to run one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import engine.papers
from engine.errors import SchedulerError
from engine.papers.columns import FULL_NAMES, columns, full_names
from engine.papers.gallery import paper_experiments
from engine.papers.schema import Show
from engine.schedulers.legacy_names import expand_0_1, parse_in_full
from engine.schedulers.scheduler import parse
from tests.phrases import phrase_pattern

ROOM = Path(engine.papers.__file__).parent
ENTRANCE = ROOM / "measuring.py"
FILES = sorted(ROOM.rglob("*.py"))
OWN_WAYS = {
    ("engine.schedulers.scheduler", "parse"),
    ("engine.simulation.simulate", "simulate"),
    ("engine.experiments.replications", "replicate"),
}


@pytest.mark.parametrize("label", FULL_NAMES)
def test_a_column_is_its_label_with_everything_written(label: str) -> None:
    chosen = parse_in_full(FULL_NAMES[label])
    assert chosen == parse(expand_0_1(label))
    assert (str(chosen.reduce_start), str(chosen.admission), chosen.reserves) == ("slowstart", "admit-all", 0)
    assert columns(label) == {label: FULL_NAMES[label]} and full_names((label,)) == (FULL_NAMES[label],)


@pytest.mark.parametrize("name", paper_experiments())
def test_what_the_dashboard_opens_is_written_in_full(name: str) -> None:
    for show in paper_experiments()[name].shows():
        assert all(parse_in_full(scheduler) for scheduler in show.schedulers)


def test_a_show_refuses_a_bare_name() -> None:
    with pytest.raises(SchedulerError, match=phrase_pattern("papers.not_written_in_full_write", "'fair'")):
        Show("A show", None, ("fifo+slowstart+admit-all", "fair"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOM).as_posix())
def test_experiments_run_by_one_entrance_which_looks_at_the_name(path: Path) -> None:
    result = {
        (node.module, alias.name)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert result & OWN_WAYS == ({("engine.simulation.simulate", "simulate")} if path == ENTRANCE else set())
