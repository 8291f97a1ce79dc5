"""Names that a scenario takes: not empty, not too long, no /, each once, also after copies are numbered."""

from __future__ import annotations

import re

MAX_BASE_LENGTH = 180
COPY = re.compile(r"(.*)-([1-9][0-9]{0,8})", re.DOTALL | re.ASCII)


def sanitize(name: str) -> str:
    """The name without / and cut to what a scenario takes, with room for a number behind it."""
    return name.replace("/", "_")[:MAX_BASE_LENGTH]


class UniqueNames:
    """Gives each name once. Copies of `a` are a-1, a-2, …: these, too, are then taken. Cost: constant a
    name.
    """

    def __init__(self) -> None:
        self._single: set[str] = set()
        self._copied: dict[str, int] = {}
        self._lowest: dict[str, int] = {}
        self._tries: dict[str, int] = {}

    def claim(self, base: str, count: int = 1) -> str:
        """`base`, or where that is taken base.2, base.3, … for a job or node group of `count` copies."""
        name, number = base, self._tries.get(base, 1)
        while not self._free(name, count):
            number += 1
            name = f"{base}.{number}"
        self._tries[base] = number
        if count > 1:
            self._copied[name] = count
        else:
            self._single.add(name)
            if copy := COPY.fullmatch(name):
                self._lowest[copy[1]] = min(int(copy[2]), self._lowest.get(copy[1], int(copy[2])))
        return name

    def _free(self, name: str, count: int) -> bool:
        if count > 1:
            return name not in self._copied and self._lowest.get(name, count + 1) > count
        copy = COPY.fullmatch(name)
        return name not in self._single and not (copy and int(copy[2]) <= self._copied.get(copy[1], 0))
