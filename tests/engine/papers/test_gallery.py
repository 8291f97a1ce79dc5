"""The guard of the gallery: every experiment run now gives what was recorded, tells all it must, and quotes what the papers print."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.papers import PAPERS, Alike, Experiment, Ordered, Paper, Printed, experiments, recorded, reproduce, reproduce_all, verdict_table
from engine.papers.record import differences, record
from engine.scenario import Scenario
from engine.scheduler import parse
from tests.conftest import ROOT
from tests.gallery import with_table

README = (ROOT / "README.md").read_text("utf-8")
NAMES = list(experiments())


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_every_experiment_gives_what_was_recorded(paper: Paper) -> None:
    """A difference is to be looked at: `make gallery` prints old and new and records the new."""
    changed = []
    for name in (name for name in NAMES if name.startswith(f"{paper.key}/")):
        result = reproduce(experiments()[name])
        changed += differences(name, recorded().get(name), record(result))
        assert all(len(set(series.x)) == len(series.y) for picture in result.measured.pictures for series in picture.series), name
    assert not changed, "look at these, then run make gallery:\n" + "\n".join(changed)


def test_nothing_else_is_recorded() -> None:
    assert list(recorded()) == NAMES


def test_the_readme_has_the_table_that_the_command_prints() -> None:
    assert with_table(README, verdict_table({name: one.verdict for name, one in recorded().items()})) == README


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_tells_all_it_must(name: str) -> None:
    one = experiments()[name]
    assert one.title and one.where and one.setting.endswith((".", ")")) and one.notice.endswith((".", ")"))
    assert one.claims or "nothing to judge" in " ".join(one.ours), "an experiment without claims says that there is nothing to judge"
    assert re.fullmatch(r"[a-z0-9-]+", one.key)
    shows = one.shows()
    assert shows
    assert all(Scenario.of(show.scenario.plain()) == show.scenario for show in shows)
    assert all(1 <= len(show.schedulers) <= 6 and [parse(scheduler) for scheduler in show.schedulers] for show in shows)


@pytest.mark.parametrize("name", [name for name in NAMES if name in recorded() and recorded()[name].verdict == "differs"])
def test_what_differs_has_a_reason(name: str) -> None:
    assert len(experiments()[name].why) > 80


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_numbers_are_printed_in_the_paper(name: str, shared: Callable[[str], Path]) -> None:
    paper, one = name.partition("/")[0], experiments()[name]
    text = shared(f"papers/{paper}.txt").read_text("utf-8") + (shared("papers/saf.txt").read_text("utf-8") if paper == "haste" else "")
    printed = {digits.replace(",", "").lstrip("0") for digits in re.findall(r"\d[\d,]*\.?\d*", text)}
    printed |= {digits.rstrip(".") for digits in printed}
    missing = [claim for claim in one.claims if isinstance(claim, Printed) and not shapes(claim.number) & printed]
    assert not missing, [f"{claim.what}: {claim.number}" for claim in missing]


def shapes(number: float) -> set[str]:
    """How a number may be printed: with or without a zero behind the point, a share also in percent."""
    size = abs(number)
    return {f"{size:g}".lstrip("0"), f"{size:.1f}".lstrip("0"), f"{size:.2f}".lstrip("0"), f"{100 * size:g}"}


def test_keys_are_unique() -> None:
    assert len(NAMES) == sum(len(paper.experiments) for paper in PAPERS)


def test_every_claim_has_words() -> None:
    for one in experiments().values():
        for claim in one.claims:
            assert claim.what and claim.where
            assert isinstance(claim, (Printed, Ordered, Alike))
            assert not isinstance(claim, Printed) or sum((bool(claim.side), bool(claim.against))) <= 1


def test_experiments_in_several_processes_come_in_order() -> None:
    names = [name for name in NAMES if experiments()[name].thousands <= 1][:3]
    heard: list[str] = []
    found = dict(reproduce_all(names, heard.append))
    assert list(found) == names
    assert sorted(heard) == sorted(names)
    for name, result in found.items():
        assert isinstance(result.experiment, Experiment)
        assert record(result) == record(reproduce(experiments()[name]))
