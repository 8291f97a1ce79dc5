"""Catalogues of messages: every key that is used exists, and every entry is used."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.import_graph import SOURCES, short, tree

SIDES = ("engine", "webapp")
SCRIPTS = sorted((ROOT / "assets" / "scripts").rglob("*.ts"))
STYLES = sorted((ROOT / "assets").glob("*.css"))
ASKED = re.compile(r"\bmsg\(\s*(?!key)")  # but for where it is defined
CONTENT = re.compile(r"""content: "[^"]*[A-Za-z]{2}[^"]*\"""")
SENTENCE = re.compile(r"""["`][A-Z][a-z]+ [a-z][^"`\n]*""")


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


def script_uses() -> Iterator[tuple[str, str, set[str]]]:
    """Where a script asks for a message: the place, its key in the catalogues, the values it gives."""
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        for call in ASKED.finditer(text):
            place = f"{short(path)}:{text.count(chr(10), 0, call.start()) + 1}"
            key, *values = arguments(text, call.end())
            assert re.fullmatch(r'"[a-z_]+\.\w+"', key), f"{place}: a key is a literal"
            table, name = key.strip('"').split(".")
            room = path.parent.name
            tables = ("shared", "styles", room, path.stem, f"{room}_{path.stem}")
            assert table in tables, f"{place}: {key} is another script's"
            given = {re.match(r"\w+", one)[0] for value in values for one in arguments(value, 1) if one}
            yield place, f"shared.{name}" if table == "shared" else f"scripts.{table}.{name}", given


def style_uses() -> set[str]:
    """The messages that style sheets show."""
    names = {
        name for path in STYLES for name in re.findall(r"var\(--message-(\w+)\)", path.read_text("utf-8"))
    }
    return {f"scripts.styles.{name}" for name in names}


def arguments(text: str, start: int) -> list[str]:
    """What stands between commas from here to where a bracket closes that was opened before."""
    depth, parts = 0, [""]
    for letter in text[start:]:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            break
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def fields(text: str) -> set[str]:
    """The values a message names, those within the format of another included."""
    result = set()
    for _, name, spec, _ in string.Formatter().parse(text):
        if name is not None:
            result |= {name, *fields(spec or "")}
    return result


@pytest.mark.parametrize("side", SIDES)
def test_every_key_exists_and_gets_its_values(side: str) -> None:
    for path, call, key in uses(side):
        where = f"{short(path)}:{call.lineno}: {key}"
        assert key in catalogue(side), f"{where} is in no catalogue"
        given = {keyword.arg for keyword in call.keywords}
        if given and None not in given:
            assert fields(catalogue(side)[key]) == given, where


def test_every_key_of_a_script_exists_and_gets_its_values() -> None:
    result = list(script_uses())
    assert len(result) > 200
    for place, key, given in result:
        assert key in catalogue("webapp"), f"{place}: {key} is in no catalogue"
        assert fields(catalogue("webapp")[key]) == given, f"{place}: {key}"
        named = set(re.findall(r"\{(\w+)\}", catalogue("webapp")[key]))
        assert named == given, f"{place}: {key} formats what a script fills in as it is"


def test_style_sheets_show_messages_that_exist() -> None:
    assert style_uses() and style_uses() <= set(catalogue("webapp"))


def test_scripts_and_style_sheets_have_no_sentences_of_their_own() -> None:
    by_name = {short(path): SENTENCE.findall(path.read_text("utf-8")) for path in SCRIPTS}
    by_name |= {path.name: CONTENT.findall(path.read_text("utf-8")) for path in STYLES}
    assert {name: sentences for name, sentences in by_name.items() if sentences} == {}


@pytest.mark.parametrize("side", SIDES)
def test_every_message_is_used(side: str) -> None:
    used = {key for *_, key in uses(side)}
    if side == "webapp":
        used |= {key for _, key, _ in script_uses()} | style_uses()
    assert set(catalogue(side)) - used == set()


@pytest.mark.parametrize("side", SIDES)
def test_a_message_stands_once(side: str) -> None:
    texts: dict[str, list[str]] = {}
    for key, text in catalogue(side).items():
        texts.setdefault(text, []).append(key)
    assert [keys for keys in texts.values() if len(keys) > 1] == []
