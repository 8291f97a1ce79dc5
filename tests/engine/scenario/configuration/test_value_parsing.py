"""Numbers and flags as Hadoop's Configuration reads them."""

from __future__ import annotations

import pytest

from engine.scenario.configuration.value_parsing import parse_bool, parse_int, parse_number
from tests.phrases import phrase


def test_numbers() -> None:
    assert [parse_number(text) for text in ("1", " -2.5 ", ".5", "1e3", "2f", "3.D")] == [
        1.0,
        -2.5,
        0.5,
        1000.0,
        2.0,
        3.0,
    ]
    assert parse_int(" -1 ") == -1
    assert [parse_bool("TRUE"), parse_bool(" false ")] == [True, False]
    for text in ("", "1,5", "NaN", "Infinity", "0x10", "1e999", "1_0", "\u0663", "9" * 99):
        with pytest.raises(ValueError, match=phrase("common.must_be_number_2")):
            parse_number(text)
    for text in ("", "1.5", "9" * 19):
        with pytest.raises(ValueError, match=phrase("common.must_be_whole_number")):
            parse_int(text)
    with pytest.raises(ValueError, match="^" + phrase("common.must_be_true_or_false", "'yes'") + "$"):
        parse_bool("yes")
