"""A backup is whole or not there, and a file that is none is refused with its line."""

from __future__ import annotations

import json
import resource
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.phrases import phrase
from tests.webapp.url.link import LINK
from webapp.url import link_backup as backup
from webapp.url.link_backup import BackupError
from webapp.url.links import StoredLink

KEPT = [
    StoredLink(
        replace(LINK, id=f"{number:016x}", read_only=number == 2), LINK.created + timedelta(days=number)
    )
    for number in range(3)
]


@pytest.mark.parametrize("name", ["links.jsonl", "links.jsonl.gz"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    backup.write(file, KEPT)
    assert list(backup.read(file)) == KEPT
    assert file.stat().st_mode & 0o777 == 0o600
    assert (file.read_bytes()[:2] == backup.GZIP_MAGIC) == name.endswith(".gz")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_none_are_a_backup_too(tmp_path: Path) -> None:
    backup.write(tmp_path / "none", [])
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
    with pytest.raises(BackupError, match=phrase("store.nowhere_links_cant_be_written")):
        backup.write(tmp_path / "nowhere" / "links", KEPT)
    with pytest.raises(BackupError, match=phrase("store.links_cant_be_read_no")):
        list(backup.read(tmp_path / "links"))
    with pytest.raises(BackupError, match=phrase("common.cant_be_read_directory")):
        list(backup.read(tmp_path))


GOOD = json.dumps(backup.link_to_json(KEPT[0]))
HEAD = '{"gantry_links":2}'
changed = lambda **fields: json.dumps({**backup.link_to_json(KEPT[0]), **fields})
EXPIRES = "2999-10-01T08:00:00+00:00"
CLASS = {
    "id": "c" * 16,
    "secret_hash": "0" * 64,
    "title": "Ünï",
    "exercises": '["one"]',
    "maker": "1" * 64,
    "created": EXPIRES,
    "expires": EXPIRES,
}
STUDENT = {"class_id": "c" * 16, "number": 1, "pseudonym": "2" * 64, "name": "Ann"}
ANSWER = {
    "class_id": "c" * 16,
    "number": 1,
    "exercise": "one",
    "tries": 1,
    "hints": 0,
    "solved_at_try": None,
    "shown": False,
    "first_label": "a",
    "first_answer": '{"job":"a"}',
    "last_label": "a",
    "changed": EXPIRES,
}
DELETED = {"deleted_classes": {"id": "d" * 16, "expires": EXPIRES}}
ROWS = [DELETED, {"classes": CLASS}, {"students": STUDENT}, {"answers": ANSWER}]
one_wrong = lambda table, row, **fields: json.dumps({table: row | fields})
WRONG = [
    ([], phrase("store.line_file_empty", 1)),
    (['{"version":1}'], phrase("store.line_this_no_backup_links", 1)),
    (["some text"], phrase("store.line_this_no_backup_links", 1)),
    (['{"gantry_links":4}'], phrase("store.line_backup_format_made_by", 1, 4, 3)),
    (['{"gantry_links":0}'], phrase("store.line_backup_format_made_by", 1, 0, 3)),
    ([HEAD], phrase("store.line_file_was_cut_off", 2)),
    ([HEAD, GOOD], phrase("store.line_file_was_cut_off", 3)),
    ([HEAD, GOOD, "{"], phrase("store.line_must_be_one_object", 3)),
    ([HEAD, "[" * 100_000], phrase("store.line_must_be_one_object", 2)),
    ([HEAD, '{"id":' + "9" * 5000 + "}"], phrase("store.line_must_be_one_object", 2)),
    ([HEAD, GOOD, '{"links":2}'], phrase("store.line_file_must_hold_links", 3, 2, 1)),
    ([HEAD, GOOD, '{"links":1}', GOOD], phrase("store.line_this_must_be_last", 3)),
    ([HEAD, changed(id="ABC")], phrase("store.line_id_must_be_hexadecimal", 2, 16)),
    ([HEAD, changed(title=7)], phrase("store.line_title_must_be_text", 2)),
    ([HEAD, changed(sentence="s" * 301)], phrase("store.line_sentence_must_be_text", 2, 300)),
    ([HEAD, changed(read_only=1)], phrase("store.line_read_only_must_be", 2)),
    ([HEAD, changed(version="v" * 41)], phrase("store.line_version_must_be_version", 2, 40)),
    ([HEAD, changed(opened="2026-10-01T08:00:00")], phrase("store.line_opened_must_be_time", 2)),
    ([HEAD, changed(created="0001-01-01T00:00:00+14:00")], phrase("store.line_created_must_be_time", 2)),
    ([HEAD, changed(schedulers=[])], phrase("store.line_schedulers_must_be_list", 2)),
    ([HEAD, changed(scenario=[])], phrase("store.line_scenario_must_be_object", 2)),
    ([HEAD, changed(metrics=[1])], phrase("store.line_metrics_must_be_list", 2)),
    ([HEAD, changed(more=1)], phrase("store.line_not_field_link", 2, "'more'")),
    ([HEAD, '{"id":"0123456789abcdef"}'], phrase("store.line_title_missing", 2)),
    ([HEAD, '{"classes":[]}'], phrase("store.line_row_must_be_object", 2, "classes")),
    (
        [HEAD, '{"classes":{"id":"' + "c" * 16 + '"}}'],
        phrase("store.line_column_missing", 2, "secret_hash", "classes"),
    ),
    ([HEAD, one_wrong("classes", CLASS, id="ABC")], phrase("store.line_column_must_be", 2, "id", "classes")),
    (
        [HEAD, one_wrong("classes", CLASS, title=None)],
        phrase("store.line_column_must_be", 2, "title", "classes"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS, title="\0")],
        phrase("store.line_column_must_be", 2, "title", "classes"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS, title="\ud800")],
        phrase("store.line_column_must_be", 2, "title", "classes"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS, maker="m" * 65)],
        phrase("store.line_column_must_be", 2, "maker", "classes"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS, exercises="{}")],
        phrase("store.line_column_must_be", 2, "exercises", "classes"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS, expires="2026-10-01")],
        phrase("store.line_column_must_be", 2, "expires", "classes"),
    ),
    ([HEAD, one_wrong("classes", CLASS, more=1)], phrase("store.line_not_a_column", 2, "'more'", "classes")),
    ([HEAD, one_wrong("students", STUDENT)], phrase("store.line_row_must_follow", 2, "students")),
    (
        [HEAD, json.dumps(DELETED), one_wrong("students", STUDENT)],
        phrase("store.line_row_must_follow", 3, "students"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS), one_wrong("students", STUDENT, class_id="d" * 16)],
        phrase("store.line_row_must_follow", 3, "students"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS), one_wrong("students", STUDENT, number=True)],
        phrase("store.line_column_must_be", 3, "number", "students"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS), one_wrong("students", STUDENT, number=2**31)],
        phrase("store.line_column_must_be", 3, "number", "students"),
    ),
    (
        [HEAD, one_wrong("classes", CLASS), one_wrong("answers", ANSWER, shown=0)],
        phrase("store.line_column_must_be", 3, "shown", "answers"),
    ),
    ([HEAD, one_wrong("classes", CLASS), '{"rows":2}'], phrase("store.line_file_must_hold_links", 3, 2, 1)),
]


