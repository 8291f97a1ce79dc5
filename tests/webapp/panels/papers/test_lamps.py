"""Bars of lamps, and what their words mean."""

from __future__ import annotations

from engine.dashboard import LAMPS, STANDINGS
from engine.papers.judge import tally
from engine.papers.schema import FAILS, GAIN, HOLDS, NOT_TESTABLE, ORDER
from tests.webapp.layout_reading import words
from webapp.panels.papers import lamps


def test_a_bar_has_a_part_for_each_state_as_long_as_its_count() -> None:
    counted = tally([{ORDER: HOLDS}, {ORDER: HOLDS}, {ORDER: FAILS, GAIN: NOT_TESTABLE}])
    order, gain = lamps.bars(counted, "All").children
    name, bar, count = order.children
    assert (words(name), words(count)) == ("Order", "2 of 3")
    assert [(part.className, part.style) for part in bar.children] == [
        ("lamp-part good", {"flexGrow": 2}),
        ("lamp-part bad", {"flexGrow": 1}),
    ]
    assert (words(gain.children[0]), words(gain.children[2])) == ("Gain", "1 not testable")


def test_every_word_has_a_meaning() -> None:
    assert list(lamps.LAMP_MEANINGS) == list(LAMPS) and list(lamps.MEANINGS) == list(STANDINGS)
    text = words(lamps.words())
    assert all(meaning in text for meaning in (*lamps.MEANINGS.values(), *lamps.LAMP_MEANINGS.values()))
