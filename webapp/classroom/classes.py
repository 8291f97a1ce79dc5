"""A class by its link: exercises for so many days, students without accounts, and of each what they did.

Of a student and an exercise one row is kept: how many tries and hints, at which try it was solved, the first
answer and the last. Every function raises StoreError, one sentence, where the database is away.
"""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from engine import GantryError
from webapp import settings
from webapp.classroom.pseudonyms import is_hash_of, new_secret, pseudonym, secret_hash
from webapp.messages import msg
from webapp.monitoring import audit
from webapp.store.database import StoreError, database, with_utc

CLASS_ID, SECRET = re.compile("[0-9a-f]{16}"), re.compile("[0-9a-f]{32}")
MAX_CLASSES = 20  # of a visitor, at a time
MAX_CLASSES_IN_ALL = 5_000  # at a time
MAX_STUDENTS = 500  # of a class
MAX_EXERCISES = 40  # of a class
MAX_TITLE_CHARS, MAX_NAME_CHARS, MAX_LABEL_CHARS = 120, 40, 120
MAX_ANSWER_CHARS = 2_000  # of a first answer as JSON
MAX_COUNT = 999  # of tries and of hints: more are not counted
WRITES = 5  # that are tried where another process writes the same
MAKING_LOCK = 0x636C6173  # of PostgreSQL's advisory locks: who makes a class
MAKER = "maker"  # the scope of a teacher's pseudonym
NOT_KEPT = msg("classroom.classes.not_kept")
NOT_READ = msg("classroom.classes.not_read")


def _table(name: str, columns: str, *times: str) -> sql.TableClause:
    moments = (sql.column(time, sql.DateTime(timezone=True)) for time in times)
    return sql.table(name, *map(sql.column, columns.split()), *moments)


classes = _table("classes", "id secret_hash title exercises maker", "created", "expires")
students = _table("students", "class_id number pseudonym name")
answers = _table(
    "answers",
    "class_id number exercise tries hints solved_at_try first_label first_answer last_label shown",
    "changed",
)
deleted = _table("deleted_classes", "id", "expires")  # before their time: no backup brings them back
T = TypeVar("T")


class ClassError(GantryError):
    """A class that can't be made, joined or written to: which limit it meets, or that it is over."""


class Class(NamedTuple):
    """exercises: names, in their order; expires: when it is deleted with all that is kept of it."""

    id: str
    title: str
    exercises: tuple[str, ...]
    created: datetime
    expires: datetime

    @property
    def heading(self) -> str:
        """The title, else "A class"."""
        return self.title or msg("classroom.classes.untitled")


class Student(NamedTuple):
    """A number within the class, and the name they gave themselves, or ""."""

    number: int
    name: str

    @property
    def title(self) -> str:
        """The name, else "Student 7"."""
        return self.name or msg("classroom.classes.student", number=self.number)


class State(NamedTuple):
    """How far a student is with an exercise. tries: answers until it was solved; hints: shown so far;
    solved_at_try: None until it is; first_label, last_label: answers as a histogram counts them;
    first_answer: by its fields' keys; changed: when they last opened or answered it; shown: the answer was,
    before it was solved.
    """

    tries: int
    hints: int
    solved_at_try: int | None
    first_label: str
    first_answer: dict[str, Any]
    last_label: str
    changed: datetime
    shown: bool = False


class Overview(NamedTuple):
    """A class as its teacher sees it: its students by their numbers, and how far each is with what they have
    opened, by its name.
    """

    of: Class
    students: tuple[Student, ...]
    states: dict[int, dict[str, State]]


def plain_line(text: str, most: int) -> str:
    """A line of what somebody wrote: without control characters, with single spaces, and so many letters."""
    words = ("".join(filter(str.isprintable, word)) for word in text.split())
    return unicodedata.normalize("NFC", " ".join(filter(None, words)))[:most].strip()


