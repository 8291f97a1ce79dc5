"""What applications are made of beside MapReduce's jobs: stages, and the executors in whose slots Spark runs
them.

Each field of Spark is named beside its property, with Spark's default.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from engine.messages import msg
from engine.scenario.field_descriptions import described
from engine.scenario.field_types import (
    Amount,
    Count,
    CountOrZero,
    Duration,
    Fraction,
    Name,
    NotNegative,
    Seconds,
    SecondsOrDistribution,
    Share,
    Value,
)

OVERHEAD_PCT, MIN_OVERHEAD_MB = 10, 384  # YarnAllocator, ResourceProfile.calculateOverHeadMemory
DEFAULT_EXECUTORS = 2  # spark.executor.instances
MAX_SLOTS = 1000
DEFAULT_POOL = "default"  # FairSchedulableBuilder.DEFAULT_POOL_NAME


def noun(frameworks: Iterable[str]) -> str:
    """What applications of these frameworks are called together: MapReduce's are jobs, and others too have
    but YARN's word.
    """
    return "jobs" if all(framework == "mapreduce" for framework in frameworks) else "applications"


def container_memory_mb(memory_mb: int, overhead_mb: int | None) -> int:
    """What an executor's container has: its memory and the overhead, Spark's own where none is given."""
    if overhead_mb is None:
        overhead_mb = max(MIN_OVERHEAD_MB, memory_mb * OVERHEAD_PCT // 100)
    return memory_mb + overhead_mb


class DynamicAllocation(Value):
    """How many executors the driver asks for, by the tasks that wait and run (ExecutorAllocationManager)."""

    minimum: CountOrZero = described(
        msg("scenario.applications.minimum"), "executors", 0, name=msg("scenario.applications.minimum_name")
    )
    initial: CountOrZero | None = described(
        msg("scenario.applications.initial"),
        "executors",
        None,
        name=msg("scenario.applications.initial_name"),
    )
    maximum: Count | None = described(
        msg("scenario.applications.maximum"),
        "executors",
        None,
        name=msg("scenario.applications.maximum_name"),
    )
    backlog_s: Annotated[Seconds, Field(ge=0.001)] = described(msg("scenario.applications.backlog"), "s", 1.0)
    sustained_backlog_s: Annotated[Seconds, Field(ge=0.001)] | None = described(
        msg("scenario.applications.sustained_backlog"), "s", None
    )
    idle_s: Seconds = described(
        msg("scenario.applications.idle"), "s", 60.0, name=msg("scenario.applications.idle_name")
    )
    ratio: Annotated[Fraction, Field(gt=0)] = described(
        msg("scenario.applications.ratio"), "", 1.0, name=msg("scenario.applications.ratio_name")
    )
    shuffle_tracking: bool = described(msg("scenario.applications.shuffle_tracking"), "", True)

    @property
    def initial_count(self) -> int:
        """Executors that it asks for before its first stage."""
        return max(self.minimum, self.initial or 0)


class SparkSpeculation(Value):
    """Which tasks get a second attempt while the first still runs (TaskSetManager.checkSpeculatableTasks)."""

    quantile: Fraction = described(
        msg("scenario.applications.quantile"), "", 0.75, name=msg("scenario.applications.quantile_name")
    )
    multiplier: NotNegative = described(
        msg("scenario.applications.multiplier"), "", 1.5, name=msg("scenario.applications.multiplier_name")
    )
    interval_s: Annotated[Seconds, Field(ge=0.001)] = described(
        msg("scenario.applications.speculation_interval"),
        "s",
        0.1,
        name=msg("scenario.applications.speculation_interval_name"),
    )
    minimum_s: Seconds = described(
        msg("scenario.applications.speculation_minimum"),
        "s",
        0.1,
        name=msg("scenario.applications.speculation_minimum_name"),
    )


class Executors(Value):
    """The containers of a Spark application beside its driver's."""

    memory_mb: Amount = described(msg("scenario.applications.executor_memory"), "MB")
    memory_overhead_mb: Share | None = described(
        msg("scenario.applications.memory_overhead"),
        "MB",
        None,
        name=msg("scenario.applications.memory_overhead_name"),
    )
    vcores: Amount = described(msg("scenario.applications.executor_vcores"), "vcores")
    slots: Annotated[Count, Field(le=MAX_SLOTS)] | None = described(
        msg("scenario.applications.slots"), "tasks", None, name=msg("scenario.applications.slots_name")
    )
    launch_s: SecondsOrDistribution = described(
        msg("scenario.applications.executor_launch"), "s", 0.0, name=msg("scenario.applications.launch_name")
    )
    count: Count | None = described(
        msg("scenario.applications.executor_count"),
        "executors",
        None,
        name=msg("scenario.applications.executors"),
    )
    dynamic: DynamicAllocation | None = described(
        msg("scenario.applications.dynamic"), "", None, heading=msg("shared.dynamic_allocation")
    )
    speculation: SparkSpeculation | None = described(
        msg("scenario.applications.speculation"),
        "",
        None,
        heading=msg("scenario.applications.speculation_heading"),
    )
    registered_ratio: Fraction = described(msg("scenario.applications.registered_ratio"), "", 0.8)
    registered_wait_s: Seconds = described(msg("scenario.applications.registered_wait"), "s", 30.0)
    locality_wait_s: Seconds = described(msg("scenario.applications.locality_wait"), "s", 3.0)
    excluded_s: list[Seconds] = described(msg("scenario.applications.excluded"), "s", [])

    @property
    def container(self) -> ContainerRequest:
        """What one of them asks of YARN."""
        memory_mb = container_memory_mb(self.memory_mb, self.memory_overhead_mb)
        return ContainerRequest(memory_mb=memory_mb, vcores=self.vcores)

    @property
    def tasks_at_once(self) -> int:
        """Slots of one of them."""
        return min(self.slots or self.vcores, MAX_SLOTS)

    @property
    def initial_count(self) -> int:
        """Executors that the driver asks for first."""
        return self.dynamic.initial_count if self.dynamic else self.count or DEFAULT_EXECUTORS


