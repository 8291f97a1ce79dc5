"""The record that each workload format's file ends with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.scenario.formats.import_notes import Notes
from engine.scenario.model import Scenario


@dataclass(frozen=True)
class WorkloadFormat:
    """One kind of file that can be written.

    kind: its name in the command, `--to KIND`; file: the name it gets on the page; about: a sentence for a
    menu; supports: the paths of the fields it holds, as `unsupported_fields.non_default_fields` names them.
    write: (scenario, notes) -> its text in chunks; notes, what it can't hold, are whole after the last.
    has_applications: it has something to hold where no job has maps.
    """

    kind: str
    file: str
    about: str
    supports: frozenset[str]
    write: Callable[[Scenario, Notes], Iterator[str]]
    has_applications: bool = False

    @property
    def media_type(self) -> str:
        return {"json": "application/json", "csv": "text/csv"}.get(
            self.file.rpartition(".")[2], "text/tab-separated-values"
        )
