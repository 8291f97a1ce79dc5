"""Every decision of Hadoop's schedulers on the scripts of the golden files is Gantry's too."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from tests.hadoop.played import difference, reservations
from tests.hadoop.referee import golden
from tests.hadoop.scripts import FEATURES, Feature, digest, scripts
from tests.hadoop.table import MARKS, README, table

SCRIPTS = {one["id"]: one for one in scripts()}
GOLDEN = golden()


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
    assert sum(len(GOLDEN[name].reservations) for name in names) > 100
    for name in names:
        assert reservations(SCRIPTS[name], monkeypatch) == GOLDEN[name].reservations, name


def test_where_none_were_asked_for_hadoop_made_none() -> None:
    assert not [name for name, one in SCRIPTS.items() if not one["reservations"] and GOLDEN[name].reservations]


def test_the_readmes_say_what_was_found() -> None:
    text = table(list(SCRIPTS.values()), GOLDEN)
    assert f"{MARKS[0]}{text}{MARKS[1]}" in README.read_text("utf-8"), "make referee renews it"
    decisions = f"{sum(len(one.placements) for one in GOLDEN.values()):,} decisions"
    assert decisions in (ROOT / "README.md").read_text("utf-8")
