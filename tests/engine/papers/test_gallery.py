"""The guard of the gallery: every experiment run now gives what was recorded, tells all it must, and quotes
what the papers print.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import RunCancelled
from engine.papers import (
    BASES,
    PAPERS,
    Experiment,
    Ordered,
    Paper,
    Printed,
    Similar,
    paper_experiments,
    recorded,
    recorded_states,
    reproduce,
    reproduce_all,
    summary_table,
)
from engine.papers.baseline import differences, record
from engine.papers.schema import CAUSES, FAILS
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.cancellation import CancelToken
from tests.engine.papers import as_printed
from tests.engine.papers.by_size import by_size
from tests.engine.papers.conftest import Reproduced
from tests.gallery import SUMMARY, with_table

NAMES = list(paper_experiments())

LONG_THOUSANDS = 2  # containers; what has fewer has ended before anybody could wish it


@pytest.mark.parametrize("name", by_size(NAMES))
def test_every_experiment_gives_what_was_recorded(name: str, reproduced: Callable[[str], Reproduced]) -> None:
    """A difference is to be looked at: `make gallery` prints old and new and records the new."""
    result, _ = reproduced(name)
    changed = list(differences(name, recorded().get(name), record(result)))
    assert {reason.note for reason in result.experiment.reasons.values()} <= set(result.shown.notes), (
        "each reason has a note that shows it"
    )
    assert all(
        len(set(series.x)) == len(series.y)
        for one in result.readings
        for picture in one.pictures
        for series in picture.series
    )
    assert not changed, "look at these, then run make gallery:\n" + "\n".join(changed)


def test_nothing_else_is_recorded() -> None:
    assert list(recorded()) == NAMES


def test_the_document_has_the_table_that_the_command_prints() -> None:
    document = SUMMARY.read_text("utf-8")
    assert with_table(document, summary_table(recorded_states())) == document


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_tells_all_it_must(name: str) -> None:
    one = paper_experiments()[name]
    assert one.title and one.where and one.setting.endswith((".", ")")) and one.notice.endswith((".", ")"))
    assert one.claims or "nothing to judge" in " ".join(one.assumptions), (
        "an experiment without claims says that there is nothing to judge"
    )
    assert re.fullmatch(r"[a-z0-9-]+", one.key)
    assert all(reading.says.endswith(".") for reading in one.readings)
    keys = [reading.key for reading in one.readings]
    assert keys == [""] or all(re.fullmatch(r"[a-z0-9-]+", key) for key in keys), (
        "one reading has no key, of several each has its own"
    )
    assert len(set(keys)) == len(keys) and all(reading.title for reading in one.readings if reading.key)
    shows = one.shows()
    assert shows
    assert all(Scenario.of(show.scenario.plain()) == show.scenario for show in shows)
    assert all(
        1 <= len(show.schedulers) <= 6 and [parse(scheduler) for scheduler in show.schedulers]
        for show in shows
    )


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_hold_has_a_cause_and_nothing_else_has(name: str) -> None:
    one = paper_experiments()[name]
    named = {claim.reason for claim in one.claims if claim.reason}
    assert named == set(one.reasons) and len(one.reasons) <= 3
    assert all(reason.cause in CAUSES and reason.says.endswith(".") for reason in one.reasons.values())
    wrong = [
        claim.what
        for claim, states in zip(one.claims, recorded_states()[name], strict=True)
        if bool(claim.reason) != (FAILS in states.values())
    ]
    assert not wrong


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_every_theme_of_a_paper_is_claimed(paper: Paper) -> None:
    claimed = {claim.theme for one in paper.experiments for claim in one.claims if claim.theme}
    assert claimed == set(paper.themes) and 3 <= len(paper.themes) <= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_has_a_number_that_was_found_in_its_paper(name: str) -> None:
    """No paper is needed for it: a claim or a kept number that is changed alone is found out."""
    printed, claims = set(as_printed.kept()[name]), as_printed.claimed(paper_experiments()[name])
    missing = [
        f"{claim.what}: {claim.number}" for claim in claims if not as_printed.shapes(claim.number) & printed
    ]
    assert not missing, "read them in the paper, then run python -m tests.engine.papers.as_printed"
    assert printed <= set().union(*(as_printed.shapes(claim.number) for claim in claims)), (
        "kept, but no longer claimed"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_numbers_are_printed_in_the_paper(name: str, shared: Callable[[str], Path]) -> None:
    text = "".join(shared(f"papers/{paper}.txt").read_text("utf-8") for paper in as_printed.papers(name))
    printed = as_printed.numbers(text)
    missing = [
        claim
        for claim in as_printed.claimed(paper_experiments()[name])
        if not as_printed.shapes(claim.number) & printed
    ]
    assert not missing, [f"{claim.what}: {claim.number}" for claim in missing]
    assert set(as_printed.kept()[name]) <= printed


def test_keys_are_unique() -> None:
    assert len(NAMES) == sum(len(paper.experiments) for paper in PAPERS)


def test_every_claim_has_words() -> None:
    for one in paper_experiments().values():
        for claim in one.claims:
            assert claim.what and claim.where
            assert claim.basis in BASES
            assert isinstance(claim, (Printed, Ordered, Similar))
            assert not isinstance(claim, Printed) or sum((bool(claim.side), bool(claim.against))) <= 1


@pytest.mark.gallery
def test_experiments_in_several_processes_come_in_order() -> None:
    names = [name for name in NAMES if paper_experiments()[name].thousand_containers <= 1][:3]
    heard: list[str] = []
    actual = dict(reproduce_all(names, heard.append))
    assert list(actual) == names
    assert sorted(heard) == sorted(names)
    for name, result in actual.items():
        assert isinstance(result.experiment, Experiment)
        assert record(result) == record(reproduce(paper_experiments()[name]))


@pytest.mark.parametrize(
    "name",
    [name for name, one in sorted(paper_experiments().items()) if one.thousand_containers > LONG_THOUSANDS],
)
def test_an_experiment_whose_end_is_wished_runs_nothing(name: str) -> None:
    """Not even to its next report: all its simulations hear of the wish."""
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(RunCancelled):
        reproduce(paper_experiments()[name], cancel_token=cancel_token)
