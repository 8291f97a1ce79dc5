"""What calls of studies have in common: their file, ranges and numbers."""

from __future__ import annotations

import json
import re
from typing import Any

from engine.commands.streams import CallError, open_input, scenario_of
from engine.messages import msg

SEEDS = 30
RANGE = msg("commands.study_commands.b_c_or_first_last_step")


def read_plain(path: str) -> tuple[dict[str, Any], bool]:
    """A study's JSON values, checked, and whether the file is a study; a scenario makes one without seeds."""
    from engine.studies.study import VERSION, Study

    with open_input(path) as stream:
        text = stream.read()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None  # which the scenario's reader says better
    if isinstance(data, dict) and "scenario" in data:
        return Study.read(text).plain(), True
    return {"version": VERSION, "scenario": scenario_of(path, text).plain()}, False


def parse_range(plain: dict[str, Any], path: str, text: str, option: str, wrong: str) -> dict[str, Any]:
    """The values of a parameter as a study file has them: a list, or first, last and step; CallError with
    `wrong` where the text says none. option: what it was given as.
    """
    from engine.experiments.ranges import step_between

    ends = text.split(":")
    if not text.strip() or len(ends) > 3:
        raise CallError(wrong)
    if len(ends) == 1:
        return {"values": [_parse_value(part) for part in text.split(",")]}
    numbers = [number_option(option, part) for part in ends]
    first, last = numbers[:2]
    if first > last or min(numbers[2:], default=1) <= 0:
        given = f"{option.partition(' ')[2]}={text}"[:80]
        name = option.partition(" ")[0]
        raise CallError(msg("commands.study_commands.vary_must_go_from_smaller_to", option=name, text=given))
    if len(numbers) == 2:
        is_whole, unit = _unit_of(plain, path, numbers)
        numbers.append(step_between(first, last, is_integer=is_whole, unit=unit))
    return {"first": first, "last": last, "step": numbers[2]}


def _unit_of(plain: dict[str, Any], path: str, numbers: list[float]) -> tuple[bool, str]:
    """Whether a parameter is a whole number, and its unit."""
    from engine.errors import GantryError
    from engine.experiments.parameters import tunables
    from engine.scenario.model import Scenario

    try:
        parameters = {
            item.path: item
            for item in tunables(Scenario.of(plain["scenario"]), plain.get("schedulers", ["fair"]))
        }
    except GantryError:
        parameters = {}  # the study says what is wrong
    return (
        (parameters[path].whole, parameters[path].unit)
        if path in parameters
        else (all(isinstance(item, int) for item in numbers), "")
    )


def _parse_value(text: str) -> float | str:
    """A number, or else a choice."""
    try:
        return _parse_number(text)
    except ValueError:
        return text.strip()


def _parse_number(text: str) -> float:
    text = text.strip()
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else float(text)


def number_option(option: str, text: str) -> float:
    try:
        number = _parse_number(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise CallError(msg("commands.study_commands.must_be_number", option=option, strip=text.strip()[:80]))
    return number


def integer_option(option: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or not int(text):
        raise CallError(
            msg("commands.study_commands.must_be_whole_number_from_on", option=option, text=text[:80])
        )
    return int(text)
