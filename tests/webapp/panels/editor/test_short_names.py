"""Names made short stay distinct."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webapp.figures.short_names import cut_names, short_names


def test_what_all_share_goes_first() -> None:
    assert short_names(["a2115.smile.com.example.org", "a2116.smile.com.example.org"]) == ["a2115", "a2116"]
    assert short_names(["application_1234567890_0001", "application_1234567890_0002"]) == [
        "application_123…0001",
        "application_123…0002",
    ]
    assert short_names(["worker", "a"]) == ["worker", "a"]
    assert short_names(["one-very-long-name-that-stands-alone"]) == ["one-very-long-name-that-stands-alone"]


@given(st.lists(st.text("ab._-1", min_size=1, max_size=40), min_size=1, max_size=6))
def test_as_many_are_told_apart_as_before(names: list[str]) -> None:
    short = short_names(names)
    assert len(short) == len(names) and len(set(short)) == len(set(names))
    assert all(short)


def test_what_is_cut_is_told_apart() -> None:
    """They once stood there as jo…05 and jo…05, a21….com and a21….com."""
    assert cut_names(("job105", "job205", "job305"), 5) == ("…b105", "…b205", "…b305")
    assert cut_names(("a2115.smile.com", "a2116.smile.com"), 8) == ("a2115", "a2116")
    assert cut_names(("a211567.smile.com", "a211667.smile.com"), 6) == ("a2…567", "a2…667")
    assert cut_names(("a215671.smile.com", "a225671.smile.com"), 6) == ("…15671", "…25671")
    assert cut_names(("a-very-long-name-of-a-job-17",), 13) == ("a-very…job-17",)
    assert cut_names(("sort-of-all-books", "grep-of-all-books"), 9) == ("sort…ooks", "grep…ooks")
    assert cut_names((), 5) == ()


FORMS = st.sampled_from(["job{:04}", "a{:04}.smile.com", "application_17_{:04}", "{:04}.smile.com"])


@given(st.lists(st.integers(0, 9999), min_size=2, max_size=40, unique=True), FORMS)
def test_numbers_survive_any_cut_that_has_room_for_them(numbers: list[int], form: str) -> None:
    names = tuple(map(form.format, numbers))
    for most in range(7, 20):
        short = cut_names(names, most)
        assert len(set(short)) == len(names)
        assert max(map(len, short)) <= most


@given(st.lists(st.text("ab.-1", min_size=1, max_size=30), max_size=6).map(tuple), st.integers(3, 30))
def test_nothing_is_longer_than_its_room(names: tuple[str, ...], most: int) -> None:
    short = cut_names(names, most)
    assert len(short) == len(names) and all(len(name) <= most for name in short)
    assert all(now == name for now, name in zip(short, names)) or max(map(len, names)) > most


def test_as_much_of_the_beginning_stays_as_there_is_room_for() -> None:
    assert short_names(["application_1234567890_0001", "application_1234567890_0002"], 12) == [
        "applica…0001",
        "applica…0002",
    ]
    assert short_names(["application_1234567890_0001", "application_1234567890_0002"], 6) == [
        "appli…0001",
        "appli…0002",
    ]
