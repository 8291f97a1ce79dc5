"""Gantry's conversion beside Hadoop's, property by property."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.conversion.fair_to_capacity import CapacityProperties
from engine.conversion.scheduler_conversion import convert_configuration
from engine.errors import GantryError
from engine.scenario.configuration.configuration_reader import (
    STAND_IN_CLUSTER,
    STAND_IN_NODES,
    read_configuration,
)
from engine.scenario.configuration.site_table import CAPACITY
from tests.hadoop.converter.hadoop_conversions import Answer, Conversion

LOCALITY = "a part of the nodes, with which CapacityScheduler does not start; Gantry writes a number of nodes"
REFUSED = "Gantry's reader refuses what Hadoop's FairScheduler reads as something else or never ends with"
# kinds that differ, with why
KNOWN = {
    "node-locality-delay": LOCALITY,
    "rack-locality-additional-delay": LOCALITY,
    "acl_submit_applications": "of a queue that FairScheduler does not create, which is listed nowhere",
    "acl_administer_queue": "of a queue that FairScheduler does not create, which is listed nowhere",
    "max-parallel-apps": "a number below 0 stands for 0, and a user without a name for none",
    "queues": "with many queues, the order in which a table of hashes lists some that are not created",
    "refused": REFUSED,
}


class Compared(NamedTuple):
    """One property of one conversion. kind: its last part, or refused."""

    kind: str
    name: str
    theirs: Any
    ours: Any

    @property
    def is_same(self) -> bool:
        return self.theirs == self.ours


def gantry_conversion(asked: Conversion) -> CapacityProperties | str:
    """Gantry's, or the words in which it refuses the files."""
    try:
        configuration = read_configuration(list(asked.files.items()))
        return convert_configuration(configuration, STAND_IN_CLUSTER, STAND_IN_NODES, asked.percentages, [])
    except GantryError as refusal:
        return str(refusal)


def compare(asked: Conversion, theirs: Answer) -> Iterator[Compared]:
    """Every property that either writes, or that one refuses the files."""
    ours = gantry_conversion(asked)
    if isinstance(ours, str) or "refused" in theirs:
        yield Compared("refused", "", "refused" in theirs, isinstance(ours, str))
        return
    for own, other in ((ours.capacity, theirs["capacity"]), (ours.site, theirs["site"])):
        for name in {**other, **own}:
            values = [_value(name, properties.get(name)) for properties in (other, own)]
            yield Compared(name.removeprefix(CAPACITY).rpartition(".")[2], name, *values)


def _value(name: str, text: str | None) -> Any:
    return json.loads(text) if text and name.endswith("mapping-rule-json") else text
