"""Catalogues of messages: every key that is used exists, and every entry is used."""

from __future__ import annotations

import ast
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.import_graph import SOURCES, short, tree

SIDES = ("engine", "webapp")


def entries(table: dict, prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{prefix}.{name}"
        if isinstance(value, dict):
            yield from entries(value, key)
        else:
            yield key, value


@cache
def catalogue(side: str) -> dict[str, str]:
    files = sorted((ROOT / side / "messages" / "en").glob("*.toml"))
    return {
        key: text
        for file in files
        for key, text in entries(tomllib.loads(file.read_text("utf-8")), file.stem)
    }


def uses(side: str) -> Iterator[tuple[Path, ast.Call, str]]:
    """Where a message is asked for by its key, which is always a literal."""
    for path in SOURCES:
        if path.is_relative_to(ROOT / side):
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "msg":
                    assert isinstance(node.args[0], ast.Constant), (
                        f"{short(path)}:{node.lineno}: a key is a literal"
                    )
                    yield path, node, node.args[0].value


def fields(text: str) -> set[str]:
    """The values a message names, those within the format of another included."""
    found = set()
    for _, name, spec, _ in string.Formatter().parse(text):
        if name is not None:
            found |= {name, *fields(spec or "")}
    return found


@pytest.mark.parametrize("side", SIDES)
def test_every_key_exists_and_gets_its_values(side: str) -> None:
    for path, call, key in uses(side):
        where = f"{short(path)}:{call.lineno}: {key}"
        assert key in catalogue(side), f"{where} is in no catalogue"
        given = {keyword.arg for keyword in call.keywords}
        if given and None not in given:
            assert fields(catalogue(side)[key]) == given, where


@pytest.mark.parametrize("side", SIDES)
def test_every_message_is_used(side: str) -> None:
    assert set(catalogue(side)) - {key for *_, key in uses(side)} == set()


@pytest.mark.parametrize("side", SIDES)
def test_a_message_stands_once(side: str) -> None:
    texts: dict[str, list[str]] = {}
    for key, text in catalogue(side).items():
        texts.setdefault(text, []).append(key)
    assert [keys for keys in texts.values() if len(keys) > 1] == []
