"""What all of the random files are drawn with."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

NAMES = ("a", "b", "c", "dev", "prod", "default", "etl-2", "ad_hoc", "Mixed")
MOST_QUEUES = 9
ENCODINGS = {"ISO-8859-1": "é", "GBK": "队列", "Shift_JIS": "キュー", "UTF-16": "队列", "UTF-8": "队列"}


class Drawn:
    """A random source of one case. odd: how likely a value is one that a file seldom has."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.odd = self.random.choice((0.0, 0.0, 0.02, 0.05, 0.2))

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def is_odd(self) -> bool:
        return self.chance(self.odd)

    def choice(self, values: Sequence[Any]) -> Any:
        return self.random.choice(values)

    def value(self, usual: Sequence[str], odd: Sequence[str]) -> str:
        return self.choice(odd if odd and self.is_odd() else usual)

    def some_of(self, table: dict[str, tuple[Sequence[str], Sequence[str]]], part: float) -> dict[str, str]:
        """Some of the table's names, each with a value of its (usual, odd) ones."""
        return {name: self.value(*values) for name, values in table.items() if self.chance(part)}

    def tree(self) -> dict[str, list[str]]:
        """The short names of the queues in each parent by its full name, parents first."""
        tree, pending, total = {}, ["root"], 0
        while pending:
            parent = pending.pop(0)
            depth = parent.count(".")
            if depth and (total > MOST_QUEUES or not self.chance((1.0, 0.35, 0.2, 0.0)[depth])):
                continue
            tree[parent] = self.random.sample(NAMES, self.random.randint(1, 4))
            total += len(tree[parent])
            pending += [f"{parent}.{short}" for short in tree[parent]]
        return tree


def leaves(tree: dict[str, list[str]]) -> list[str]:
    """The full names of those without queues of their own."""
    every = [f"{parent}.{short}" for parent, shorts in tree.items() for short in shorts]
    return [name for name in every if name not in tree]


def encoded(drawn: Drawn, text: str) -> bytes:
    """A file's bytes: UTF-8 without a word of it, oddly another encoding that it declares, with a comment."""
    if not drawn.is_odd():
        return text.encode()
    name = drawn.choice(list(ENCODINGS))
    text = text.replace(
        '<?xml version="1.0"?>', f'<?xml version="1.0" encoding="{name}"?>\n<!-- {ENCODINGS[name]} -->'
    )
    return text.encode(name)


def properties_file(drawn: Drawn, properties: dict[str, str]) -> str:
    """As Hadoop's Configuration reads it; oddly laid out at times."""
    lines = ['<?xml version="1.0"?>']
    if drawn.is_odd():
        lines.append("<!DOCTYPE configuration>")
    lines.append("<configuration>")
    for name, value in properties.items():
        name, value = (
            text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for text in (name, value)
        )
        if drawn.is_odd():
            name = f"\n  {name} "
        if drawn.is_odd():
            lines.append(f"<property name={quoteattr(name)} value={quoteattr(value)}/>")
            continue
        more = drawn.choice(("", "", "<description>what it is</description>", "<!-- ours -->"))
        final = "<final>true</final>" if drawn.is_odd() else ""
        lines.append(f"<property><name>{name}</name><value>{value}</value>{more}{final}</property>")
        if drawn.is_odd():
            lines.append(
                f"<property><name>{name}</name><value>{drawn.choice((value, ''))}</value></property>"
            )
    if drawn.is_odd():
        lines.append(
            drawn.choice(
                (
                    "<property/>",
                    "<property><name>no.value</name></property>",
                    "<other/>",
                    "<property><name> </name><value>1</value></property>",
                )
            )
        )
    return "\n".join([*lines, "</configuration>", ""])


def element(name: str, text: str) -> str:
    return f"<{name}>{escape(text)}</{name}>"
