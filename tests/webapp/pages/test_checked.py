"""The page of what was checked against Hadoop, and the pages that lead to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dash import Dash

from engine.dashboard import Agreement, KnownDifference, checked_against_hadoop, guides
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json
from webapp.pages import checked, limits, schedulers


@pytest.fixture(autouse=True)
def app() -> Iterator[Dash]:
    """Addresses on a page are those of an application."""
    yield Dash("test")


def test_the_page_has_every_number_of_the_record() -> None:
    text, result = as_json(checked.layout()), checked_against_hadoop()
    for feature in result.features:
        assert f'"{feature.name}"' in text and f'"{feature.about}"' in text
        assert all(
            f'"{difference.identical:,} of {difference.decisions:,}"' in text
            for difference in feature.agreement.values()
        )
    for key in result.schedulers:
        total = result.total([key])
        assert f'"{total.identical:,} of {total.decisions:,}"' in text
    for count in (result.total(result.schedulers).decisions, result.scripts, result.reservations):
        assert f'"{count:,}"' in text
    assert phrase("pages.hadoop_run_in_process", result.hadoop) in text
    assert all(f'"{line}"' in text for line in result.not_compared)


def test_what_is_not_identical_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (phrase("pages.nothing_all_decisions_same") in as_json(checked.layout())) == (
        not checked_against_hadoop().differences
    )
    difference = KnownDifference("queues", "capacity-drc", 1234, "a reason")
    monkeypatch.setattr(
        checked, "checked_against_hadoop", lambda: checked_against_hadoop()._replace(differences=[difference])
    )
    text = as_json(checked.layout())
    assert phrase("pages.queues_decisions_reason", "1,234") in text and "Nothing: all decisions" not in text


@pytest.mark.parametrize("name", guides())
def test_the_schedulers_of_hadoop_lead_to_it_with_their_number(name: str) -> None:
    text, difference = as_json(schedulers.layout(name)), checked_against_hadoop().of_order(name)
    assert ('"/checked-against-hadoop"' in text) == (name in ("fifo", "fair", "drf", "capacity"))
    if difference != Agreement(0, 0):
        assert f"{difference.decisions:,} decisions." in text


def test_the_limits_lead_to_it() -> None:
    assert '"/checked-against-hadoop"' in as_json(limits.layout())
