"""What a fault is, and the list of all: each file of a kind adds its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class NotRun(Exception):
    """The machine lacks what the fault is made by: it counts as not run."""


class Failed(Exception):
    """The page did not say what happened, something was lost, or it does not work again."""


@dataclass(frozen=True)
class Found:
    """said: by the page, about the fault; again_s: after its end, until a whole visit succeeded."""

    said: str
    again_s: float


@dataclass(frozen=True)
class Fault:
    """about: in a sentence; short: belongs to the short form."""

    name: str
    about: str
    act: Callable[[], Found]
    short: bool


FAULTS: dict[str, Fault] = {}


def fault(about: str, *, short: bool = False) -> Callable[[Callable[[], Found]], Callable[[], Found]]:
    """Adds a function to the list, by its own name. It raises Failed, or NotRun."""

    def add(act: Callable[[], Found]) -> Callable[[], Found]:
        FAULTS[act.__name__] = Fault(act.__name__, about, act, short)
        return act

    return add
