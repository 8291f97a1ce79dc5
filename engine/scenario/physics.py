"""Disturbances of real clusters: stragglers, failures, lost nodes, uneven partitions, distant blocks. All of
it is off unless asked for.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engine.scenario.field_descriptions import described
from engine.scenario.field_types import Fraction, NotNegative, Positive, Seconds, Text, Value, Whole
from engine.scenario.scenario_limits import MAX_NAME_LENGTH

Factor = Annotated[float, Field(ge=1, le=1e6)]


class Stragglers(Value):
    """A share of the attempts takes longer, whatever the node: a sick disk, a busy neighbour."""

    share: Fraction = described("So large a share of attempts is slow.", "", 0.05, name="share of stragglers")
    factor: Factor = described(
        "A slow attempt computes so many times as long, at least.", "x", 3.0, name="slowness of stragglers"
    )
    tail: Annotated[Positive, Field(ge=0.1, le=1e6)] | None = described(
        "Exponent of a Pareto tail that begins at the factor; the smaller, the worse the worst. Empty: "
        "every straggler has the factor.",
        "",
        None,
    )


class Failures(Value):
    """Attempts that fail; a task that fails `max_attempts` times fails its job (mapreduce.map.maxattempts,
    mapreduce.reduce.maxattempts).
    """

    probability: Fraction = described(
        "An attempt fails with this probability.", "", 0.05, name="probability that an attempt fails"
    )
    at: Fraction | None = described(
        "It fails when it has done this part of its computing. Empty: at any point, all alike.",
        "",
        None,
        heading="Point of failure",
        name="point of failure",
    )
    max_attempts: Annotated[Whole, Field(ge=1, le=100)] = described(
        "A job fails when one of its tasks has failed so often; 4 in Hadoop.", "attempts", 4
    )


class Outage(Value):
    """A node that is lost, and comes back or does not. Its containers die; the output of its maps is gone."""

    node: Annotated[Text, Field(max_length=MAX_NAME_LENGTH)] = described(
        "Name of the node, a copy's with its number, such as worker-2."
    )
    lost_s: Seconds = described("When the ResourceManager declares it lost.", "s")
    back_s: Seconds | None = described("When it is back, empty. Empty: never.", "s", None)


class Locality(Value):
    """Blocks of the maps' input on nodes; a map is slower where its block is not."""

    replication: Annotated[Whole, Field(ge=1, le=10)] = described(
        "Copies of each block; 3 in HDFS.", "nodes", 3, name="copies of a block"
    )
    rack_factor: Factor = described(
        "A map takes so many times as long on another node of its block's rack.",
        "x",
        1.0,
        name="slowness on the rack",
    )
    off_rack_factor: Factor = described(
        "A map takes so many times as long on another rack.", "x", 1.0, name="slowness off the rack"
    )


class Partitions(Value):
    """How the maps' output is divided among the reduces; each fetches and computes for as long as its part is
    large.
    """

    zipf: Annotated[NotNegative, Field(le=10)] | None = described(
        "The part of rank r is as large as 1 / r to this power.", "", None, name="exponent of the partitions"
    )
    sizes: Annotated[list[NotNegative], Field(min_length=1, fail_fast=True)] | None = described(
        "How large the part of each reduce is beside the others'.", "", None
    )
