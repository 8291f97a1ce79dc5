"""Disturbances of real clusters: stragglers, failures, lost nodes, uneven partitions, distant blocks. All of
it is off unless asked for.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engine.messages import msg
from engine.scenario.field_descriptions import described
from engine.scenario.field_types import Fraction, NotNegative, Positive, Seconds, Text, Value, Whole
from engine.scenario.scenario_limits import MAX_NAME_LENGTH

Factor = Annotated[float, Field(ge=1, le=1e6)]


class Stragglers(Value):
    """A share of the attempts takes longer, whatever the node: a sick disk, a busy neighbour."""

    share: Fraction = described(
        msg("scenario.physics.share_attempts_slow"),
        "",
        0.05,
        name=msg("scenario.physics.share_stragglers"),
    )
    factor: Factor = described(
        msg("scenario.physics.slow_attempt_computes_so_many_times"),
        "x",
        3.0,
        name=msg("scenario.physics.slowness_stragglers"),
    )
    tail: Annotated[Positive, Field(ge=0.1, le=1e6)] | None = described(
        msg("scenario.physics.exponent_pareto_tail_begins_at_factor"),
        "",
        None,
    )


class Failures(Value):
    """Attempts that fail; a task that fails `max_attempts` times fails its job (mapreduce.map.maxattempts,
    mapreduce.reduce.maxattempts).
    """

    probability: Fraction = described(
        msg("scenario.physics.attempt_fails_with_probability"),
        "",
        0.05,
        name=msg("scenario.physics.probability_attempt_fails"),
    )
    at: Fraction | None = described(
        msg("scenario.physics.attempt_fails_after_part_its_computation"),
        "",
        None,
        heading=msg("scenario.physics.point_failure"),
        name=msg("scenario.physics.point_failure_2"),
    )
    max_attempts: Annotated[Whole, Field(ge=1, le=100)] = described(
        msg("scenario.physics.job_fails_when_one_its_tasks"), "attempts", 4
    )


class Outage(Value):
    """A node that is lost, and comes back or does not. Its containers die; the output of its maps is gone."""

    node: Annotated[Text, Field(max_length=MAX_NAME_LENGTH)] = described(
        msg("scenario.physics.name_node_copys_with_its_number")
    )
    lost_s: Seconds = described(msg("scenario.physics.when_resourcemanager_declares_lost"), "s")
    back_s: Seconds | None = described(msg("scenario.physics.when_back_empty_empty_never"), "s", None)


class Locality(Value):
    """Blocks of input on nodes. A map, or a task of Spark that reads input, is slower where its block is
    not.
    """

    replication: Annotated[Whole, Field(ge=1, le=10)] = described(
        msg("scenario.physics.copies_each_block_in_hdfs"),
        "nodes",
        3,
        name=msg("scenario.physics.copies_block"),
    )
    rack_factor: Factor = described(
        msg("scenario.physics.map_takes_so_many_times_as"),
        "x",
        1.0,
        name=msg("scenario.physics.slowness_on_rack"),
    )
    off_rack_factor: Factor = described(
        msg("scenario.physics.map_takes_so_many_times_as_2"),
        "x",
        1.0,
        name=msg("scenario.physics.slowness_off_rack"),
    )


class Partitions(Value):
    """How the maps' output is divided among the reduces; each fetches and computes for as long as its part is
    large.
    """

    zipf: Annotated[NotNegative, Field(le=10)] | None = described(
        msg("scenario.physics.partition_rank_r_has_size_r"),
        "",
        None,
        name=msg("scenario.physics.exponent_partitions"),
    )
    sizes: Annotated[list[NotNegative], Field(min_length=1, fail_fast=True)] | None = described(
        msg("scenario.physics.size_each_reduces_partition_relative_to"), "", None
    )
