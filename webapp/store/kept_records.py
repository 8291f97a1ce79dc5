"""What a backup and a move take of the database besides links, as today's migrations make its tables: shared
exercises, classes with their students and answers, and which classes were deleted before their time.

A record is a row with the rows that belong to it, added all or none. Where a table says when its rows expire,
those that are over are neither read nor added.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from webapp.messages import msg
from webapp.store.database import Database, StoreError, tables, with_utc, without_unstorable

DELETED = "deleted_classes"
# what belongs to a table's rows, by class_id; what was deleted comes first, so that nothing brings it back
PARTS: dict[str, tuple[str, ...]] = {DELETED: (), "exercises": (), "classes": ("students", "answers")}
TABLES = {*PARTS, *(part for parts in PARTS.values() for part in parts)}
JSON_COLUMNS = {
    ("exercises", "exercise"): dict,
    ("classes", "exercises"): list,
    ("answers", "first_answer"): dict,
}
WHENEVER = {"created", "opened"}  # a record is the same whenever it was made or opened
ID_PATTERN = re.compile("[0-9a-f]{16}")
MAX_INTEGER = 2**31 - 1  # of PostgreSQL's integer
TRIES = 3


class RowError(Exception):
    """What is wrong with a row of a backup."""


class AddResult(NamedTuple):
    """What became of records that were to be added: how many are new, how many were there already, the ids
    of those that are there with other content, how many are over or were deleted, and are left out, and how
    many classes a deletion deleted.
    """

    new: int
    same: int
    differing: tuple[str, ...] = ()
    gone: int = 0
    deleted: int = 0

    def plus(self, other: AddResult) -> AddResult:
        """Of both."""
        return AddResult(
            self.new + other.new,
            self.same + other.same,
            self.differing + other.differing,
            self.gone + other.gone,
            self.deleted + other.deleted,
        )


class Record(NamedTuple):
    """A row of a table by its columns, and the rows that belong to it, each with its table."""

    table: str
    row: dict[str, Any]
    parts: list[tuple[str, dict[str, Any]]]


class RecordStore:
    """The records of one table, by id. Every method raises StoreError, one sentence, when the database is
    away.
    """

    def __init__(self, database: Database, table: str) -> None:
        self._database, self._table = database, tables()[table]
        self._not_read = msg("store.kept_records.not_read", name=database.name)
        self._not_changed = msg("store.kept_records.not_changed", name=database.name)

    def ids(self) -> list[str]:
        """Of all records, in their order."""
        listed = sql.select(self._table.c.id).where(self._is_kept()).order_by(self._table.c.id)
        with self._database.begin(self._not_read) as connection:
            return list(connection.execute(listed).scalars())

    def count(self) -> int:
        """How many records there are."""
        return len(self.ids())

    def existing_ids(self, ids: Collection[str]) -> set[str]:
        """Those of the ids that are records'."""
        listed = sql.select(self._table.c.id).where(self._table.c.id.in_(list(ids)))
        with self._database.begin(self._not_read) as connection:
            return set(connection.execute(listed).scalars())

    def iterate(self) -> Iterator[Record]:
        """All records, by their ids, one in memory at a time; one that is deleted meanwhile is left out."""
        for id in self.ids():
            with self._database.begin(self._not_read) as connection:
                record = self._read(connection, id)
            if record:
                yield record

    def add(self, records: Sequence[Record], write: bool = True) -> AddResult:
        """Keep records of another store, all or none; one that is there stays as it is. write=False: only say
        what would become of them.
        """
        for _ in range(TRIES):
            try:
                result = self._add(records, write)
            except IntegrityError:  # somebody made one of them meanwhile
                continue
            if self._table.name == DELETED:
                self._database.forget_deleted()
            return result
        raise StoreError(self._not_changed)

    def _add(self, records: Sequence[Record], write: bool) -> AddResult:
        new, same, gone, deleted, differing = 0, 0, 0, 0, list[str]()
        with self._database.begin(self._not_changed) as connection:
            for record in records:
                existing = self._read(connection, record.row["id"])
                if existing:
                    is_same = _content(existing) == _content(record)
                    same, differing = same + is_same, differing + [record.row["id"]] * (not is_same)
                elif self._is_gone(connection, record):
                    gone += 1
                else:
                    new += 1
                    deleted += self._table.name == DELETED and _is_there(connection, record.row["id"])
                    if write:
                        _insert(connection, record)
        return AddResult(new, same, tuple(differing), gone, deleted)

    def _is_kept(self) -> sql.ColumnElement[bool]:
        expires = self._table.c.get("expires")
        return sql.true() if expires is None else expires > datetime.now(UTC)

    def _is_gone(self, connection: sql.Connection, record: Record) -> bool:
        if record.row.get("expires", datetime.max.replace(tzinfo=UTC)) <= datetime.now(UTC):
            return True
        deleted = tables()[DELETED].c.id
        of = sql.select(deleted).where(deleted == record.row["id"])
        return record.table == "classes" and connection.execute(of).scalar() is not None

    def _read(self, connection: sql.Connection, id: str) -> Record | None:
        """The last table first, and the row itself last: who joins, answers or deletes meanwhile leaves no
        answer without its student, and nothing of a class that is no more.
        """
        parts: list[tuple[str, dict[str, Any]]] = []
        for name in reversed(PARTS[self._table.name]):
            table = tables()[name]
            of = sql.select(table).where(table.c.class_id == id).order_by(*table.primary_key)
            rows = connection.execute(of).mappings()
            parts = [(name, _values(row)) for row in rows] + parts
        listed = sql.select(self._table).where(self._table.c.id == id)
        row = connection.execute(listed).mappings().one_or_none()
        return Record(self._table.name, _values(row), parts) if row else None


