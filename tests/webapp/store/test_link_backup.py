"""A backup is whole or not there, and a file that is none is refused with its line."""

from __future__ import annotations

import json
import resource
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.webapp.store.test_links import LINK
from webapp.store import link_backup as backup
from webapp.store.link_backup import BackupError
from webapp.store.links import Kept

KEPT = [Kept(replace(LINK, id=f"{number:016x}"), LINK.created + timedelta(days=number)) for number in range(3)]


@pytest.mark.parametrize("name", ["links.jsonl", "links.jsonl.gz"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    assert backup.write(file, KEPT) == 3
    assert list(backup.read(file)) == KEPT
    assert file.stat().st_mode & 0o777 == 0o600
    assert (file.read_bytes()[:2] == backup.GZIP) == name.endswith(".gz")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_none_are_a_backup_too(tmp_path: Path) -> None:
    assert backup.write(tmp_path / "none", []) == 0
    assert list(backup.read(tmp_path / "none")) == []


def test_a_backup_that_fails_leaves_the_one_before(tmp_path: Path) -> None:
    def broken():
        yield KEPT[0]
        raise BackupError("the database has gone")

    backup.write(tmp_path / "links", KEPT)
    with pytest.raises(BackupError):
        backup.write(tmp_path / "links", broken())
    assert list(backup.read(tmp_path / "links")) == KEPT
    assert len(list(tmp_path.iterdir())) == 1


def test_what_can_t_be_written_or_read_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="nowhere/links: can't be written: no such file or directory"):
        backup.write(tmp_path / "nowhere" / "links", KEPT)
    with pytest.raises(BackupError, match="links: can't be read: no such file"):
        list(backup.read(tmp_path / "links"))
    with pytest.raises(BackupError, match="can't be read: is a directory"):
        list(backup.read(tmp_path))


GOOD = json.dumps(backup.plain(KEPT[0]))
HEAD = '{"gantry_links":1}'
changed = lambda **fields: json.dumps({**backup.plain(KEPT[0]), **fields})
WRONG = [
    ([], "line 1: the file is empty"),
    (['{"version":1}'], "line 1: this is no backup of links"),
    (["some text"], "line 1: this is no backup of links"),
    (['{"gantry_links":2}'], "line 1: the backup is of format 2, made by another Gantry; this one reads format 1"),
    ([HEAD], "line 2: the file was cut off"),
    ([HEAD, GOOD], "line 3: the file was cut off"),
    ([HEAD, GOOD, "{"], "line 3: it must be one object of JSON"),
    ([HEAD, "[" * 100_000], "line 2: it must be one object of JSON"),
    ([HEAD, '{"id":' + "9" * 5000 + "}"], "line 2: it must be one object of JSON"),
    ([HEAD, GOOD, '{"links":2}'], "line 3: the file must hold 2 links by its last line, and holds 1"),
    ([HEAD, GOOD, '{"links":1}', GOOD], "line 3: this must be the last line"),
    ([HEAD, changed(id="ABC")], "line 2: id must be 16 hexadecimal digits"),
    ([HEAD, changed(title=7)], "line 2: title must be text"),
    ([HEAD, changed(version="v" * 41)], "line 2: version must be a version of at most 40 characters"),
    ([HEAD, changed(opened="2026-10-01T08:00:00")], "line 2: opened must be a time with its zone"),
    ([HEAD, changed(created="0001-01-01T00:00:00+14:00")], "line 2: created must be a time with its zone"),
    ([HEAD, changed(schedulers=[])], "line 2: schedulers must be a list of names"),
    ([HEAD, changed(scenario=[])], "line 2: scenario must be an object"),
    ([HEAD, changed(metrics=[1])], "line 2: metrics must be a list of objects"),
    ([HEAD, changed(more=1)], "line 2: 'more' is not a field of a link"),
    ([HEAD, '{"id":"0123456789abcdef"}'], "line 2: title is missing"),
]


@pytest.mark.parametrize(("lines", "says"), WRONG, ids=range(len(WRONG)))
def test_a_file_that_is_no_backup_is_refused_with_its_line(tmp_path: Path, lines: list[str], says: str) -> None:
    file = tmp_path / "links"
    file.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(BackupError) as error:
        list(backup.read(file))
    assert str(error.value).startswith(f"{file}, {says}")


@pytest.mark.parametrize("name", ["links", "links.gz"])
def test_wherever_it_is_cut_or_changed_it_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    backup.write(file, KEPT)
    whole = file.read_bytes()
    for length in range(0, len(whole) - 1, 7):
        file.write_bytes(whole[:length])
        with pytest.raises(BackupError):
            list(backup.read(file))
    if name.endswith(".gz"):
        for at in range(10, len(whole), 11):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
            with pytest.raises(BackupError, match="it was changed|cut off|line"):
                list(backup.read(file))


def test_many_links_do_not_stand_in_memory(tmp_path: Path) -> None:
    large = replace(LINK, scenario={"x_text": "a" * 100_000})
    rss = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = rss()
    assert backup.write(tmp_path / "links", (Kept(replace(large, id=f"{number:016x}"), datetime.now(UTC)) for number in range(1_000))) == 1_000
    assert sum(1 for _ in backup.read(tmp_path / "links")) == 1_000
    assert rss() - before < 30_000, "kB, of 100,000 that are in the file"