class HeldContainers(Value):
    """How a Tez application uses its containers again, and when it schedules the tasks of a vertex."""

    reuse: bool = described(msg("scenario.applications.reuse"), "", True)
    reuse_delay_s: Seconds = described(
        msg("scenario.applications.reuse_delay"),
        "s",
        0.25,
        name=msg("scenario.applications.reuse_delay_name"),
    )
    idle_minimum_s: Seconds = described(
        msg("scenario.applications.idle_minimum"),
        "s",
        5.0,
        name=msg("scenario.applications.idle_minimum_name"),
    )
    idle_maximum_s: Seconds = described(
        msg("scenario.applications.idle_maximum"),
        "s",
        10.0,
        name=msg("scenario.applications.idle_maximum_name"),
    )
    slow_start_minimum: Fraction = described(msg("scenario.applications.slow_start_minimum"), "", 0.25)
    slow_start_maximum: Fraction = described(msg("scenario.applications.slow_start_maximum"), "", 0.75)


class SchedulerPool(Value):
    """Stages of a Spark application that share its slots with other pools (FairSchedulableBuilder)."""

    name: Name = described(msg("scenario.applications.pool_name"))
    weight: Count = described(
        msg("scenario.applications.pool_weight"), "", 1, name=msg("scenario.applications.pool_weight_name")
    )
    minimum_share: CountOrZero = described(
        msg("scenario.applications.pool_minimum_share"),
        "tasks",
        0,
        name=msg("scenario.applications.pool_minimum_share_name"),
    )
    mode: Literal["fifo", "fair"] = described(msg("scenario.applications.pool_mode"), "", "fifo")


class ContainerRequest(Value):
    """Memory and vcores that are asked of YARN."""

    memory_mb: int
    vcores: int


class ApplicationStage(Value):
    """Tasks that may all run at once, when the stages have finished whose output they read. The size is that
    of a task's container; Spark's run in executors.
    """

    name: Name | None = described(msg("scenario.applications.stage_name"), "", None)
    after: list[Name] = described(msg("scenario.applications.after"), "", [])
    pool: Name | None = described(msg("scenario.applications.stage_pool"), "", None)
    result: bool = described(msg("scenario.applications.stage_result"), "", False)
    tasks: Count = described(
        msg("scenario.applications.tasks"), "tasks", name=msg("scenario.applications.tasks_name")
    )
    duration_s: Duration = described(msg("scenario.applications.task_duration"), "s")
    memory_mb: Amount | None = described(msg("scenario.applications.task_memory"), "MB", None)
    vcores: Amount | None = described(msg("scenario.applications.task_vcores"), "vcores", None)
    output_mb: NotNegative = described(
        msg("scenario.applications.output"), "MB", 0.0, name=msg("scenario.applications.output_name")
    )
    slow_start: Fraction = described(
        msg("scenario.applications.slow_start"), "", 1.0, name=msg("scenario.applications.slow_start_name")
    )
    start_s: Seconds = described(
        msg("scenario.applications.start"), "s", 0.0, name=msg("scenario.applications.start_name")
    )

    @property
    def container(self) -> ContainerRequest:
        """What a task of it asks of YARN where it has a container of its own."""
        assert self.memory_mb is not None and self.vcores is not None  # find_faults
        return ContainerRequest(memory_mb=self.memory_mb, vcores=self.vcores)

    def fetch_ms(self, source: ApplicationStage, shuffle_mb_s: float) -> float:
        """ms in which one of its tasks fetches what one task of a stage that it comes after has written."""
        return 1000.0 * source.output_mb / self.tasks / shuffle_mb_s

    @property
    def count(self) -> int:
        """Its tasks, as those of maps and reduces are called."""
        return self.tasks
