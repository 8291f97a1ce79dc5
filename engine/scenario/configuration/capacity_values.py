"""What one text of a capacity says: a percentage, a weight such as 3w, resources such as
[memory=1024,vcores=1], or nothing.

In Hadoop  CapacitySchedulerConfiguration.getNonLabeledQueueCapacity, getNonLabeledQueueWeight,
getMinimumResourceRequirement
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from string import ascii_letters

from engine.messages import msg
from engine.scenario.configuration.java_values import MAX_LONG, UNITS, java_float, java_long, trim
from engine.scenario.configuration.value_parsing import Size, quoted

RESOURCES = re.compile(r"\[[\w.,=/ \-]+\]", re.ASCII)
# percentages or weights of each resource (QueueCapacityVector)
OF_VECTORS = re.compile(r"[0-9] ?[%w]")
VALUE = re.compile(r"(.*?)([A-Za-z]*)", re.ASCII | re.DOTALL)
NAMES = {"memory": "memory_mb", "memory-mb": "memory_mb", "vcores": "vcores"}
MAX_WEIGHT = 10_000
NOTHING, PERCENTAGE, WEIGHT, AMOUNT_OF = "nothing", "percentage", "weight", "resources"


@dataclass(frozen=True)
class Capacity:
    """kind: what it is, NOTHING for one that Hadoop reads as none; value: the percentage or weight; amount:
    the resources.
    """

    kind: str = NOTHING
    value: float = 0.0
    amount: Size = Size(0, 0)


def parse_capacity(text: str, is_flexible: bool = False) -> Capacity:
    """What a queue's capacity says. is_flexible: what vectors say of memory, which elsewhere are read as
    nothing. ValueError where Hadoop does not start with it.
    """
    if is_vector(text):
        of_memory = _parse_vector(trim(text))
        return of_memory if is_flexible else Capacity()
    if is_amount(text):
        amount = parse_amount(text)
        return Capacity(AMOUNT_OF if amount.memory_mb else NOTHING, amount=amount)
    if text.endswith("w"):
        weight = _float(text[:-1], text)
        if weight == -1:
            return Capacity()
        if not math.isnan(weight) and not 0 <= weight <= MAX_WEIGHT:
            raise ValueError(
                msg("scenario.queue_capacities.must_be_weight_from_to_such", quoted=quoted(text))
            )
        return Capacity(WEIGHT, weight)
    percentage = _float(text, text)
    if percentage < 0 or percentage > 100:
        raise ValueError(
            msg("scenario.queue_capacities.must_be_percentage_from_to_weight", quoted=quoted(text))
        )
    return Capacity(NOTHING if percentage == 0 else PERCENTAGE, percentage)


def is_vector(text: str) -> bool:
    """Whether the text has a percentage or weight of each resource."""
    text = trim(text)
    return text[:1] == "[" and text[-1:] == "]" and "=" in text and bool(OF_VECTORS.search(text))


def _parse_vector(text: str) -> Capacity:
    """What a vector says of memory. ValueError for what is no number in it."""
    of_memory = Capacity()
    for part in text[1:-1].split(","):
        name, _, value = part.partition("=")
        number = value.rstrip(f" %{ascii_letters}")
        unit = trim(value[len(number) :])
        try:
            amount = java_float(number) if value else 0.0
        except ValueError:
            raise ValueError(
                msg("scenario.queue_capacities.must_give_memory_in_mb_and", quoted=quoted(text))
            ) from None
        if NAMES.get(trim(name)) == "memory_mb":
            kind = {"%": PERCENTAGE, "w": WEIGHT}.get(unit, AMOUNT_OF)
            size = parse_amount(f"[{trim(part)}]") if kind == AMOUNT_OF else Size(0, 0)
            of_memory = Capacity(kind, amount, size)
    return of_memory


def is_amount(text: str) -> bool:
    """Whether the text is resources, with blanks around it or not."""
    return bool(RESOURCES.fullmatch(trim(text)))


def parse_amount(text: str) -> Size:
    """Memory in MB and vcores of resources; none with blanks around the brackets, what is no known name or
    unit, or without memory. ValueError for an amount that is no whole number.
    """
    amounts = {"memory_mb": 0, "vcores": 0}
    for part in text[1:-1].split(",") if RESOURCES.fullmatch(text) else ():
        name, _, values = trim(part).partition("=")
        value = values.partition("=")[0]
        amount = _amount(value, text) if value else None
        if amount is not None and (field := NAMES.get(trim(name))):
            amounts[field] = max(amount, 0)
    return Size(**amounts) if amounts["memory_mb"] else Size(0, 0)


def _amount(value: str, text: str) -> int | None:
    """One amount in MB, None with an unknown unit; units of vcores are turned into MB as well
    (updateResourceValuesFromConfig).
    """
    number, unit = VALUE.fullmatch(value).groups()  # type: ignore[union-attr]  # it matches everything
    try:
        java_float(number)
        amount = java_long(number) if unit in UNITS else None
    except ValueError:
        amount = MAX_LONG + 1
    if amount is not None and (amount > MAX_LONG or unit in UNITS and number != trim(number)):
        raise ValueError(msg("scenario.queue_capacities.must_give_memory_in_mb_and", quoted=quoted(text)))
    return None if amount is None else int(amount * UNITS[unit or "Mi"] / UNITS["Mi"])


def _float(number: str, text: str) -> float:
    try:
        return java_float(number)
    except ValueError:
        raise ValueError(
            msg("scenario.queue_capacities.must_be_percentage_from_to_weight", quoted=quoted(text))
        ) from None
