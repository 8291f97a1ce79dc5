"""Composing an order: the name that comes of three drop-downs and their inputs, and what is refused."""

from __future__ import annotations

import dash_mantine_components as dmc
import pytest
from dash import Dash

from engine import CATALOGUE, SchedulerError, parse
from tests.phrases import phrase
from webapp.panels.editor.weights import FIRST, OWN, composed, tunables


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def given(policy: str, **values: object) -> list[tuple[dict, object]]:
    return [({"type": "tunable", "policy": policy, "name": name}, value) for name, value in values.items()]


def test_the_dialog_begins_with_weights_and_no_rules() -> None:
    assert composed(FIRST, []) == "weighted"


def test_three_parts_make_a_name() -> None:
    assert (
        composed({"order": "haste", "reduce start": "lazy-start", "admission": "autoadmin"}, [])
        == "haste+lazy-start+autoadmin"
    )
    assert (
        composed({"order": "fair", "reduce start": "slowstart", "admission": "admit-all"}, [])
        == "fair+slowstart+admit-all"
    )


def test_weights_and_parameters_stand_in_the_name_where_they_are_not_the_default() -> None:
    weights = given("weighted", fitness=0, urgency=0, remaining=2.5, arrival=-1)
    name = composed(
        {"order": "weighted", "reduce start": "slowstart", "admission": "reserve"},
        [*weights, *given("slowstart", at=0.8), *given("reserve", vcores=4)],
    )
    assert name == "weighted(fitness=0, remaining=2.5, arrival=-1)+slowstart(at=0.8)+reserve(vcores=4)"
    assert parse(name).name == name


def test_inputs_that_are_empty_or_of_another_policy_count_nothing() -> None:
    others = [
        *given("haste", w_memory=5),
        *given("fair", resources="both"),
        *given("reserve", vcores="", fraction=None),
        (None, 3),
        ("x", 3),
    ]
    assert composed({"order": "fair", "reduce start": OWN, "admission": OWN}, others) == "fair"


def test_a_word_may_stand_for_a_number() -> None:
    assert composed({"order": "haste-a"}, given("haste-a", factor="auto")) == "haste-a"
    assert composed({"order": "haste-a"}, given("haste-a", factor="0.5")) == "haste-a(factor=0.5)"


@pytest.mark.parametrize(
    ("chosen", "inputs", "reason"),
    [
        ({"order": "omo", "reduce start": "ramp-up"}, [], phrase("common.omo_starts_reduces_by_own")),
        ({"order": "fair", "admission": "reserve"}, [], phrase("editor.reserve_needs_amount")),
        ({"order": "fair", "admission": "autoadmin"}, given("fair", resources="memory"), "reserves vcores"),
        ({"order": "haste"}, given("haste", w_memory=-1), phrase("common.must_be_from", 0, 1000)),
        ({"order": "haste"}, given("haste", w_memory="x) + fair("), phrase("common.must_be_number_2")),
        ({"order": "nothing"}, [], phrase("editor.no_order_named", "'nothing'")),
        ({}, [], "can't be read"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(chosen: dict, inputs: list, reason: str) -> None:
    with pytest.raises(SchedulerError, match=reason.replace("(", r"\(")):
        composed(chosen, inputs)


def test_every_policy_has_an_input_for_each_parameter_and_its_defaults_are_its_name() -> None:
    for role, policies in CATALOGUE.items():
        for name, policy in policies.items():
            boxes = tunables(policy)[1].children
            inputs = [
                box
                for box in boxes
                if isinstance(getattr(box, "id", None), dict) and box.id["type"] in ("tunable", "weight")
            ]
            assert [box.id["name"] for box in inputs] == [parameter.name for parameter in policy.parameters]
            assert all(box.id["policy"] == name for box in inputs)
            if name != "reserve":
                chosen = {"order": "fair", role: name}
                assert (
                    composed(chosen, [(box.id, box.value) for box in inputs])
                    == parse(name if role == "order" else f"fair+{name}").name
                )


def test_a_weight_is_a_slider_with_a_name_and_zero_in_the_middle() -> None:
    sliders = [
        box for box in tunables(CATALOGUE["order"]["weighted"])[1].children if isinstance(box, dmc.Slider)
    ]
    assert len(sliders) == 7
    for slider in sliders:
        assert (slider.min, slider.max, slider.step) == (-10, 10, 0.5)
        assert slider.thumbLabel == f"Weight of {slider.id['name']}"
