"""The database of every released version is brought forward, in SQLite and in PostgreSQL, and its links open
as they were meant.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import sqlalchemy as sql

from engine import Scenario
from tests.phrases import phrase
from tests.webapp.store.released import IDS, left_by
from webapp.store.database import Database
from webapp.url.links import BEFORE_0_2, LinkStore, link_id
from webapp.url.url_state import RunRequest, translate_0_1

TABLES = {
    "alembic_version",
    "answers",
    "asked",
    "classes",
    "deleted_classes",
    "exercises",
    "links",
    "students",
    "works",
}
MEANT = ("fair(reservations=no, update_ms=0)+slowstart+admit-all", "fifo+slowstart+admit-all")


@pytest.fixture(params=IDS)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


def test_its_links_open(url: str, version: str) -> None:
    id = left_by(version, url)
    assert Database(url).revision() is None, "nothing in it says which version it is of"
    result = LinkStore(url).find(id)
    assert (result.title, result.schedulers, result.version) == (
        f"Kept by {version}: ünï'code",
        ("fair", "fifo"),
        f"{version}.0",
    )
    assert result.created == datetime(2025, 10, 1, 8, tzinfo=UTC)
    assert [run["makespan_s"] for run in result.metrics] == [17.75, 17.75]
    assert result.id == link_id(Scenario.of(result.scenario).canonical, result.schedulers, result.version)


def test_its_names_mean_what_they_did(url: str, version: str) -> None:
    result = LinkStore(url).find(left_by(version, url))
    assert result.is_from_0_1 == bool(BEFORE_0_2.match(result.version)) == (version == "0.1")
    meant, note = translate_0_1(RunRequest(result.scenario, result.schedulers))
    assert meant.schedulers == MEANT and note.startswith(
        phrase("store.this_link_was_made_with", 0.1, "fair(")
    )


def test_its_links_count_as_opened_when_they_were_made(url: str, version: str) -> None:
    id, store = left_by(version, url), LinkStore(url)
    assert next(store.iterate()).opened == datetime(2025, 10, 1, 8, tzinfo=UTC)
    assert store.find(id) and next(store.iterate()).opened > datetime(2026, 1, 1, tzinfo=UTC)


def test_a_database_brought_forward_is_as_one_that_is_new(url: str, version: str) -> None:
    """Column by column, so that no step forgets what another makes."""

    def columns() -> dict[str, list]:
        engine = sql.create_engine(url)
        seen = sql.inspect(engine)
        of = lambda name: sorted(
            (get_column["name"], str(get_column["type"]), get_column["nullable"])
            for get_column in seen.get_columns(name)
        )
        by_name = {name: of(name) for name in seen.get_table_names()}
        engine.dispose()
        return by_name

    LinkStore(url).count()
    new = columns()
    engine = sql.create_engine(url)
    with engine.begin() as connection:
        for name in new:
            connection.execute(sql.text(f"DROP TABLE {name}"))
    engine.dispose()
    left_by(version, url)
    LinkStore(url).count()
    assert columns() == new and set(new) == TABLES
