"""python -m webapp links, on real databases."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sql

from engine.dashboard import course
from tests.conftest import ROOT
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, YIELD_S
from tests.webapp.url.link import LINK
from webapp import settings
from webapp.classroom.classes import (
    all_classes,
    create_class,
    delete_class,
    find_overview,
    join,
    overview,
    record,
)
from webapp.classroom.shared_exercises import find_exercise, save_exercise
from webapp.commands.link_commands import main
from webapp.store.database import database
from webapp.url.link_backup import link_to_json
from webapp.url.links import LinkStore, StoredLink, link_store

OTHER = replace(LINK, id="f" * 16, title="=HYPERLINK(1)\x1b[31m")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(data: Path, capsys: pytest.CaptureFixture) -> Run:
    """Does a command; exit code, standard output, standard error."""

    def links(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return links


@pytest.fixture
def two(run: Run) -> LinkStore:
    """Two links, one of which nobody has opened for 40 days."""
    link_store().save(LINK, opened=datetime.now(UTC) - timedelta(days=40))
    link_store().save(OTHER, opened=datetime.now(UTC))
    return link_store()


def test_they_are_listed(run: Run, two: LinkStore) -> None:
    _, text, _ = run("list")
    head, first, second = text.splitlines()
    assert head.split() == ["id", "made", "opened", "version", "title"]
    assert first.startswith(f"{LINK.id}  2026-11-21T10:30:00Z  ") and first.endswith(
        "  0.1.0     Four jobs, ünïcode"
    )
    assert second.endswith("  =HYPERLINK(1)[31m"), "a terminal is told nothing by a title"
    _, text, _ = run("list", "--json")
    assert [load["title"] for load in json.loads(text)] == [LINK.title, OTHER.title]
    _, text, _ = run("list", "--csv")
    assert next(csv.DictReader(io.StringIO(text)))["made"] == "2026-11-21T10:30:00Z"
    assert "'=HYPERLINK" in text, "nor a spreadsheet"


def test_none_are_listed(run: Run) -> None:
    assert link_store().count() == 0
    assert run("list", "--json") == (0, "[]\n", "")


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["show", "a"],
        ["delete", "a"],
        ["expire", "--days", "3"],
        ["backup", "F"],
        ["move", "--to", "sqlite:///other"],
    ],
)
def test_a_mistyped_folder_is_no_empty_database(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str]
) -> None:
    """The old one: 0 links were backed up, and all seemed well."""
    monkeypatch.chdir(tmp_path)
    code, text, said = run(*words)
    assert (code, text) == (2, "") and phrase(
        "commands.or_must_name_what_server", "GANTRY_DATA", "DATABASE_URL"
    ) in said
    assert not list(tmp_path.rglob("links.sqlite")) and not list(tmp_path.glob("[Fo]*"))


def test_one_is_shown(run: Run, two: LinkStore) -> None:
    _, text, _ = run("show", LINK.id)
    assert "schedulers  fair, haste+lazy-start\n" in text
    assert json.loads(run("show", LINK.id, "--json")[1])["scenario"] == LINK.scenario
    assert run("show", "0") == (2, "", phrase("commands.there_no_link", "'0'") + "\n")
    assert two.find_stored(LINK.id).opened < datetime.now(UTC) - timedelta(days=39), (
        "to look at it is not to open it"
    )


def test_they_are_deleted(run: Run, two: LinkStore) -> None:
    assert run("delete", LINK.id, "0") == (2, "", phrase("commands.there_no_link_nothing_was", "'0'") + "\n")
    assert run("delete", LINK.id, LINK.id) == (0, "1 link deleted.\n", "")
    assert two.count() == 1


def test_they_expire_when_asked_and_by_the_owner_s_rule(
    run: Run, two: LinkStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, text, _ = run("expire", "--days", 30, "--dry-run")
    assert (code, text.splitlines()[-1]) == (0, phrase("commands.link_nobody_has_opened_for", 1, 30))
    assert LINK.id in text and OTHER.id not in text and two.count() == 2
    code, _, said = run("expire")
    assert code == 2 and said.startswith(phrase("commands.links_kept_for_ever_on"))
    monkeypatch.setenv("GANTRY_LINK_DAYS", "50")
    assert run("expire") == (0, phrase("commands.links_nobody_has_opened_for", 0, 50) + "\n", "")
    assert run("expire", "--days", 30) == (
        0,
        phrase("commands.link_nobody_has_opened_for_days", 1, 30) + "\n",
        "",
    )
    for wrong in ("0", "-1", "1.5", "9" * 30):
        assert run("expire", f"--days={wrong}")[0] == 2


@pytest.mark.parametrize("name", ["links.jsonl", "links.jsonl.gz"])
def test_they_are_backed_up_and_restored(
    url: str, run: Run, two: LinkStore, tmp_path: Path, name: str
) -> None:
    file, before = tmp_path / name, list(two.iterate())
    assert run("backup", file)[:2] == (0, phrase("commands.links_written", 2, two.database.name, file) + "\n")
    assert run("restore", file) == (0, phrase("commands.links_added_there_already", 0, 2) + "\n", "")
    run("delete", LINK.id)
    assert run("restore", file, "--dry-run") == (
        0,
        phrase("commands.link_would_be_added_there", 1, 1) + "\n",
        "",
    )
    assert two.count() == 1
    assert run("restore", file) == (0, phrase("commands.link_added_there_already", 1, 1) + "\n", "")
    assert list(two.iterate()) == before


def test_what_differs_is_told_and_left_as_it_is(run: Run, two: LinkStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "links")
    run("delete", LINK.id)
    two.save(replace(LINK, schedulers=("fifo",)))
    code, text, said = run("restore", tmp_path / "links")
    assert (code, text) == (1, phrase("commands.links_added_there_already", 0, 1) + "\n")
    assert said == phrase("commands.link_in_database_with_other", 1, LINK.id) + "\n"
    assert two.find(LINK.id).schedulers == ("fifo",)


def test_nothing_of_a_broken_file_is_restored(run: Run, two: LinkStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "links")
    run("delete", LINK.id, OTHER.id)
    lines = (tmp_path / "links").read_text().splitlines(keepends=True)
    (tmp_path / "links").write_text("".join(lines[:-1]))
    code, _, said = run("restore", tmp_path / "links")
    assert (code, said) == (2, phrase("commands.line_file_was_cut_off", f"{tmp_path}/links", 4) + "\n")
    assert two.count() == 0


def test_visitors_share_and_open_while_links_are_restored(
    url: str, run: Run, two: LinkStore, tmp_path: Path
) -> None:
    backup, ids = tmp_path / "links", [f"{number:016x}" for number in range(300)]
    two.add([StoredLink(replace(LINK, id=id), LINK.created) for id in ids])
    run("backup", backup)
    run("delete", *ids)
    over, failed, mine = threading.Event(), [], []

    def visit() -> None:
        own = LinkStore(settings.database_url())
        while not over.wait(YIELD_S):
            try:
                mine.append(f"{len(mine):015x}a")
                own.save(replace(LINK, id=mine[-1]))
                own.save(replace(LINK, id=ids[len(mine) % 300]))
                assert own.find(OTHER.id)
            except Exception as error:
                failed.append(error)

    visitor = threading.Thread(target=visit)
    visitor.start()
    try:
        code, _, said = run("restore", backup)
    finally:
        over.set()
        visitor.join()
    assert (code, said, failed) == (0, "", [])
    assert two.existing_ids([*ids, *mine]) == {*ids, *mine}


@pytest.fixture
def target(postgres: str) -> str:
    """The URL of an empty PostgreSQL."""
    with sql.create_engine(settings.with_driver(postgres)).begin() as connection:
        connection.execute(sql.text("DROP SCHEMA public CASCADE"))
        connection.execute(sql.text("CREATE SCHEMA public"))
    return postgres


def test_they_move_to_postgresql_and_back(
    run: Run, two: LinkStore, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        two.save(replace(LINK, id=f"{number:016x}", title="a\0b"))
    there = LinkStore(settings.with_driver(target))
    # what an attempt before left
    there.add(
        [StoredLink(replace(LINK, id=f"{number:016x}", title="ab"), LINK.created) for number in range(30)]
    )
    code, text, said = run("move", "--to", target)
    name = there.database.name
    assert (code, said) == (0, "")
    assert text == phrase("commands.links_added_there_already_here", 32, name, 30, 62, 62) + "\n"
    assert "gantry@" in target and "gantry@" not in text, "nor is who asks named"
    monkeypatch.setenv("DATABASE_URL", target)
    link_store.cache_clear()
    assert run("move", "--to", f"sqlite:///{tmp_path}/back.sqlite")[0] == 0
    back = LinkStore(f"sqlite:///{tmp_path}/back.sqlite")
    assert list(back.iterate()) == list(there.iterate())
    assert back.find_stored(LINK.id) == two.find_stored(LINK.id)
    assert (tmp_path / "back.sqlite").stat().st_mode & 0o777 == 0o600
    assert (
        run("move", "--to", target)[2] == phrase("commands.links_in_already_must_name", name, "--to") + "\n"
    )


@pytest.fixture
def lesson(two: LinkStore) -> tuple[str, str]:
    """Beside the links a shared exercise, and a class of it with a student who has answered; its secret."""
    exercise = save_exercise(next(iter(course()[0].exercises.values())))
    id, secret = create_class("Ünï", [exercise], 30, "teacher")
    join(id, "ann", "Ann")
    record(id, "ann", exercise, {"job": "a"}, "a", True)
    return exercise, secret


def test_classes_and_exercises_are_restored_where_there_are_none(
    url: str, run: Run, lesson: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise, secret = lesson
    file, of = tmp_path / "all.gz", find_overview(secret)
    seen, kept = overview(of), "2 links, 1 exercise, 1 class"
    assert run("backup", file)[1] == phrase("commands.kept_written", kept, database().name, file) + "\n"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/new.sqlite")
    link_store.cache_clear()
    database.cache_clear()
    assert run("restore", file, "--dry-run")[:2] == (
        0,
        phrase("commands.kept_would_be_added", kept, 0) + "\n",
    )
    assert all_classes() == []
    assert run("restore", file) == (0, f"{kept} added, 0 there already.\n", "")
    assert run("restore", file) == (0, phrase("commands.links_added_there_already", 0, 4) + "\n", "")
    assert (find_overview(secret), overview(of)) == (of, seen)
    assert find_exercise(exercise) and join(of.id, "ann", "Ann").number == 1
    delete_class(secret)
    code, text, said = run("restore", file)
    assert (code, said, all_classes()) == (0, "", [])
    assert text.splitlines()[1] == phrase("commands.class_not_added", 1, "all.gz")


def test_a_backup_of_links_alone_is_restored_as_before(
    run: Run, lesson: tuple[str, str], tmp_path: Path
) -> None:
    rows = [link_to_json(stored) for stored in link_store().iterate()]
    lines = [{"gantry_links": 2}, *rows, {"links": 2}]
    (tmp_path / "old").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    run("delete", LINK.id)
    assert run("restore", tmp_path / "old") == (
        0,
        phrase("commands.link_added_there_already", 1, 1) + "\n",
        "",
    )
    assert len(all_classes()) == 1


def test_classes_and_exercises_move_to_postgresql_and_back(
    run: Run, lesson: tuple[str, str], target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise, secret = lesson
    of = find_overview(secret)
    seen = overview(of)
    assert run("move", "--to", target)[0] == 0
    monkeypatch.setenv("DATABASE_URL", target)
    link_store.cache_clear()
    database.cache_clear()
    assert (find_overview(secret), overview(of)) == (of, seen) and find_exercise(exercise)
    back = f"sqlite:///{tmp_path}/back.sqlite"
    code, text, said = run("move", "--to", back)
    assert (code, said) == (0, "")
    assert (
        text.startswith(phrase("commands.kept_added_to", "2 links, 1 exercise, 1 class"))
        and "4 here, 4 there" in text
    )
    join(of.id, "bob")
    code, _, said = run("move", "--to", back)
    name = database().name
    assert (code, said) == (1, phrase("commands.class_with_other_content", 1, name, of.id) + "\n")
    delete_class(secret)
    code, text, _ = run("move", "--to", back)
    assert (code, text.splitlines()[1]) == (0, phrase("commands.class_deleted_as_in", 1, name))
    monkeypatch.setenv("DATABASE_URL", back)
    database.cache_clear()
    assert all_classes() == [], "what was deleted between two attempts is deleted there"


def test_what_was_shared_while_they_moved_is_told(
    run: Run, two: LinkStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    iterate = two.iterate

    def meanwhile():
        yield from iterate()
        two.save(replace(LINK, id="e" * 16))

    monkeypatch.setattr(two, "iterate", meanwhile)
    code, text, said = run("move", "--to", f"sqlite:///{tmp_path}/new.sqlite")
    assert code == 1 and "3 here, 2 there" in text and "1 link of" in said and "move again" in said


AWAY = "postgres://ann:secret@127.0.0.1:9/nothing"


@pytest.mark.parametrize(
    "words", [["list"], ["show", "a"], ["delete", "a"], ["expire", "--days", "3"], ["backup", "F"]]
)
def test_a_database_that_is_away_is_a_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", AWAY)
    monkeypatch.chdir(tmp_path)
    code, text, said = run(*words)
    assert (code, text) == (2, "")
    assert (
        phrase("commands.database_does_not_answer", "postgresql://127.0.0.1:9/nothing") + "\n" in said
        and said.count("\n") == 1
    )
    assert not list(tmp_path.glob("*F*"))


@pytest.mark.parametrize(
    "words",
    [
        ["move", "--to", "foo://ann:secret@host/x"],
        ["list", AWAY],
        ["move", "--too", AWAY],
        [f"--{AWAY}"],
        ["nothing"],
        [],
    ],
)
def test_what_can_t_be_done_is_a_sentence_without_a_password(run: Run, words: list[str]) -> None:
    code, text, said = run(*words)
    assert (code, text) == (2, "") and said.count("\n") == 1 and "secret" not in said


def test_nothing_else_is_said_by_its_process(tmp_path: Path) -> None:
    """As it is typed."""
    command = [sys.executable, "-m", "webapp", "links", "move", "--to", AWAY]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "GANTRY_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_S,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "secret" not in done.stderr and "Traceback" not in done.stderr


def test_a_file_of_many_links_is_packed_as_it_is_written(run: Run, two: LinkStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "links.gz")
    with gzip.open(tmp_path / "links.gz", "rt") as lines:
        head, *rows, tail = map(json.loads, lines)
    assert (
        head["gantry_links"] == 3
        and [row["id"] for row in rows] == [LINK.id, OTHER.id]
        and tail == {"rows": 2}
    )