def create_class(title: str, names: Sequence[str], days: int, visitor: str) -> tuple[str, str]:
    """Make a class of these exercises, for so many days; its id, and the secret of its overview, which is
    known to nobody afterwards. Raises ClassError where a limit is met.
    """
    names, most = tuple(dict.fromkeys(names)), settings.class_days()
    if not 1 <= len(names) <= MAX_EXERCISES:
        raise ClassError(msg("classroom.classes.exercises", most=MAX_EXERCISES))
    if not 1 <= days <= most:
        raise ClassError(msg("classroom.classes.days", most=most))
    now, maker, id, secret = datetime.now(UTC), pseudonym(MAKER, visitor), secrets.token_hex(8), new_secret()
    values = {
        "id": id,
        "secret_hash": secret_hash(secret),
        "title": plain_line(title, MAX_TITLE_CHARS),
        "exercises": json.dumps(names),
        "maker": maker,
        "created": now,
        "expires": now + timedelta(days=days),
    }
    in_all = sql.select(sql.func.count()).where(classes.c.expires > now)
    with database().begin(NOT_KEPT) as connection:
        _lock_making(connection)
        if connection.execute(in_all.where(classes.c.maker == maker)).scalar_one() >= MAX_CLASSES:
            raise ClassError(msg("classroom.classes.too_many_classes", most=MAX_CLASSES))
        if connection.execute(in_all).scalar_one() >= MAX_CLASSES_IN_ALL:
            raise ClassError(msg("classroom.classes.too_many_in_all", most=MAX_CLASSES_IN_ALL))
        connection.execute(sql.insert(classes).values(**values))
    audit.log_class(audit.CLASS_MADE, id)
    return id, secret


def find_class(class_id: str) -> Class | None:
    """The class with this id, or None: there is none, or it is over."""
    if not CLASS_ID.fullmatch(class_id):
        return None
    with database().begin(NOT_READ) as connection:
        return _find(connection, classes.c.id == class_id)


def find_overview(secret: str) -> Class | None:
    """The class whose overview has this secret, or None."""
    if not SECRET.fullmatch(secret):
        return None
    kept = sql.select(classes.c.secret_hash).where(classes.c.secret_hash == secret_hash(secret))
    with database().begin(NOT_READ) as connection:
        found = connection.execute(kept).scalar()
        if found is None or not is_hash_of(found, secret):
            return None
        return _find(connection, classes.c.secret_hash == found)


def find_student(class_id: str, visitor: str) -> Student | None:
    """The visitor as a student of the class, or None: they have not joined. Raises ClassError for what is no
    class's id.
    """
    own = _own(class_id, visitor)
    with database().begin(NOT_READ) as connection:
        return _student(connection, class_id, own)


def join(class_id: str, visitor: str, name: str = "") -> Student:
    """The visitor is a student of the class from now on, under this name; without one under a number. Who has
    joined changes the name. Raises ClassError for a long name, and where the class is over or full.
    """
    own, name = _own(class_id, visitor), plain_line(name, MAX_NAME_CHARS + 1)
    if len(name) > MAX_NAME_CHARS:
        raise ClassError(msg("classroom.classes.long_name", most=MAX_NAME_CHARS))

    def write(connection: sql.Connection) -> Student:
        _lock(connection, class_id)
        student = _join(connection, class_id, own)
        is_own = students.c.class_id == class_id, students.c.number == student.number
        connection.execute(sql.update(students).where(*is_own).values(name=name))
        return student._replace(name=name)

    return _written(write)


def visit(class_id: str, visitor: str, exercise: str, shown: bool = False) -> None:
    """The student has this exercise before them; shown: and its answer. Raises ClassError as `join` does, and
    for an exercise that is not the class's.
    """
    _note(class_id, visitor, exercise, {"shown": shown or answers.c.shown}, {"shown": shown})


def record(
    class_id: str,
    visitor: str,
    exercise: str,
    answer: Mapping[str, Any],
    label: str,
    correct: bool,
    hints: int = 0,
) -> None:
    """The student has answered. label: the answer as a histogram counts it. What comes after the right answer
    is not counted. Raises as `visit` does.
    """
    label, text, hints = plain_line(label, MAX_LABEL_CHARS), json.dumps(dict(answer)), min(hints, MAX_COUNT)
    text = text if len(text) <= MAX_ANSWER_CHARS else "{}"
    old, is_first = answers.c, answers.c.tries == 0
    counted = sql.case((old.tries < MAX_COUNT, old.tries + 1), else_=old.tries)
    changed = {
        "tries": counted,
        "hints": sql.case((old.hints < hints, hints), else_=old.hints),
        "first_label": sql.case((is_first, label), else_=old.first_label),
        "first_answer": sql.case((is_first, text), else_=old.first_answer),
        "last_label": label,
        **({"solved_at_try": counted} if correct else {}),
    }
    new = {"tries": 1, "hints": hints, "first_label": label, "first_answer": text, "last_label": label}
    _note(class_id, visitor, exercise, changed, new | {"solved_at_try": 1 if correct else None})


