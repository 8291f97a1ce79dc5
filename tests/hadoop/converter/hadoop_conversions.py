"""What Hadoop's fs2cs makes of the loader's random files: asked now, or kept in a golden file."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from engine.scenario.configuration.site_table import CAPACITY
from tests.hadoop.loader.cases import make_case
from tests.hadoop.referee import GOLDEN, java_answers

SEED, COUNT = "fs2cs", 160
SHORT = "~"  # stands for CAPACITY in the golden file
CONVERSIONS = GOLDEN / "converter" / "conversions.jsonl"
Answer = dict[str, Any]


class Conversion(NamedTuple):
    """One question: files by their names, and whether weights become percentages."""

    files: dict[str, bytes]
    percentages: bool

    def json(self) -> str:
        """As Hadoop's side reads it."""
        files = {name: base64.b64encode(data).decode() for name, data in self.files.items()}
        return json.dumps({"files": files, "percentages": self.percentages})


def conversions(seed: str, count: int) -> Iterator[Conversion]:
    """So many, every other one to percentages."""
    for number in range(count):
        files = make_case("fair", f"{seed}/fair/{number}").files
        kept = {name: files[name] for name in ("yarn-site.xml", "fair-scheduler.xml")}
        yield Conversion(kept, number % 2 == 1)


def ask(asked: Iterable[Conversion]) -> list[Answer]:
    """Hadoop's answers. As `tests.hadoop.referee.decide` raises."""
    return java_answers("ConverterMain", (one.json() for one in asked))


@cache
def golden() -> list[Answer]:
    """The answers that are kept, of `conversions(SEED, COUNT)`."""
    lines = CONVERSIONS.read_text("utf-8").replace(SHORT, CAPACITY).splitlines()
    return [json.loads(text) for text in lines]


def write_golden() -> None:
    """Asks Hadoop and keeps its answers."""
    lines = (json.dumps(one, separators=(",", ":")) for one in ask(conversions(SEED, COUNT)))
    CONVERSIONS.write_text("".join(f"{line}\n" for line in lines).replace(CAPACITY, SHORT), "utf-8")