def test_records_are_read_as_they_were_written(tmp_path: Path) -> None:
    lines = ['{"gantry_links":3}', *map(json.dumps, ROWS), '{"rows":4}']
    (tmp_path / "one").write_text("".join(f"{line}\n" for line in lines))
    deleted, of = backup.read(tmp_path / "one")
    assert (deleted.table, of.table) == ("deleted_classes", "classes")
    assert of.row["title"] == "Ünï" and [table for table, _ in of.parts] == ["students", "answers"]
    backup.write(tmp_path / "two", [KEPT[0], deleted, of])
    assert list(backup.read(tmp_path / "two")) == [KEPT[0], deleted, of]


@pytest.mark.parametrize(("lines", "says"), WRONG, ids=range(len(WRONG)))
def test_a_file_that_is_no_backup_is_refused_with_its_line(
    tmp_path: Path, lines: list[str], says: str
) -> None:
    file = tmp_path / "links"
    file.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(BackupError) as error:
        list(backup.read(file))
    assert str(error.value).startswith(f"{file}, {says}")


def test_a_backup_of_an_earlier_format_is_read(tmp_path: Path) -> None:
    row = backup.link_to_json(KEPT[0])
    of_format_1 = {key: value for key, value in row.items() if key not in backup.NOT_IN_FORMAT_1}
    for format, values in ((1, of_format_1), (2, row)):
        lines = [f'{{"gantry_links":{format}}}', json.dumps(values), '{"links":1}']
        (tmp_path / "links").write_text("".join(f"{line}\n" for line in lines))
        assert list(backup.read(tmp_path / "links")) == [KEPT[0]]


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
    backup.write(
        tmp_path / "links",
        (StoredLink(replace(large, id=f"{number:016x}"), datetime.now(UTC)) for number in range(1_000)),
    )
    assert sum(1 for _ in backup.read(tmp_path / "links")) == 1_000
    assert rss() - before < 30_000, "kB, of 100,000 that are in the file"
