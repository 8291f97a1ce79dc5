"""The address: what it carries comes back, and what is broken in it is a sentence."""

from __future__ import annotations

import base64
import json
import zlib
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.services import url_state
from webapp.services.url_state import Asked, StateError


def query(text: str) -> dict[str, str]:
    return dict(parse_qsl(text.removeprefix("?")))


def packed(data: object) -> str:
    return "v1." + base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode().rstrip("=")


@given(st.text(max_size=40), st.lists(st.text(min_size=1, max_size=20), max_size=4, unique=True), st.integers(-(10**13), 10**13), st.integers(1, 10**13))
def test_an_address_comes_back(name: str, schedulers: list[str], first: int, length: int) -> None:
    asked = Asked({"name": name, "x_note": [1, 2.5, None]}, tuple(schedulers))
    read = url_state.read(query(url_state.address(asked=asked, window=(first, first + length), highlight="job:wc-1")))
    assert (read.asked, read.viewport, read.highlight, read.complaints) == (asked, {"x0": first, "x1": first + length}, "job:wc-1", [])


def test_a_stored_link_comes_back() -> None:
    assert url_state.address(link="0123456789abcdef") == "?r=0123456789abcdef"
    assert url_state.read({"r": "0123456789abcdef"}).link == "0123456789abcdef"


def test_nothing_asked_is_nothing_complained_of() -> None:
    assert url_state.read({}) == url_state.State()
    assert url_state.read({"utm_source": "mail"}).complaints == []


def test_a_scenario_too_large_for_an_address_has_none() -> None:
    jobs = [{"name": f"{number * 7919 % 10007} job {number}", "arrival_s": number**2 % 977} for number in range(400)]
    assert url_state.address(asked=Asked({"jobs": jobs}, ("fair",))) is None


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "v3.abc",
        "v2.abc",
        "v2.",
        "v1.",
        "v1.####",
        "v1.abc",
        "v1.é",
        packed([1]),
        packed({"scenario": 1}),
        packed({"scenario": {}, "schedulers": "fair"}),
        packed({"scenario": {}, "schedulers": [1]}),
        packed({"scenario": {}, "schedulers": [f"s{number}" for number in range(17)]}),
        packed({"scenario": {}, "schedulers": ["x" * 301]}),
        packed({"scenario": {}, "schedulers": []})[:-5],
        "v1." + base64.urlsafe_b64encode(zlib.compress(b"[" * 100_000)).decode(),
    ],
)
def test_a_broken_address_is_a_sentence(text: str) -> None:
    with pytest.raises(StateError):
        url_state.unpack(text)
    read = url_state.read({"s": text})
    assert read.asked is None
    assert "broken" in read.complaints[0]


def test_an_address_that_unpacks_to_very_much_is_refused_early() -> None:
    bomb = "v1." + base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode()
    with pytest.raises(StateError, match="too large"):
        url_state.unpack(bomb)


@pytest.mark.parametrize("text", ["xyz", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0", "../../etc", "0123456789abcdeg", "%00"])
def test_a_link_that_is_no_id_is_a_sentence(text: str) -> None:
    read = url_state.read({"r": text})
    assert read.link is None
    assert "broken" in read.complaints[0]


@pytest.mark.parametrize(
    "window", [("5", "5"), ("9", "1"), ("a", "b"), ("1e3", "2e3"), ("", "7"), ("1", ""), ("nan", "inf"), ("1" * 16, "2" * 16), ("٣", "٩٩")]
)
def test_a_zoom_that_is_none_is_a_sentence(window: tuple[str, str]) -> None:
    read = url_state.read({"x0": window[0], "x1": window[1]})
    assert read.viewport is None or window == ("٣", "٩٩")
    assert len(read.complaints) == (read.viewport is None)


def test_half_a_zoom_is_a_sentence_too() -> None:
    assert len(url_state.read({"x0": "5"}).complaints) == 1


KEYS = ["r", "s", "x0", "x1", "y0", "y1", "job", "phase", "rows", "find"]


@given(st.dictionaries(st.sampled_from(KEYS), st.one_of(st.text(), st.none(), st.lists(st.text()))))
def test_no_query_raises(anything: dict) -> None:
    url_state.read(anything)


def test_rows_zoom_and_arrangement_come_back() -> None:
    read = url_state.read({"y0": "2.5", "y1": "40", "rows": "queue", "sort": "busy", "find": " prod ", "node": "n-7"})
    assert (read.viewport, read.rows, read.highlight) == ({"y0": 2.5, "y1": 40.0}, {"by": "queue", "sort": "busy", "find": "prod"}, "node:n-7")
    assert url_state.read({"y0": "4", "y1": "4"}).complaints == ["The link's rows (y0, y1) are not two numbers, the first smaller; all rows are shown."]
    assert url_state.read({"y0": "1e9", "y1": "NaN"}).viewport is None


def test_new_addresses_are_of_the_second_version() -> None:
    assert url_state.pack(Asked({}, ("fair",))).startswith("v2.")


def test_an_address_of_0_1_means_what_it_meant() -> None:
    text = packed({"scenario": {"a": 1}, "schedulers": ["fair", "omo", "fifo+ramp-up", "nothing"]})
    read = url_state.read({"s": text})
    assert read.asked == Asked(
        {"a": 1}, ("fair(reservations=no, update_ms=0)+slowstart+admit-all", "omo+admit-all", "fifo+ramp-up+admit-all", "nothing+slowstart+admit-all")
    )
    assert read.note == "This link was made with Gantry 0.1, where fair meant fair(reservations=no, update_ms=0)+slowstart+admit-all; it is shown so."
    read = url_state.read({"s": packed({"scenario": {}, "schedulers": ["drf", "saf", "fresh", "haste"]})})
    assert read.note.count(" meant ") == 3 and ", saf meant saf+slowstart+admit-all and haste meant " in read.note
    assert url_state.read({"s": url_state.pack(Asked({}, ("fair",)))}).note == ""
    assert url_state.read({"s": packed({"scenario": {}, "schedulers": ["omo", "fresh"]})}).note == ""