def progress(class_id: str, visitor: str) -> dict[str, State]:
    """How far the visitor is with what they have opened, by its name. Raises as `find_student` does."""
    own = _own(class_id, visitor)
    with database().begin(NOT_READ) as connection:
        student = _student(connection, class_id, own)
        if student is None:
            return {}
        is_own = answers.c.class_id == class_id, answers.c.number == student.number
        return {row.exercise: _state(row) for row in connection.execute(sql.select(answers).where(*is_own))}


def changes(of: Class) -> tuple:
    """Differs wherever `overview` does, and needs no row of the answers."""
    named = sql.select(students.c.number, students.c.name).where(students.c.class_id == of.id)
    kept = answers.c
    sums = [sql.func.sum(column) for column in (kept.tries, kept.hints, kept.solved_at_try)]
    counted = sql.select(sql.func.count(), sql.func.max(kept.changed), *sums).where(kept.class_id == of.id)
    with database().begin(NOT_READ) as connection:
        rows = connection.execute(named.order_by(students.c.number))
        return (of, *map(tuple, rows), tuple(connection.execute(counted).one()))


def overview(of: Class, name: str = "") -> Overview:
    """How far everybody is; with first answers to the exercise of this name only, which are long."""
    listed = sql.select(students).where(students.c.class_id == of.id).order_by(students.c.number)
    first = sql.case((answers.c.exercise == name, answers.c.first_answer), else_="{}").label("first_answer")
    columns = [first if column.name == "first_answer" else column for column in answers.columns]
    with database().begin(NOT_READ) as connection:
        joined = tuple(Student(row.number, row.name) for row in connection.execute(listed))
        states: dict[int, dict[str, State]] = {student.number: {} for student in joined}
        for row in connection.execute(sql.select(*columns).where(answers.c.class_id == of.id)):
            states.setdefault(row.number, {})[row.exercise] = _state(row)
    return Overview(of, joined, states)


def all_classes() -> list[tuple[Class, int]]:
    """All classes with their numbers of students, the oldest first; those that are over as well."""
    joined = sql.select(students.c.class_id, sql.func.count()).group_by(students.c.class_id)
    with database().begin(NOT_READ) as connection:
        counts = {row.class_id: row[1] for row in connection.execute(joined)}
        rows = connection.execute(sql.select(classes).order_by(classes.c.created, classes.c.id))
        return [(_class(row), counts.get(row.id, 0)) for row in rows]


def delete_class(secret: str) -> bool:
    """Delete the class whose overview has this secret, with all that is kept of it; whether there was one."""
    of = find_overview(secret)
    return of is not None and not delete_classes([of.id])


def delete_classes(ids: Collection[str]) -> set[str]:
    """Delete these classes with all that is kept of them, all or none; the ids that are no class's."""
    is_one = classes.c.id.in_(list(ids))
    with database().begin(NOT_READ) as connection:
        found = connection.execute(sql.select(classes.c.id).where(is_one)).scalars().all()
    if missing := set(ids) - set(found):
        return missing
    _delete(is_one, audit.CLASS_DELETED)
    return set()


def expire_classes() -> int:
    """Delete the classes whose time is over, with all that is kept of them; how many."""
    now = datetime.now(UTC)
    with database().begin(NOT_KEPT) as connection:
        connection.execute(sql.delete(deleted).where(deleted.c.expires <= now))
    return _delete(classes.c.expires <= now, audit.CLASS_EXPIRED)


def _delete(which: sql.ColumnElement[bool], what: str) -> int:
    with database().begin(NOT_KEPT) as connection:
        deletion = sql.delete(classes).where(which).returning(classes.c.id, classes.c.expires)
        rows = [{"id": row.id, "expires": with_utc(row.expires)} for row in connection.execute(deletion)]
        if rows and what == audit.CLASS_DELETED:
            connection.execute(sql.insert(deleted), rows)
        ids = [row["id"] for row in rows]
        for table in (answers, students):
            connection.execute(sql.delete(table).where(table.c.class_id.in_(ids)))
    database().forget_deleted()
    for id in ids:
        audit.log_class(what, id)
    return len(ids)