def record_stores(database: Database) -> dict[str, RecordStore]:
    """Of each table that has records, in the order in which they are to be added."""
    return {table: RecordStore(database, table) for table in PARTS}


def rows_to_json(record: Record) -> Iterator[dict[str, Any]]:
    """A record as JSON values: an object a row, by its table."""
    for table, row in [(record.table, record.row), *record.parts]:
        values = {key: format_time(v) if isinstance(v, datetime) else v for key, v in row.items()}
        yield {table: values}


def is_row(values: dict[str, Any]) -> bool:
    """Is it a row by its table, as `rows_to_json` makes them?"""
    return len(values) == 1 and next(iter(values)) in TABLES


def add_row(values: dict[str, Any], last: Record | None) -> Record | None:
    """Of a row as JSON values: the record that it begins; None where it belongs to the last one, which then
    has it. Raises RowError, naming the column.
    """
    ((name, given),) = values.items()
    row = _parse_row(tables()[name], given)
    if name in PARTS:
        return Record(name, row, [])
    if last is None or name not in PARTS[last.table] or row["class_id"] != last.row["id"]:
        raise RowError(msg("store.kept_records.no_class", table=name))
    last.parts.append((name, row))
    return None


def format_time(at: datetime) -> str:
    """As a backup has it: ISO 8601 with its zone, UTC."""
    return at.astimezone(UTC).isoformat()


def parse_time(value: Any) -> datetime | None:
    """Of its text with a zone; None of anything else."""
    try:
        time = datetime.fromisoformat(value)
        return time.astimezone(UTC) if time.tzinfo else None
    except (TypeError, ValueError, OverflowError):
        return None


def _is_there(connection: sql.Connection, class_id: str) -> bool:
    id = tables()["classes"].c.id
    return connection.execute(sql.select(id).where(id == class_id)).scalar() is not None


def _insert(connection: sql.Connection, record: Record) -> None:
    connection.execute(sql.insert(tables()[record.table]).values(**record.row))
    for part in PARTS[record.table]:
        if rows := [row for table, row in record.parts if table == part]:
            connection.execute(sql.insert(tables()[part]), rows)
    if record.table == DELETED:  # what was deleted there is deleted here
        classes = tables()["classes"]
        connection.execute(sql.delete(classes).where(classes.c.id == record.row["id"]))
        for name in PARTS["classes"]:
            of = tables()[name].c.class_id == record.row["id"]
            connection.execute(sql.delete(tables()[name]).where(of))


def _content(record: Record) -> tuple:
    """What two records have in common that are the same."""
    own = {key: value for key, value in record.row.items() if key not in WHENEVER}
    return own, sorted(
        record.parts, key=lambda part: (part[0], part[1]["number"], part[1].get("exercise", ""))
    )


def _values(row: Any) -> dict[str, Any]:
    """A row as it is kept, its times in UTC."""
    to_utc = lambda value: with_utc(value).astimezone(UTC) if isinstance(value, datetime) else value
    return {key: to_utc(value) for key, value in row.items()}


def _parse_row(table: sql.Table, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise RowError(msg("store.kept_records.must_be_object", table=table.name))
    row = {}
    for column in table.columns:
        if column.name not in given:
            raise RowError(msg("store.kept_records.missing", table=table.name, name=column.name))
        value = given[column.name]
        requirement = _requirement(table.name, column, value)
        if requirement and not (value is None and column.nullable):
            where = {"table": table.name, "name": column.name, "requirement": requirement}
            raise RowError(msg("store.kept_records.must_be", **where))
        row[column.name] = parse_time(value) if isinstance(column.type, sql.DateTime) else value
    if unknown := sorted(set(given) - set(row)):
        raise RowError(msg("store.kept_records.unknown", table=table.name, unknown=unknown[0][:40]))
    return row


def _requirement(table: str, column: sql.Column, value: Any) -> str:
    """What the value must be, or "" where it is."""
    if isinstance(column.type, sql.DateTime):
        return "" if parse_time(value) else msg("store.kept_records.time")
    if isinstance(column.type, sql.Boolean):
        return "" if isinstance(value, bool) else msg("store.kept_records.true_or_false")
    if isinstance(column.type, sql.Integer):
        is_count = type(value) is int and 0 <= value <= MAX_INTEGER
        return "" if is_count else msg("store.kept_records.whole_number", most=MAX_INTEGER)
    if column.name in ("id", "class_id"):
        is_id = isinstance(value, str) and bool(ID_PATTERN.fullmatch(value))
        return "" if is_id else msg("shared.hexadecimal_digits")
    if of := JSON_COLUMNS.get((table, column.name)):
        return "" if _is_json(value, of) else msg("store.kept_records.json")
    most = getattr(column.type, "length", None)
    is_text = isinstance(value, str) and len(value) <= (most or len(value)) and _is_storable(value)
    return "" if is_text else msg("store.kept_records.text")


def _is_json(value: Any, of: type) -> bool:
    try:
        return isinstance(value, str) and _is_storable(value) and isinstance(json.loads(value), of)
    except (ValueError, RecursionError):
        return False


def _is_storable(text: str) -> bool:
    return without_unstorable(text) == text
