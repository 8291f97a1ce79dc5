"""What containers may be asked for: to what Hadoop's schedulers round requests, and which they refuse. Its
fields as model.py has its own.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationInfo, field_validator

from engine.scenario.field_descriptions import described
from engine.scenario.field_types import Amount, Value


class ContainerSize(Value):
    """An amount of both resources that a container may have."""

    memory_mb: Amount = described("Memory of a container.", "MB")
    vcores: Amount = described("Virtual cores of a container.", "vcores")


class Allocation(Value):
    """What containers may be asked for; the defaults are Hadoop's."""

    minimum: ContainerSize = described(
        "What is less is raised to it, and under fifo and capacity rounded up to its multiples: "
        "yarn.scheduler.minimum-allocation-mb, -vcores.",
        "",
        ContainerSize(memory_mb=1024, vcores=1),
        within="least {}",
    )
    increment: ContainerSize = described(
        "Under fair and drf rounded up to its multiples, and what is less than two of it reserves "
        "nothing: yarn.resource-types.memory-mb.increment-allocation.",
        "",
        ContainerSize(memory_mb=1024, vcores=1),
        within="increment of the {}",
    )
    maximum: ContainerSize = described(
        "What is more is refused: yarn.scheduler.maximum-allocation-mb, -vcores.",
        "",
        ContainerSize(memory_mb=8192, vcores=4),
        within="largest {}",
    )

    @field_validator("minimum", "increment", "maximum", mode="before")
    @classmethod
    def _complete(cls, given: Any, field: ValidationInfo) -> Any:
        """One amount alone is given with Hadoop's default of the other."""
        return (
            {**cls.model_fields[field.field_name].default.model_dump(), **given}
            if isinstance(given, dict)
            else given
        )
