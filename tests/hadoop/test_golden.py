"""Every decision of Hadoop's schedulers on the scripts of the golden files is Gantry's too."""

from __future__ import annotations

from functools import cache

import pytest

from engine.against_hadoop import FILE, agreement_json
from engine.dashboard import Agreement, checked_against_hadoop
from tests.conftest import ROOT
from tests.examples import some
from tests.hadoop import workloads
from tests.hadoop.features import FEATURES, Feature
from tests.hadoop.gantry_decisions import Comparison, compared, reservations
from tests.hadoop.referee import Decisions, golden
from tests.hadoop.scripts import by_id, digest
from tests.hadoop.table import DOCUMENT, MARKS, NOT_COMPARED, REASONS, check_agreement, table


@cache
def decided() -> dict[str, Decisions]:
    """On the scripts; what was decided on the real workloads is looked at in test_workloads.py."""
    return {name: one for name, one in golden().items() if not name.startswith(workloads.BEGIN)}


@cache
def gantry_comparison(name: str) -> Comparison:
    """What Gantry decided on a script, beside Hadoop."""
    return compared(by_id()[name], decided()[name])


def of(feature: Feature, scheduler: str) -> list[str]:
    return [
        name
        for name, one in by_id().items()
        if one["scheduler"] == scheduler and name.split("/")[1] == feature.name
    ]


def test_the_golden_files_are_of_these_scripts() -> None:
    assert {name: one.script for name, one in decided().items()} == {
        name: digest(one) for name, one in by_id().items()
    }, "make referee renews them"
    assert len(decided()) >= 600 and sum(len(one.placements) for one in decided().values()) >= 40_000


@pytest.mark.parametrize(
    ("feature", "scheduler"),
    [(feature, name) for feature in FEATURES for name in feature.schedulers],
    ids=lambda one: getattr(one, "name", one),
)
def test_the_same_decisions(feature: Feature, scheduler: str) -> None:
    differences = [gantry_comparison(name).difference for name in of(feature, scheduler)]
    assert differences and not any(differences), "\n".join(filter(None, differences))


@pytest.mark.parametrize(
    ("feature", "scheduler"),
    [(feature, name) for feature in FEATURES if feature.reservations for name in feature.schedulers],
    ids=lambda one: getattr(one, "name", one),
)
def test_the_same_reservations(feature: Feature, scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = of(feature, scheduler)
    least = 50 if feature.users else 100  # limits of users leave less to reserve
    assert sum(len(decided()[name].reservations) for name in names) > least
    # in those, queues kill each other's containers for ever
    compared = [name for name in names if decided()[name].status != "endless"]
    for name in some(compared, 2):
        assert reservations(by_id()[name], monkeypatch) == decided()[name].reservations, name


def test_where_none_were_asked_for_hadoop_made_none() -> None:
    assert not [
        name for name, one in by_id().items() if not one["reservations"] and decided()[name].reservations
    ]


def test_the_page_and_the_documents_say_what_was_found() -> None:
    real = workloads.scripts() if workloads.are_available() else ()
    agreement = check_agreement(
        [*by_id().values(), *real],
        golden(),
        lambda script, real: gantry_comparison(real.id) if real.id in by_id() else compared(script, real),
    )
    assert FILE.read_text("utf-8") == agreement_json(agreement), "make referee renews it"
    assert f"{MARKS[0]}{table(agreement)}{MARKS[1]}" in DOCUMENT.read_text("utf-8"), "make referee renews it"
    decisions = sum(len(one.placements) for one in golden().values())
    assert agreement.total(agreement.schedulers) == (decisions, decisions)
    assert f"{decisions:,} decisions" in (ROOT / "README.md").read_text("utf-8")


def test_without_the_data_the_numbers_of_real_workloads_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workloads, "are_available", lambda: False)
    few = [by_id()[of(feature, feature.schedulers[0])[0]] for feature in FEATURES]
    kept = {one.name: one for one in check_agreement(few, golden()).features}
    assert {name: kept[name] for name in workloads.rows()} == {
        one.name: one for one in checked_against_hadoop().features if one.name in workloads.rows()
    }


def test_what_differs_is_counted_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workloads, "are_available", lambda: False)
    monkeypatch.setitem(REASONS, ("queues", "drf"), "a reason")
    few = [
        by_id()[of(feature, "fair" if "fair" in feature.schedulers else "capacity")[0]]
        for feature in FEATURES
    ] + [by_id()[of(FEATURES[1], "drf")[0]]]
    real = decided()[few[-1]["id"]]
    changed = [*real.placements[:5], [0, 0, 0, 0], *real.placements[6:]]
    agreement = check_agreement(few, {**golden(), real.id: real._replace(placements=changed)})
    assert agreement.differences == [("queues", "drf", len(changed) - 5, "a reason")]
    assert agreement.features[1].agreement["drf"] == Agreement(5, len(changed))
    assert f" 5 of {len(changed)} |" in table(agreement)


def test_every_difference_has_its_reason_and_what_is_not_compared_is_said() -> None:
    assert {(one.feature, one.scheduler) for one in checked_against_hadoop().differences} == set(REASONS)
    assert checked_against_hadoop().not_compared == list(NOT_COMPARED)
