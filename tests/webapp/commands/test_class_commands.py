"""python -m webapp classes, on a real database."""

from __future__ import annotations

import pytest

from tests.phrases import phrase
from webapp.classroom.classes import all_classes, create_class, join
from webapp.commands.class_commands import main


def test_they_are_listed_deleted_and_expired(data: object, capsys: pytest.CaptureFixture) -> None:
    id, secret = create_class("Winter\x1b[31m", ["one"], 30, "teacher")
    join(id, "ann")
    assert main(["list"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split()[0] == "id" and row.split()[0] == id and row.endswith("1         Winter[31m")
    assert secret not in row
    assert main(["expire"]) == 0 and capsys.readouterr().out.endswith(": 0.\n")
    assert main(["delete", id, "f" * 16]) == 2
    assert phrase("classroom.nothing_was_deleted", repr("f" * 16)) in capsys.readouterr().err
    assert main(["delete", id]) == 0 and all_classes() == []


def test_no_database_is_made(data: object, capsys: pytest.CaptureFixture) -> None:
    for command in (["list"], ["expire"], ["delete", "0" * 16]):
        assert main(command) == 2 and "GANTRY_DATA" in capsys.readouterr().err
