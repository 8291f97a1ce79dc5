"""Every error Gantry raises on purpose, one sentence each, one tree."""

from __future__ import annotations

from dataclasses import dataclass


class GantryError(Exception):
    """Something the caller can correct; its text is one sentence for people."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a scenario: where (a JSON path, $ for the whole) and what would be right."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path or '$'}: {self.message}"


class ScenarioError(GantryError):
    """A scenario that can't be run, with all its faults at once."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = list(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class SchedulerError(GantryError):
    """A scheduler's name, parameter or combination that does not exist or makes no sense."""


class PolicyError(GantryError):
    """A policy answered something the engine had not offered it."""


class FormatError(GantryError):
    """A file that is not of the kind it was read as."""


class RunCancelled(GantryError):
    """A run was ended from outside before it was done."""


class TooLarge(GantryError):
    """A scenario or file beyond a limit that the server's owner or the engine sets."""
