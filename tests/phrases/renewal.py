"""`pytest -p tests.phrases.renewal`: where an assertion of a phrase fails, what the product says now is
written into the file of phrases.

Only the first failing assertion of a test is seen, so it is called until nothing changes. The change of the
file is there to be read: it is what a person would have typed. What can't be told from a failure is listed,
to be written by hand.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches
from itertools import groupby
from typing import Any

import pytest

from tests.phrases import FILE, FILLED, PHRASES, filled

RAISES = re.compile(r"Expected regex: (?P<expected>.+)\n\s*Actual message: (?P<actual>.+)")
BROWSER = re.compile(
    r"expected to (?P<how>have|contain) (?:text|value|title|accessible name) "
    r"'(?P<expected>.*)'\s*\nActual value: (?P<actual>.*)"
)


def write(phrases: dict[str, str]) -> None:
    """The file of phrases, by area and key; TOML's strings are written like JSON's."""
    areas = groupby(sorted(phrases.items()), key=lambda one: one[0].partition(".")[0])
    rows = lambda named: (
        f"{key.partition('.')[2]} = {json.dumps(words, ensure_ascii=False)}" for key, words in named
    )
    FILE.write_text(
        "\n\n".join("\n".join((f"[{area}]", *rows(named))) for area, named in areas) + "\n", "utf-8"
    )


def renewed(expected: str, actual: str, *, whole: bool) -> tuple[str, str | None] | None:
    """The key of the phrase that was expected and its words now, None if they can't be told; None if no
    phrase was.
    """
    candidates = [
        phrase_text for phrase_text in FILLED if phrase_text in expected and phrase_text not in actual
    ]
    if not candidates:
        return None
    phrase_text = max(candidates, key=len)
    key, data, is_pattern = FILLED[phrase_text]
    before, _, after = expected.partition(phrase_text)
    framed = whole and actual.startswith(before) and actual.endswith(after)
    now = (
        actual[len(before) : len(actual) - len(after)]
        if framed
        else _like(filled(PHRASES[key].split("{}"), key, data), actual)
    )
    words, start = "", 0
    for value in map(str, data):
        match = re.compile(value if is_pattern else re.escape(value)).search(now, start)
        if not match:
            return key, None
        words, start = words + now[start : match.start()] + "{}", match.end()
    return key, words + now[start:]


def _like(said: str, actual: str) -> str:
    """The part of a text that stands where a phrase stood."""
    old, new = re.findall(r"\S+", said), list(re.finditer(r"\S+", actual))
    blocks = [
        block
        for block in SequenceMatcher(None, old, [one[0] for one in new], autojunk=False).get_matching_blocks()
        if block.size
    ]
    if not blocks:
        return ""
    first, last = blocks[0], blocks[-1]
    low = max(first.b - first.a, 0)
    high = min(last.b + last.size + len(old) - last.a - last.size, len(new)) - 1
    return actual[new[low].start() : new[high].end()]


def pairs(left: Any, right: Any) -> Iterator[tuple[str, str]]:
    """The texts that were compared with each other, in lists and dictionaries too."""
    if isinstance(left, str) and isinstance(right, str):
        if left != right:
            yield left, right
    elif isinstance(left, str) and isinstance(right, (list, tuple, set, frozenset)):
        for near in get_close_matches(left, [one for one in right if isinstance(one, str)], n=1):
            yield left, near
    elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        for one, other in zip(left, right):
            yield from pairs(one, other)
    elif isinstance(left, dict) and isinstance(right, dict):
        for key in left.keys() & right.keys():
            yield from pairs(left[key], right[key])


class Renewal:
    """What the tests of a session have seen, also those of its other processes."""

    def __init__(self) -> None:
        self._seen: list[tuple[str, str, bool]] = []
        self._words: dict[str, str] = {}
        self._by_hand: set[str] = set()

    def pytest_assertrepr_compare(self, op: str, left: Any, right: Any) -> None:
        if op in ("==", "in"):
            self._seen += [
                (one, other, op == "==")
                for one, other in (*pairs(left, right), *(pairs(right, left) if op == "==" else ()))
            ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo) -> Iterator[Any]:
        report = yield
        if call.excinfo:
            text = str(call.excinfo.value)
            for rows in RAISES.finditer(text):
                self._seen.append(
                    (ast.literal_eval(rows["expected"]), ast.literal_eval(rows["actual"]), False)
                )
            self._seen += [
                (rows["expected"], rows["actual"], rows["how"] == "have") for rows in BROWSER.finditer(text)
            ]
            rows = [phrase for seen in self._seen if (phrase := renewed(*seen[:2], whole=seen[2]))]
            report.user_properties += [("phrase", phrase) for phrase in rows]
        self._seen.clear()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == "phrase":
                key, words = value
                if words is None or self._words.get(key, words) != words:
                    self._by_hand.add(key)
                else:
                    self._words[key] = words

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        write(PHRASES | self._words)
        terminalreporter.line(f"{len(self._words)} phrases were written anew into {FILE.name}.")
        for key in sorted(self._by_hand):
            terminalreporter.line(f"By hand: {key}, which is {PHRASES[key]!r}.")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Renewal())
