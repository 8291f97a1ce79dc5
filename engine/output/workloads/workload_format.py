"""The record that each workload format's file ends with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.scenario.formats.assumptions import Notes
from engine.scenario.model import Scenario


@dataclass(frozen=True)
class WorkloadFormat:
    """One kind of file that can be written.

    kind: its name in the command, `--to KIND`; file: the name it gets on the page; about: a sentence for a menu; keeps: the paths of the fields it holds,
    as `left_out.fields_set` names them. write: (scenario, notes) -> its text in chunks; notes, what it can't hold, are whole after the last.
    """

    kind: str
    file: str
    about: str
    keeps: frozenset[str]
    write: Callable[[Scenario, Notes], Iterator[str]]

    @property
    def media_type(self) -> str:
        return {"json": "application/json", "csv": "text/csv"}.get(self.file.rpartition(".")[2], "text/tab-separated-values")
