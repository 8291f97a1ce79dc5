"""What random schedulers are drawn from follows the policies' own parameters."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import Parameter
from engine.schedulers.scheduler import parse
from tests.strategies import ALSO, INSTEAD, named_schedulers, values

PARAMETERS = [
    parameter
    for policies in CATALOGUE.values()
    for policy in policies.values()
    for parameter in policy.parameters
]


@given(named_schedulers())
def test_every_scheduler_that_is_drawn_is_one(name: str) -> None:
    assert parse(name)


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda parameter: parameter.name)
def test_a_parameter_has_several_values_its_default_among_them(parameter: Parameter) -> None:
    result = values(parameter)
    assert len(set(result)) >= 2
    assert parameter.name in INSTEAD or parameter.default is None or parameter.default in result


def test_a_new_parameter_needs_no_line() -> None:
    assert values(Parameter("size", 4.0, "a number", "ours", low=0, high=9)) == [0.0, 1.2, 2.8, 4.0, 8.0]
    assert values(Parameter("share", None, "a share", "ours", low=0, high=1, none_word="auto")) == [
        0.0,
        0.3,
        0.7,
        1.0,
        "auto",
    ]
    assert values(Parameter("size", 1.0, "a number", "ours", low=0.1, high=9, excluded=1)) == [
        0.3,
        0.7,
        2.0,
        5.0,
    ]
    assert values(Parameter("way", "up", "a way", "ours", choices=("up", "down"))) == ["up", "down"]


def test_no_value_is_of_a_parameter_that_is_gone() -> None:
    assert {*ALSO, *INSTEAD} <= {parameter.name for parameter in PARAMETERS}
