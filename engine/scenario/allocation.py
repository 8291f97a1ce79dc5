"""What containers may be asked for: to what Hadoop's schedulers round requests, and which they refuse. Its
fields as model.py has its own.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationInfo, field_validator

from engine.messages import msg
from engine.scenario.field_descriptions import described
from engine.scenario.field_types import Amount, Value


class ContainerSize(Value):
    """An amount of both resources that a container may have."""

    memory_mb: Amount = described(msg("scenario.allocation.memory_container"), "MB")
    vcores: Amount = described(msg("scenario.allocation.virtual_cores_container"), "vcores")


class Allocation(Value):
    """What containers may be asked for; the defaults are Hadoop's."""

    minimum: ContainerSize = described(
        msg("scenario.allocation.what_less_raised_to_and_under"),
        "",
        ContainerSize(memory_mb=1024, vcores=1),
        within="minimum {}",
    )
    increment: ContainerSize = described(
        msg("scenario.allocation.under_fair_and_drf_rounded_up"),
        "",
        ContainerSize(memory_mb=1024, vcores=1),
        within=msg("scenario.allocation.increment"),
    )
    maximum: ContainerSize = described(
        msg("scenario.allocation.larger_requests_rejected_yarn_scheduler_maxi"),
        "",
        ContainerSize(memory_mb=8192, vcores=4),
        within="maximum {}",
    )

    @field_validator("minimum", "increment", "maximum", mode="before")
    @classmethod
    def _complete(cls, given: Any, field: ValidationInfo) -> Any:
        """One amount alone is given with Hadoop's default of the other."""
        if not isinstance(given, dict):
            return given
        assert field.field_name is not None  # it is called for fields alone
        return {**cls.model_fields[field.field_name].default.model_dump(), **given}
