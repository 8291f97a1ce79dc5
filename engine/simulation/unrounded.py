"""What a cluster without an allocation does otherwise than Hadoop's default one would."""

from __future__ import annotations

from collections.abc import Iterator

from engine import quantities
from engine.messages import msg
from engine.scenario.allocation import Allocation
from engine.scenario.applications import ContainerRequest
from engine.scenario.model import Master, Scenario, Stage
from engine.simulation.queues import queue_tree

DEFAULT = Allocation()


def unrounded_note(scenario: Scenario) -> str:
    """A sentence on the requests that Hadoop's default allocation would round or reject, and the guarantees
    under `capacity` that it would raise (REQUEST-6, REQUEST-7); "" where the scenario has an allocation, or
    there are none.
    """
    if scenario.cluster.allocation:
        return ""
    minimum, maximum = DEFAULT.minimum, DEFAULT.maximum
    sizes = dict.fromkeys((part.memory_mb, part.vcores) for part in _containers(scenario))
    rejected = [size for size in sizes if size[0] > maximum.memory_mb or size[1] > maximum.vcores]
    rounded = [size for size in sizes if size not in rejected and size[0] % minimum.memory_mb]
    raised = _raised_queues(scenario, minimum.memory_mb)
    effects = []
    if rounded:
        memory_mb = rounded[0][0]
        up = -(-memory_mb // minimum.memory_mb) * minimum.memory_mb
        effects.append(msg("simulation.unrounded.rounded", memory_mb=memory_mb, up=up))
    if rejected:
        memory_mb, vcores = rejected[0]
        effects.append(msg("simulation.unrounded.rejected", memory_mb=memory_mb, vcores=vcores))
    if raised:
        queues = quantities.count(len(raised), "queues")
        effects.append(
            msg("simulation.unrounded.raised", queue=raised[0], queues=queues, least=minimum.memory_mb)
        )
    return msg("simulation.unrounded.not_rounded", effects="; ".join(effects)) if effects else ""


def _containers(scenario: Scenario) -> Iterator[Master | Stage | ContainerRequest]:
    """All that its jobs ask for, masters first."""
    jobs = scenario.jobs
    yield from (job.am for job in jobs if job.am)
    yield from (stage for job in jobs for stage in (job.maps, job.reduces) if stage and stage.count)
    yield from (job.executors.container for job in jobs if job.executors)
    yield from (stage.container for job in jobs if not job.executors for stage in job.stages)


def _raised_queues(scenario: Scenario, least_mb: int) -> list[str]:
    """The queues of jobs with a guarantee under `capacity` below so much memory."""
    if all(queue.capacity_pct is None for queue in scenario.queues):
        return []
    tree = queue_tree(scenario)
    total_mb = sum(group.count * group.memory_mb for group in scenario.cluster.nodes)
    used = {job.queue for job in scenario.jobs}
    return [
        name
        for name, share in zip(tree.names, tree.capacity)
        if name in used and 0 < share * total_mb < least_mb
    ]
