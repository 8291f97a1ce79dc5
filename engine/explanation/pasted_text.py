"""A text that is pasted, of one line or a whole log, as what Hadoop says in it: entries of sentences with the
numbers beside them.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from engine.explanation.hadoop_sentences import AM_STATE, NUMBERS, SENTENCES, Number, Sentence

MAX_DIAGNOSTICS = 200_000
MAX_ENTRIES = 20
MIN_HEAD = 24  # of a sentence that is cut: its first constant is as long, or it may be another's
CLAUSE = re.compile(r"(.{40,}?)(\. .*)")  # of a constant: as much of it tells it from others

PLACEHOLDER = re.compile(r"\{(\w+)\}")
# a whole word, so that a long one is not tried from each of its letters
WORD, RESOURCE = r"""(?<![^\s,;"'=:\[])[^\s,;"']{1,300}""", r"<[^<>]{0,2000}>"
KINDS = {
    "number": r"-?\d{1,30}",
    "number2": r"-?\d{1,30}",
    "type": r"[^\]]{0,300}",
    "user": r"[^\s,;\"]{1,300}",
}
KINDS |= {"attempts": r".{0,120}?", "label": r"[^\s,;.]{0,300}"}
KINDS |= dict.fromkeys(("maximum", "configured"), RESOURCE)
KINDS |= {"requested": r".{1,2000}?"}  # or a list of them
MARKUP = re.compile(
    r"</?(?:a|b|body|br|code|dd|div|dl|dt|em|font|h[1-6]|head|html|i|img|li|ol|p|pre|script|span|strong|style"
    r"|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul)(?:\s[^<>]{0,2000})?/?>",
    re.I,
)
STAMP = re.compile(r"\W{0,2}\d\d(?:\d\d)?[-/]\d\d[-/]\d\d")  # of a log's line
REPORTED = {
    name: re.compile(rf"^\W{{0,9}}{name}[^\w:=]{{0,9}}[:=]\W{{0,9}}([\w.@-]{{1,300}})", re.I)
    for name in ("queue", "user")
}


class Found(NamedTuple):
    """A sentence of Hadoop's in the text, with the values in it and its words, from start to end."""

    sentence: Sentence
    values: dict[str, str]
    said: str
    start: int
    end: int


class Entry(NamedTuple):
    """What is said of one application, queue or node, and the numbers beside it."""

    found: list[Found]
    numbers: list[tuple[Number, str]]

    @property
    def said(self) -> tuple[list[str], list[str]]:
        """All that tells it from another entry."""
        return [one.said for one in self.found], [raw for _, raw in self.numbers]


class PastedText(NamedTuple):
    """words: on one line; entries: those that differ, in order; more_entries: beyond MAX_ENTRIES;
    unknown_lines: that hold nothing of them; is_cut: is more pasted than is read?; reported: the queue and
    the user that a report of an application names.
    """

    words: str
    entries: list[Entry]
    more_entries: int
    unknown_lines: int
    is_cut: bool
    reported: dict[str, str]


def pasted_text(text: str) -> PastedText:
    """The text out of HTML, with straight quotes, however its lines are broken."""
    lines = _lines(text[:MAX_DIAGNOSTICS])
    words = " ".join(lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines)][: len(lines)]
    found = _found(words)
    begins = _begins(found, lines, starts) or [0]
    bounds = [_bound(found, place, starts) for place in begins[1:]] + [len(words)]
    places = [*begins[1:], len(found)]
    entries: list[Entry] = []
    known: set[int] = set()
    start = 0
    for begin, bound, place in zip(begins, bounds, places, strict=True):
        numbers, spans = _numbers(words, start, bound)
        sentences = found[begin:place]
        for first, last in [*spans, *((one.start, one.end) for one in sentences)]:
            known.update(range(bisect_right(starts, first), bisect_right(starts, last - 1) + 1))
        entry = Entry(sentences, numbers)
        if all(entry.said != other.said for other in entries[:MAX_ENTRIES]):
            entries.append(entry)
        start = bound
    return PastedText(
        words,
        entries[:MAX_ENTRIES],
        max(len(entries) - MAX_ENTRIES, 0),
        len(lines) - len(known),
        len(text) > MAX_DIAGNOSTICS,
        _reported(lines),
    )


def _lines(text: str) -> list[str]:
    """As the ResourceManager wrote them, without those that are empty."""
    straight = html.unescape(MARKUP.sub("\n", text))
    straight = straight.translate(
        {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x200B: "", 0xFEFF: ""}
    )
    return [" ".join(words) for line in straight.splitlines() if (words := line.split())]


def _begins(found: list[Found], lines: list[str], starts: list[int]) -> list[int]:
    """The places of those with which another entry begins: a state of an application, what was said before
    already, a line of a log.
    """
    begins: list[int] = []
    said: set[str] = set()
    line = 0
    for place, one in enumerate(found):
        before, line = line, bisect_right(starts, one.start)
        is_new = one.sentence.rule == AM_STATE or one.sentence.text in said
        if not begins or is_new or line > before and STAMP.match(lines[line - 1]):
            begins.append(place)
            said.clear()
        said.add(one.sentence.text)
    return begins


def _bound(found: list[Found], place: int, starts: list[int]) -> int:
    """Where the entry begins, with what stands before its sentence on the same line."""
    line = bisect_right(starts, found[place].start) - 1
    return max(found[place - 1].end, starts[line])


def _constants(text: str) -> list[str]:
    """Constants and names by turns."""
    return PLACEHOLDER.split(" ".join(text.split()))


@cache
def _patterns(text: str) -> list[tuple[str, re.Pattern[str]]]:
    """Of a sentence, with or without its full stop; where its beginning is long enough to know it, of as much
    of it as stands there too. Each with a constant that the text must have, in lower case.
    """
    stop = text.rstrip().endswith(".")
    parts = _constants(text.rstrip().removesuffix("."))
    kinds = [f"(?P<{name}>{KINDS.get(name, WORD)})" for name in parts[1::2]]
    constants = [re.escape(part.strip()) for part in parts[::2]]
    whole = constants[0]
    for kind, constant in zip(kinds, constants[1:], strict=True):
        whole += rf"\s*{kind}\s*{constant}"
    longest = max(parts[::2], key=len).strip().lower()
    patterns = [(longest, re.compile(whole + (r"\.?" if stop else ""), re.I))]
    if kinds and len(parts[0]) >= MIN_HEAD:
        rest = ""
        for name, constant in reversed(list(zip(parts[1::2], constants[1:], strict=True))):
            kind = RESOURCE if name == "requested" else KINDS.get(name, WORD)
            rest = rf"(?:\s*(?P<{name}>{kind})(?:\s*{constant}{rest})?)?"
        clause = CLAUSE.fullmatch(parts[0])
        head = clause[1] if clause else parts[0].strip()
        if clause:
            rest = f"(?:{re.escape(clause[2])}{rest})?"
        patterns.append((head.lower(), re.compile(re.escape(head) + rest, re.I)))
    return patterns


def _found(words: str) -> list[Found]:
    """In the order of the text; none within another."""
    lower = words.lower()
    matches = [
        Found(sentence, _values(match), match[0].strip(), match.start(), match.end())
        for sentence in SENTENCES
        for constant, pattern in _patterns(sentence.text)
        if constant in lower
        for match in pattern.finditer(words)
    ]
    matches.sort(key=lambda one: (one.start, -one.end))
    found: list[Found] = []
    end = 0
    for one in matches:
        if one.end > end:
            found.append(one)
            end = one.end
    return found


def _values(match: re.Match[str]) -> dict[str, str]:
    return {key: value.rstrip(".") for key, value in match.groupdict().items() if value}


def _numbers(words: str, start: int, end: int) -> tuple[list[tuple[Number, str]], list[tuple[int, int]]]:
    """Those from start to end, and where they stand."""
    found, spans = [], []
    for number in NUMBERS:
        if match := _number_pattern(number).search(words, start, end):
            found.append((number, match[1]))
            spans.append(match.span())
    return found, spans


@cache
def _number_pattern(number: Number) -> re.Pattern[str]:
    name = re.escape(" ".join(number.text.split()))
    own = r"(?<!User )" if number.name == "limit" else ""
    return re.compile(rf"{own}{name}\s*({RESOURCE}|[^;,()]{{0,300}}[^;,()\s])", re.I)


def _reported(lines: list[str]) -> dict[str, str]:
    """Of "Queue : root.q1", as yarn application -status prints it."""
    matches = ((name, pattern.match(line)) for line in lines for name, pattern in REPORTED.items())
    return {name: match[1] for name, match in matches if match}
