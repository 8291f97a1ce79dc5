"""Names made short stay distinct."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webapp.figures.short_names import short_names


def test_what_all_share_goes_first() -> None:
    assert short_names(["a2115.smile.com.example.org", "a2116.smile.com.example.org"]) == ["a2115", "a2116"]
    assert short_names(["application_1234567890_0001", "application_1234567890_0002"]) == ["application_123…0001", "application_123…0002"]
    assert short_names(["worker", "a"]) == ["worker", "a"]
    assert short_names(["one-very-long-name-that-stands-alone"]) == ["one-very-long-name-that-stands-alone"]


@given(st.lists(st.text("ab._-1", min_size=1, max_size=40), min_size=1, max_size=6))
def test_as_many_are_told_apart_as_before(names: list[str]) -> None:
    short = short_names(names)
    assert len(short) == len(names) and len(set(short)) == len(set(names))
    assert all(short)


def test_as_much_of_the_beginning_stays_as_there_is_room_for() -> None:
    assert short_names(["application_1234567890_0001", "application_1234567890_0002"], 12) == ["applica…0001", "applica…0002"]
    assert short_names(["application_1234567890_0001", "application_1234567890_0002"], 6) == ["appli…0001", "appli…0002"]
