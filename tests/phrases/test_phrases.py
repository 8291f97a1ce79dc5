"""The file of phrases: no test asserts prose of its own, no phrase is there for nothing, and changed words
are written anew.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.phrases import PHRASES, phrase, phrase_pattern
from tests.phrases.prose import called, cut, prose, text_of

OWN = ROOT / "tests" / "phrases"


@cache
def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if OWN not in path.parents
    }


def asserted(text: str) -> list[str]:
    return [
        text_of(node)
        for node in prose({"tests/test_of_its_own.py": ast.parse(text)})["tests/test_of_its_own.py"]
    ]


def test_no_test_asserts_prose_of_its_own() -> None:
    rows = [
        f"{name}:{node.lineno}: {cut(text_of(node)).template}"
        for name, nodes in prose(trees()).items()
        for node in nodes
    ]
    assert not rows, "these words belong into tests/phrases/en.toml:\n" + "\n".join(rows)


def test_every_phrase_is_used_with_its_key_written_out() -> None:
    calls = [
        node
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called(node) in ("phrase", "phrase_pattern")
    ]
    used = {node.args[0].value for node in calls if isinstance(node.args[0], ast.Constant)}
    assert all(isinstance(node.args[0], ast.Constant) for node in calls)
    assert used == set(PHRASES)


def test_a_phrase_stands_once() -> None:
    words = list(PHRASES.values())
    assert not {one for one in words if words.count(one) > 1}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("assert 'the file is cut off' in text", True),
        ("assert text == ['jobs[0]: 3 must be at least 4']", True),
        ("assert text.startswith('the file is ' 'cut off')", True),
        ("assert all(one in text for one in ('the file is cut off', 'no'))", True),
        ("assert found['the file is cut off'] == 1", True),
        ("assert text == f'{name} is cut off after {count} bytes'", True),
        ("with pytest.raises(ValueError, match=r'^the \\S+ is cut off$'): ()", True),
        ("expect(page.locator('#run')).to_have_text('the file is cut off')", True),
        (
            "@pytest.mark.parametrize(('given', 'says'), [(1, 'the file is cut off')])\ndef test(given, "
            "says):\n    assert f'{says}!' in told(given)",
            True,
        ),
        (
            "SAYS = {1: (2, 'the file is cut off')}\ndef test():\n    for key, (one, says) in "
            "SAYS.items():\n        assert says in told(one)",
            True,
        ),
        (
            "def told(text, words):\n    return words in text\ndef test():\n    assert told(text, 'the "
            "file is cut off')",
            True,
        ),
        (
            "def refuses(words):\n    assert words in text\ndef test():\n    refuses('the file is cut off')",
            True,
        ),
        ("assert text == 'the file'", False),
        ("assert text == 'a b c d e f'", False),
        ("assert text == 'first,second,third,fourth and fifth'", False),
        ("assert text == 'fair(preemption=yes, update_ms=500) a=1 b=2'", False),
        ("assert text == told('the file is cut off')", False),
        ("assert text, 'the file is cut off'", False),
        ("name = 'the file is cut off'\nassert title(name).title == 'the file is cut off'", False),
        ("assert text == phrase('formats.file_cut_off')", False),
        (
            "def test(shared):\n    assert 'shares are as fair as they can be' in "
            "shared('papers/fair.txt').read_text()",
            False,
        ),
    ],
)
def test_prose_is_found_where_it_is_asserted(code: str, found: bool) -> None:
    assert bool(asserted(code)) == found


@pytest.mark.parametrize(
    ("text", "regex", "before", "template", "data", "after"),
    [
        (
            "jobs[0].maps.count: 0 must be at least 1",
            False,
            "jobs[0].maps.count: ",
            "{} must be at least {}",
            ["0", "1"],
            "",
        ),
        (
            "line 2: 'a,b' must be one (at most 3.5 s).\n",
            False,
            "",
            "line {}: {} must be one (at most {} s).",
            ["2", "'a,b'", "3.5"],
            "\n",
        ),
        (
            "a 50 % share under fair(update_ms=500), jobs",
            False,
            "",
            "a {} % share under {}, jobs",
            ["50", "fair(update_ms=500)"],
            "",
        ),
        (
            "under fair(a=1, b=2)+slowstart it is at 3",
            False,
            "",
            "under {} it is at {}",
            ["fair(a=1, b=2)+slowstart", "3"],
            "",
        ),
        (
            "<b>a</b> finishes at 0:10<br>under fifo",
            False,
            "",
            "<b>a</b> finishes at {}<br>under fifo",
            ["0:10"],
            "",
        ),
        (
            r"^nodes\[0\]: it \(\d+\) fits no node\.$",
            True,
            r"^nodes\[0\]: ",
            "it ({}) fits no node.",
            [r"\d+"],
            "$",
        ),
    ],
)
def test_data_are_cut_out_of_the_words(
    text: str, regex: bool, before: str, template: str, data: list[str], after: str
) -> None:
    result = cut(text, regex)
    assert (result.before, result.template, result.data, result.after) == (before, template, data, after)


def test_words_are_filled_with_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PHRASES, "own.least", "{} (a number) must be at least {}.")
    assert phrase("own.least", "'a'", 1) == "'a' (a number) must be at least 1."
    assert re.fullmatch(phrase_pattern("own.least", r"\d+", 1), "23 (a number) must be at least 1.")
    with pytest.raises(AssertionError, match="own.least has 2 places"):
        phrase("own.least", 1)


CHANGED = """
import pytest
from tests.phrases import phrase, phrase_pattern

def said(text):
    raise ValueError(text)

def test_equal():
    assert ["$: 0 has to be 1 or more"] == ["$: " + phrase("own.least", 0, 1)]

def test_within():
    assert phrase("own.cut") in "one.json: the text was cut off here, in line 3"

def test_raised():
    with pytest.raises(ValueError, match="^" + phrase_pattern("own.many", r"\\d+") + "$"):
        said("7 jobs (all) are done")

def test_untold():
    assert phrase("own.data", 5) == "there are six of them"

def test_same():
    assert phrase("own.same") == "it is as it was"
"""


def test_changed_words_are_written_anew(tmp_path: Path) -> None:
    shutil.copytree(
        OWN, tmp_path / "tests" / "phrases", ignore=shutil.ignore_patterns("test_*", "__pycache__")
    )
    words = {
        "least": "{} must be at least {}",
        "cut": "the file was cut off",
        "many": "{} jobs (all) are over",
        "data": "there are {} of them",
        "same": "it is as it was",
    }
    file = tmp_path / "tests" / "phrases" / "en.toml"
    file.write_text("[own]\n" + "".join(f'{key} = "{text}"\n' for key, text in words.items()))
    (tmp_path / "test_changed.py").write_text(CHANGED)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", "-p", "no:dash", "-p", "tests.phrases.renewal", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    now = {
        "least": "{} has to be {} or more",
        "cut": "the text was cut off",
        "many": "{} jobs (all) are done",
    }
    assert tomllib.loads(file.read_text())["own"] == words | now
    assert "4 failed, 1 passed" in done.stdout and "By hand: own.data" in done.stdout
