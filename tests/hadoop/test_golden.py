"""Every decision of Hadoop's schedulers on the scripts of the golden files is Gantry's too."""

from __future__ import annotations

import pytest

from engine import Agreement, checked_against_hadoop
from engine.against_hadoop import FILE, written
from tests.conftest import ROOT
from tests.hadoop import workloads
from tests.hadoop.features import FEATURES, Feature
from tests.hadoop.played import difference, reservations
from tests.hadoop.referee import golden
from tests.hadoop.scripts import digest, scripts
from tests.hadoop.table import MARKS, NOT_COMPARED, README, REASONS, checked, table

SCRIPTS = {one["id"]: one for one in scripts()}
ALL = golden()
GOLDEN = {name: one for name, one in ALL.items() if not name.startswith(workloads.BEGIN)}


def of(feature: Feature, scheduler: str) -> list[str]:
    return [name for name, one in SCRIPTS.items() if one["scheduler"] == scheduler and name.split("/")[1] == feature.name]


def test_the_golden_files_are_of_these_scripts() -> None:
    assert {name: one.script for name, one in GOLDEN.items()} == {name: digest(one) for name, one in SCRIPTS.items()}, "make referee renews them"
    assert len(GOLDEN) >= 600 and sum(len(one.placements) for one in GOLDEN.values()) >= 40_000


@pytest.mark.parametrize(
    ("feature", "scheduler"), [(feature, name) for feature in FEATURES for name in feature.schedulers], ids=lambda one: getattr(one, "name", one)
)
def test_the_same_decisions(feature: Feature, scheduler: str) -> None:
    found = [difference(SCRIPTS[name], GOLDEN[name]) for name in of(feature, scheduler)]
    assert found and not any(found), "\n".join(filter(None, found))


@pytest.mark.parametrize(
    ("feature", "scheduler"),
    [(feature, name) for feature in FEATURES if feature.reservations for name in feature.schedulers],
    ids=lambda one: getattr(one, "name", one),
)
def test_the_same_reservations(feature: Feature, scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = of(feature, scheduler)
    least = 50 if feature.users else 100  # limits of users leave less to reserve
    assert sum(len(GOLDEN[name].reservations) for name in names) > least
    for name in names:
        if GOLDEN[name].status == "endless":
            continue  # queues kill each other's containers for ever
        assert reservations(SCRIPTS[name], monkeypatch) == GOLDEN[name].reservations, name


def test_where_none_were_asked_for_hadoop_made_none() -> None:
    assert not [name for name, one in SCRIPTS.items() if not one["reservations"] and GOLDEN[name].reservations]


def test_the_page_and_the_readmes_say_what_was_found() -> None:
    real = workloads.scripts() if workloads.are_there() else ()
    found = checked([*SCRIPTS.values(), *real], ALL)
    assert FILE.read_text("utf-8") == written(found), "make referee renews it"
    assert f"{MARKS[0]}{table(found)}{MARKS[1]}" in README.read_text("utf-8"), "make referee renews it"
    decisions = sum(len(one.placements) for one in ALL.values())
    assert found.total(found.schedulers) == (decisions, decisions)
    assert f"{decisions:,} decisions" in (ROOT / "README.md").read_text("utf-8")


def test_without_the_data_the_numbers_of_real_workloads_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workloads, "are_there", lambda: False)
    few = [SCRIPTS[of(feature, feature.schedulers[0])[0]] for feature in FEATURES]
    kept = {one.name: one for one in checked(few, ALL).features}
    assert {name: kept[name] for name in workloads.rows()} == {one.name: one for one in checked_against_hadoop().features if one.name in workloads.rows()}


def test_what_differs_is_counted_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workloads, "are_there", lambda: False)
    monkeypatch.setitem(REASONS, ("queues", "drf"), "a reason")
    few = [SCRIPTS[of(feature, "fair" if "fair" in feature.schedulers else "capacity")[0]] for feature in FEATURES] + [SCRIPTS[of(FEATURES[1], "drf")[0]]]
    real = GOLDEN[few[-1]["id"]]
    changed = [*real.placements[:5], [0, 0, 0, 0], *real.placements[6:]]
    found = checked(few, {**ALL, real.id: real._replace(placements=changed)})
    assert found.differences == [("queues", "drf", len(changed) - 5, "a reason")]
    assert found.features[1].agreement["drf"] == Agreement(5, len(changed))
    assert f" 5 of {len(changed)} |" in table(found)


def test_every_difference_has_its_reason_and_what_is_not_compared_is_said() -> None:
    assert {(one.feature, one.scheduler) for one in checked_against_hadoop().differences} == set(REASONS)
    assert checked_against_hadoop().not_compared == list(NOT_COMPARED)
