"""What a demand holds over time, drawn."""

from __future__ import annotations

from xml.etree import ElementTree

from webapp.figures.demand_skyline import HEIGHT_PX, TEXT_PX, WIDTH_PX, Held, draw_demand


def test_a_skyline_is_as_high_as_what_is_held_at_once() -> None:
    drawn = ElementTree.fromstring(draw_demand([Held(0, 40, 1024), Held(10, 20, 3072)]))
    area = drawn.find("path")
    floor, quarter = TEXT_PX + HEIGHT_PX, TEXT_PX + 0.75 * HEIGHT_PX
    # 1 GB from 0, 4 GB from 10 s to 20 s, 1 GB until 40 s
    assert area is not None and area.get("d") == (
        f"M0.0 {quarter:.1f}H{WIDTH_PX / 4:.1f}V{TEXT_PX:.1f}H{WIDTH_PX / 2:.1f}V{quarter:.1f}"
        f"H{WIDTH_PX:.1f}V{floor:.1f}V{floor:.1f}H0.0z"
    )
    assert [text.text for text in drawn.iter("text")] == ["4 GB", "0:00", "0:40"]


def test_what_holds_nothing_is_not_drawn() -> None:
    assert draw_demand([]) == draw_demand([Held(0, 10, 0)]) == ""
