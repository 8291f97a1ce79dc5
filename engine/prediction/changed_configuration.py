"""The configuration that says a change, to be taken to the cluster: a whole file of the scheduler's, or the properties alone."""

from __future__ import annotations

from typing import NamedTuple

from engine.errors import FormatError
from engine.output.hadoop_files import properties_text, written
from engine.prediction.question import Made
from engine.scenario.configuration.writing import KINDS
from engine.scenario.model import Scenario


class TakeBack(NamedTuple):
    """name: of the file in Hadoop; whole: is it all of the file, or properties to be put into it?"""

    name: str
    text: str
    whole: bool


def take_back(scenario: Scenario, made: Made) -> tuple[tuple[TakeBack, ...], tuple[str, ...]]:
    """The files, and a sentence for each that can't be written."""
    found, missing = [], []
    for kind in made.files:
        try:
            found.append(TakeBack(KINDS[kind], written(scenario, made.scheduler, kind), True))
        except FormatError as error:
            missing.append(f"{KINDS[kind]} is not written: {error}.")
    if made.properties:
        found.append(TakeBack(made.file, properties_text(dict(made.properties)), False))
    return tuple(found), tuple(missing)