def _find(connection: sql.Connection, which: sql.ColumnElement[bool]) -> Class | None:
    listed = sql.select(classes).where(which, classes.c.expires > datetime.now(UTC))
    row = connection.execute(listed).one_or_none()
    return _class(row) if row else None


def _class(row: Any) -> Class:
    names = tuple(json.loads(row.exercises))
    return Class(row.id, row.title, names, with_utc(row.created), with_utc(row.expires))


def _lock_making(connection: sql.Connection) -> None:
    """Nobody else makes a class before the transaction ends, so that the limits hold for who asks twice at
    once. SQLite has one writer at a time, from its first change on, even of nothing.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MAKING_LOCK)))
    else:
        connection.execute(sql.update(classes).where(classes.c.id == "").values(id=""))


def _own(class_id: str, visitor: str) -> str:
    """The visitor's pseudonym in the class; ClassError for what is no class's id, which no database need
    read.
    """
    if not CLASS_ID.fullmatch(class_id):
        raise ClassError(msg("classroom.classes.over"))
    return pseudonym(class_id, visitor)


def _lock(connection: sql.Connection, class_id: str) -> Class:
    """The class, which nobody else changes before the transaction ends: two who join at once get two
    numbers.
    """
    connection.execute(sql.update(classes).where(classes.c.id == class_id).values(id=class_id))
    of = _find(connection, classes.c.id == class_id)
    if of is None:
        raise ClassError(msg("classroom.classes.over"))
    return of


def _student(connection: sql.Connection, class_id: str, own: str) -> Student | None:
    listed = sql.select(students.c.number, students.c.name)
    is_own = students.c.class_id == class_id, students.c.pseudonym == own
    row = connection.execute(listed.where(*is_own)).one_or_none()
    return Student(*row) if row else None


def _join(connection: sql.Connection, class_id: str, own: str) -> Student:
    if found := _student(connection, class_id, own):
        return found
    last = sql.select(sql.func.max(students.c.number)).where(students.c.class_id == class_id)
    number = (connection.execute(last).scalar() or 0) + 1
    if number > MAX_STUDENTS:
        raise ClassError(msg("classroom.classes.full", most=MAX_STUDENTS))
    values = {"class_id": class_id, "number": number, "pseudonym": own, "name": ""}
    connection.execute(sql.insert(students).values(**values))
    return Student(number, "")


def _note(
    class_id: str, visitor: str, exercise: str, changed: Mapping[str, Any], new: Mapping[str, Any]
) -> None:
    """Change the row of the visitor's with this exercise, if it is not solved; else make it of `new`."""
    own, now = _own(class_id, visitor), datetime.now(UTC)
    texts = {"first_label": "", "first_answer": "{}", "last_label": ""}
    empty = {"tries": 0, "hints": 0, "shown": False, **texts}

    def write(connection: sql.Connection) -> None:
        of = _lock(connection, class_id)
        if exercise not in of.exercises:
            raise ClassError(msg("classroom.classes.not_of_class"))
        number = _join(connection, class_id, own).number
        key = {"class_id": class_id, "number": number, "exercise": exercise}
        is_own = [answers.c[name] == value for name, value in key.items()]
        touched = sql.update(answers).where(*is_own).values(changed=now)
        if connection.execute(touched).rowcount:
            unsolved = sql.update(answers).where(*is_own, answers.c.solved_at_try.is_(None))
            connection.execute(unsolved.values(**changed))
        else:
            connection.execute(sql.insert(answers).values(**key, **{**empty, **new}, changed=now))

    _written(write)


def _written(write: Callable[[sql.Connection], T]) -> T:
    """What a transaction makes, tried again where another process was first."""
    for _ in range(WRITES):
        try:
            with database().begin(NOT_KEPT) as connection:
                return write(connection)
        except IntegrityError:
            continue
    raise StoreError(NOT_KEPT)


def _state(row: Any) -> State:
    state = State(*(getattr(row, name) for name in State._fields))
    first, changed = json.loads(row.first_answer), with_utc(row.changed)
    return state._replace(first_answer=first, changed=changed, shown=bool(row.shown))
