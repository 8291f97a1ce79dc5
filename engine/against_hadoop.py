"""How many decisions of Hadoop's own schedulers are Gantry's too, feature by feature, and how much of what
they read in their files, as `make referee` last found.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_suffix(".json")


class Agreement(NamedTuple):
    """identical: decisions that are the same, up to the first of a script that is not; decisions: all of
    Hadoop's.
    """

    identical: int
    decisions: int


class CheckedFeature(NamedTuple):
    """A row of the table. about: what its scripts exercise; agreement: by the key of a scheduler, those that
    know the feature.
    """

    name: str
    about: str
    scripts: int
    agreement: dict[str, Agreement]


class KnownDifference(NamedTuple):
    """Decisions of one feature under one scheduler, by its key, that are not identical, and why."""

    feature: str
    scheduler: str
    decisions: int
    reason: str


class CheckedFiles(NamedTuple):
    """Random files of clusters that one scheduler of Hadoop's was started on and Gantry read. started,
    refused: by both; kinds: of the values that both have where both start, by kind; written: files that
    Gantry writes for what it read, and those of them that Hadoop reads as the first; differences: by kind,
    in files.
    """

    scheduler: str
    cases: int
    started: int
    refused: int
    refused_by_hadoop: int
    refused_by_gantry: int
    kinds: dict[str, Agreement]
    written: Agreement
    differences: list[KnownDifference]


class CheckedAgainstHadoop(NamedTuple):
    """hadoop: its version; schedulers: what Gantry calls them, by key; reservations: those compared, made or
    given up; files: of each scheduler that reads files of queues.
    """

    hadoop: str
    schedulers: dict[str, str]
    features: list[CheckedFeature]
    reservations: int
    differences: list[KnownDifference]
    not_compared: list[str]
    files: list[CheckedFiles]

    @property
    def scripts(self) -> int:
        """Of all features."""
        return sum(feature.scripts for feature in self.features)

    def total(self, keys: Iterable[str]) -> Agreement:
        """Of all features under some schedulers."""
        agreements = [
            feature.agreement[key] for feature in self.features for key in keys if key in feature.agreement
        ]
        return Agreement(
            sum(agreement.identical for agreement in agreements),
            sum(agreement.decisions for agreement in agreements),
        )

    def of_order(self, order: str) -> Agreement:
        """Of all features under an order, with whichever parameters it was checked; (0, 0) when it was
        not.
        """
        return self.total([key for key, name in self.schedulers.items() if name.partition("(")[0] == order])


@cache
def checked_against_hadoop() -> CheckedAgainstHadoop:
    """What was found, from the file beside this one."""
    stored = json.loads(FILE.read_text("utf-8"))
    features = [
        CheckedFeature(
            **{**fields, "agreement": {key: Agreement(*both) for key, both in fields["agreement"].items()}}
        )
        for fields in stored["features"]
    ]
    return CheckedAgainstHadoop(
        **{
            **stored,
            "features": features,
            "differences": [KnownDifference(**fields) for fields in stored["differences"]],
            "files": [_checked_files(fields) for fields in stored["files"]],
        }
    )


def _checked_files(stored: dict[str, Any]) -> CheckedFiles:
    return CheckedFiles(
        **{
            **stored,
            "kinds": {kind: Agreement(*both) for kind, both in stored["kinds"].items()},
            "written": Agreement(*stored["written"]),
            "differences": [KnownDifference(**fields) for fields in stored["differences"]],
        }
    )


def agreement_json(checked: CheckedAgainstHadoop) -> str:
    """The file's text."""
    plain: dict[str, Any] = checked._asdict()
    plain |= {
        "features": [row._asdict() for row in checked.features],
        "differences": [row._asdict() for row in checked.differences],
        "files": [
            one._asdict() | {"differences": [row._asdict() for row in one.differences]}
            for one in checked.files
        ],
    }
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
