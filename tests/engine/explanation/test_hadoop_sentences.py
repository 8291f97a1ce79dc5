"""The sentences are Hadoop's own: each constant stands in the class that says it."""

from __future__ import annotations

import re
import struct
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.explanation.hadoop_sentences import NUMBERS, SENTENCES

JAR = (
    "org/apache/hadoop/hadoop-yarn-server-resourcemanager/3.4.1/hadoop-yarn-server-resourcemanager-3.4.1.jar"
)
REPOSITORY = Path.home() / ".m2" / "repository"
SIZES = {3: 4, 4: 4, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
OLD = r"\((Hadoop|MapReduce) ?[\w. ]*\)$"
needs_hadoop = pytest.mark.skipif(not (REPOSITORY / JAR).exists(), reason="Hadoop's jars are not here")


@cache
def constants() -> dict[str, set[str]]:
    """The texts of each class's constant pool, names of its methods among them, by its simple name."""
    with zipfile.ZipFile(REPOSITORY / JAR) as jar:
        return {
            name.rpartition("/")[2].removesuffix(".class"): set(pool(jar.read(name)))
            for name in jar.namelist()
            if name.endswith(".class")
        }


def pool(data: bytes) -> Iterator[str]:
    """The UTF-8 constants of a class file (JVM specification, 4.4)."""
    (count,) = struct.unpack_from(">H", data, 8)
    at, number = 10, 1
    while number < count:
        kind = data[at]
        if kind == 1:
            (length,) = struct.unpack_from(">H", data, at + 1)
            yield data[at + 3 : at + 3 + length].decode("utf-8", "replace")
            at += 3 + length
        else:
            at += 1 + SIZES.get(kind, 8)  # longs and doubles have 8 bytes and two numbers
            number += kind in (5, 6)
        number += 1


@needs_hadoop
@pytest.mark.parametrize("one", [*SENTENCES, *NUMBERS], ids=lambda one: one.text[:40])
def test_a_sentence_stands_in_the_class_that_says_it(one) -> None:
    if re.search(OLD, one.rule):
        return
    name, _, method = one.rule.partition(".")
    known = constants()[name]
    assert not method or method in known
    pieces = {piece for text in known for piece in [text, *re.split("%[sd]|{}", text)]}
    for piece in re.split(r"\{\w+\}", one.text):
        # two may stand side by side, and a number's name ends a longer one
        sides = [piece[len(first) :] for first in pieces if piece.startswith(first)]
        assert pieces & {piece, *sides} or any(text.endswith(piece) for text in pieces), piece


@needs_hadoop
def test_old_sentences_are_in_no_class_of_the_version() -> None:
    every = set().union(*constants().values())
    old = [sentence.text for sentence in SENTENCES if re.search(OLD, sentence.rule)]
    first = [next(filter(None, re.split(r"\{\w+\}", text))) for text in old]
    assert first and not any(piece in every for piece in first)


def test_each_sentence_stands_once() -> None:
    texts = [sentence.text for sentence in SENTENCES]
    assert len(set(texts)) == len(texts) > 60
