"""Every part of a scheduler by name, with its parameters, defaults and source, as JSON and for people."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from engine.messages import msg
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import Parameter, Policy
from engine.version import VERSION

FORMAT = 1


def parts_json() -> str:
    """`schedulers --json`: version, engine, and a list of parts in the order of the catalogue."""
    parts = [_part(policy) for policies in CATALOGUE.values() for policy in policies.values()]
    return (
        json.dumps({"version": FORMAT, "engine": VERSION, "parts": parts}, indent=1, ensure_ascii=False)
        + "\n"
    )


def parts_text() -> str:
    """A paragraph a kind of part, a line a part, and under it a line a parameter with its default."""
    width = max(len(name) for policies in CATALOGUE.values() for name in policies)
    return "\n".join(
        "".join(f"{line}\n" for line in [role, *_lines(policies, width)])
        for role, policies in CATALOGUE.items()
    )


def _lines(policies: dict[str, Policy], wide: int) -> Iterator[str]:
    for policy in policies.values():
        yield f"  {policy.name:{wide}}  {policy.title} ({policy.source})"
        for parameter in policy.parameters:
            choices = f": {', '.join(parameter.choices)}" if parameter.choices else ""
            yield (
                f"  {'':{wide}}  {parameter.name}={_default(parameter)}{choices}; {parameter.meaning} "
                f"({parameter.source})"
            )


def _default(parameter: Parameter) -> str:
    if parameter.default is None:
        return msg("output.scheduler_parts.not_given")
    return parameter.default if isinstance(parameter.default, str) else f"{parameter.default:g}"


def _part(policy: Policy) -> dict[str, Any]:
    """Infinite limits are null."""
    parameters = [
        {
            "name": parameter.name,
            "default": parameter.default,
            "choices": list(parameter.choices) or None,
            "low": parameter.low if math.isfinite(parameter.low) else None,
            "high": parameter.high if math.isfinite(parameter.high) else None,
            "meaning": parameter.meaning,
            "source": parameter.source,
        }
        for parameter in policy.parameters
    ]
    return {
        "part": policy.role,
        "name": policy.name,
        "title": policy.title,
        "source": policy.source,
        "parameters": parameters,
    }
