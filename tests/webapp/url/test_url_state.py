"""The address: what it carries comes back, and what is broken in it is a sentence."""

from __future__ import annotations

import base64
import json
import zlib

import pytest
from dash._pages import _parse_query_string  # what the page's layout is given
from hypothesis import given
from hypothesis import strategies as st

from engine import presets
from tests.phrases import phrase
from webapp.url import url_state, url_view
from webapp.url.url_state import RunRequest, StateError, UrlState
from webapp.url.url_view import Decision, Drawer


def query(text: str) -> dict:
    return _parse_query_string(text)


def packed(data: object) -> str:
    return "v1." + base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode().rstrip("=")


NAMES = st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4, unique=True).map(tuple)
LINKS = st.text("0123456789abcdef", min_size=16, max_size=16)
MS = st.integers(0, url_view.MAX_MS - 1)


def apart(low, high) -> st.SearchStrategy[tuple[int, int]]:
    """Two whole numbers, the first smaller."""
    return st.tuples(st.integers(low, high - 1), st.integers(1, high)).map(
        lambda pair: (min(pair), max(max(pair), min(pair) + 1))
    )


RESULTS = st.one_of(
    st.just({}),
    st.builds(lambda link: {"link": link}, LINKS),
    st.builds(
        lambda title, names: {"request": RunRequest({"name": title, "x_note": [1, 2.5, None]}, names)},
        st.text(max_size=40),
        NAMES,
    ),
    st.builds(
        lambda one, names: {"request": RunRequest(one.scenario.plain(), names), "preset": one.key},
        st.sampled_from(presets()),
        NAMES,
    ),
)
VIEWPORTS = st.builds(
    lambda x, y: (
        ({"x0": x[0], "x1": x[1]} if x else {}) | ({"y0": y[0] / 2, "y1": y[1] / 2} if y else {}) or None
    ),
    st.none() | apart(-url_view.MAX_MS, url_view.MAX_MS),
    st.none() | apart(0, 2_000_000),
)
TEXT = st.text(min_size=1, max_size=40).map(str.strip).filter(bool)
DRAWERS = st.builds(
    lambda tab, open, dock, size: Drawer(tab, open, dock, size if open else None),
    st.none() | st.sampled_from(url_view.TABS),
    st.booleans(),
    st.sampled_from(url_view.DOCKS),
    st.none() | st.integers(url_view.MIN_PX, url_view.MAX_PX),
).map(lambda drawer: None if drawer == Drawer() else drawer)
STATES = st.builds(
    lambda result, **seen: UrlState(**result, **seen),
    RESULTS,
    pinned=st.none() | LINKS,
    viewport=VIEWPORTS,
    highlight=st.none()
    | st.builds("{}:{}".format, st.sampled_from(["job", "user", "queue", "node", "rack", "phase"]), TEXT),
    rows=st.dictionaries(st.sampled_from(["by", "sort", "find"]), TEXT).map(lambda found: found or None),
    colour=st.sampled_from(url_view.COLOURS),
    folded=st.sets(st.integers(0, url_view.MAX_PLACES - 1)).map(lambda found: tuple(sorted(found))),
    time=st.none() | MS,
    span=st.none() | apart(0, url_view.MAX_MS).map(lambda pair: {"x0": pair[0], "x1": pair[1]}),
    decision=st.none()
    | st.builds(
        Decision,
        st.integers(0, url_view.MAX_PLACES - 1),
        st.integers(0, url_view.MAX_CONTAINERS - 1),
        st.none(),
    )
    | st.builds(Decision, st.integers(0, url_view.MAX_PLACES - 1), st.just(-1), MS),
    drawer=DRAWERS,
    present=st.booleans(),
)


@given(STATES)
def test_an_address_comes_back(state: UrlState) -> None:
    text = url_state.address(state)
    assert url_state.read(query(text)) == state
    assert json.loads(json.dumps(state.start()))["present"] == state.present
    assert url_state.address(url_state.read(query(text))) == text


@given(STATES)
def test_what_is_looked_at_comes_back_from_the_page_s_own_values(state: UrlState) -> None:
    """Numbers and lists as a script has them, beside a result that the page shows."""
    told = dict(query(url_state.address(state)))
    for key in ("x0", "x1", "t"):
        if key in told:
            told[key] = int(told[key])
    if "folded" in told:
        told["folded"] = list(state.folded)
    if "present" in told:
        told["present"] = True
    kept = url_state.parse_view(told)
    assert (kept.request, kept.link, kept.pinned) == (None, None, None)
    assert kept.start() == state.start()


def test_what_is_the_default_is_left_out_and_the_order_is_fixed() -> None:
    assert url_state.address() == "?"
    state = UrlState(
        link="0123456789abcdef",
        viewport={"y0": 0.5, "y1": 9, "x0": 0, "x1": 60_000},
        highlight="job:wc 1",
        colour="job",
        folded=(0, 2),
        time=1_500,
    )
    state = url_state.replace(
        state,
        span={"x0": 5, "x1": 9},
        decision=Decision(1, 20),
        drawer=Drawer("compare", size=300, dock="right"),
        present=True,
    )
    assert url_state.address(state) == (
        "?r=0123456789abcdef&x0=0&x1=60000&y0=0.5&y1=9&job=wc+1&colour=job&folded=0%2C2&t=1500&span=5-9&why=1%3A20&tab=compare&drawer=300&dock=right&present=1"
    )
    assert (
        url_state.address(link="0123456789abcdef", drawer=Drawer("more", open=False))
        == "?r=0123456789abcdef&tab=more&drawer=closed"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"x0": float("nan"), "x1": 5},
        {"why": [1, 2]},
        {"folded": "zero"},
        {"t": {}},
        {"present": False},
        [],
        None,
        "?t=5",
        7,
    ],
)
def test_what_a_page_says_wrongly_of_what_is_looked_at_is_left_out(wrong: object) -> None:
    assert url_state.parse_view(wrong) == UrlState()


def test_a_decision_is_checked_against_the_run() -> None:
    assert url_state.decision_fault(Decision(1, 147), [3, 148]) == ""
    begins, ends = phrase("services.links_open_decision_why") + " ", phrase("services.opens_without")
    assert url_state.decision_fault(Decision(1, 148), [3, 148]) == phrase(
        "services.must_be_from", f"{begins}container", 148, 0, f"147{ends}"
    )
    assert url_state.decision_fault(Decision(2, 0), [3, 148]) == phrase(
        "services.must_be_from", f"{begins}scheduler", 2, 0, f"1{ends}"
    )
    assert url_state.decision_fault(Decision(0, 0), [0]) == phrase(
        "services.run_without", f"{begins}container", 0, f"any{ends}"
    )


def test_a_preset_under_any_schedulers_has_a_readable_address() -> None:
    """It once said the job alone, which opened the default schedulers."""
    wordcount = presets()[0].scenario.plain()
    asked = RunRequest(wordcount, ("fair", "haste+lazy-start", "fair(reservations=no, update_ms=0)"))
    assert (
        url_state.result_query(asked)
        == "preset=wordcount&s=fair&s=haste%2Blazy-start&s=fair%28reservations%3Dno%2C+update_ms%3D0%29"
    )
    assert url_state.read(query("?" + url_state.result_query(asked))).request == asked
    assert url_state.result_query(asked, "0123456789abcdef") == "r=0123456789abcdef"
    edited = RunRequest(wordcount | {"seed": 7}, ("fair",))
    assert (
        url_state.result_query(edited).startswith("s=v2.")
        and url_state.read(query("?" + url_state.result_query(edited))).request == edited
    )
    assert (
        url_state.result_query(
            RunRequest({"jobs": [{"name": f"{one * 7919 % 10007}"} for one in range(900)]}, ("fair",))
        )
        == ""
    )


@pytest.mark.parametrize(
    "broken",
    [{"preset": "nothing", "s": "fair"}, {"preset": "wordcount"}, {"preset": "wordcount", "s": ["x" * 301]}],
)
def test_a_preset_that_is_none_or_under_nothing_is_a_sentence(broken: dict) -> None:
    read = url_state.read(broken)
    assert (
        read.request is None
        and read.preset is None
        and len(read.complaints) == 1
        and phrase("services.this_link_broken") + " " in read.complaints[0]
    )


def test_a_scenario_that_writes_out_its_defaults_is_asked_for_as_the_page_writes_it() -> None:
    """Else the page, which leaves them out, takes what the link shows for something else than what runs."""
    plain = presets()[0].scenario.plain()
    written_out = plain | {"seed": 0, "queues": [], "jobs": [job | {"arrival_s": 0} for job in plain["jobs"]]}
    assert url_state.read({"s": url_state.pack(RunRequest(written_out, ("fair",)))}).request == RunRequest(
        plain, ("fair",)
    )
    faulty = RunRequest({"jobs": 3}, ("fair",))
    assert url_state.canonical_request(faulty) == faulty


def test_a_stored_link_comes_back() -> None:
    assert url_state.address(link="0123456789abcdef") == "?r=0123456789abcdef"
    assert url_state.read({"r": "0123456789abcdef"}).link == "0123456789abcdef"


def test_nothing_asked_is_nothing_complained_of() -> None:
    assert url_state.read({}) == url_state.UrlState()
    assert url_state.read({"utm_source": "mail"}).complaints == []


def test_a_scenario_too_large_for_an_address_has_none() -> None:
    jobs = [
        {"name": f"{number * 7919 % 10007} job {number}", "arrival_s": number**2 % 977}
        for number in range(400)
    ]
    assert url_state.address(request=RunRequest({"jobs": jobs}, ("fair",))) is None


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
    assert read.request is None
    assert "invalid" in read.complaints[0]


def test_an_address_that_unpacks_to_very_much_is_refused_early() -> None:
    bomb = "v1." + base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode()
    with pytest.raises(StateError, match="too large"):
        url_state.unpack(bomb)


@pytest.mark.parametrize(
    "text",
    [
        "xyz",
        "0123456789ABCDEF",
        "0123456789abcde",
        "0123456789abcdef0",
        "../../etc",
        "0123456789abcdeg",
        "%00",
    ],
)
def test_a_link_that_is_no_id_is_a_sentence(text: str) -> None:
    read = url_state.read({"r": text})
    assert read.link is None
    assert "invalid" in read.complaints[0]


@pytest.mark.parametrize(
    "window",
    [
        ("5", "5"),
        ("9", "1"),
        ("a", "b"),
        ("1e3", "2e3"),
        ("", "7"),
        ("1", ""),
        ("nan", "inf"),
        ("1" * 16, "2" * 16),
        ("٣", "٩٩"),
    ],
)
def test_a_zoom_that_is_none_is_a_sentence(window: tuple[str, str]) -> None:
    read = url_state.read({"x0": window[0], "x1": window[1]})
    assert read.viewport is None or window == ("٣", "٩٩")
    assert len(read.complaints) == (read.viewport is None)


def test_half_a_zoom_is_a_sentence_too() -> None:
    assert len(url_state.read({"x0": "5"}).complaints) == 1


KEYS = [
    "r",
    "s",
    "preset",
    "pin",
    "x0",
    "x1",
    "y0",
    "y1",
    "job",
    "phase",
    "rows",
    "find",
    "colour",
    "folded",
    "t",
    "span",
    "why",
    "tab",
    "drawer",
    "dock",
    "present",
]


@given(st.dictionaries(st.sampled_from(KEYS), st.one_of(st.text(), st.none(), st.lists(st.text()))))
def test_no_query_raises(anything: dict) -> None:
    url_state.read(anything)
    url_state.parse_view(anything)


def test_rows_zoom_and_arrangement_come_back() -> None:
    read = url_state.read(
        {"y0": "2.5", "y1": "40", "rows": "queue", "sort": "busy", "find": " prod ", "node": "n-7"}
    )
    assert (read.viewport, read.rows, read.highlight) == (
        {"y0": 2.5, "y1": 40.0},
        {"by": "queue", "sort": "busy", "find": "prod"},
        "node:n-7",
    )
    assert url_state.read({"y0": "4", "y1": "4"}).complaints == [
        phrase("services.links_rows_not_two_numbers", "y0", "y1")
    ]
    assert url_state.read({"y0": "1e9", "y1": "NaN"}).viewport is None


def test_new_addresses_are_of_the_second_version() -> None:
    assert url_state.pack(RunRequest({}, ("fair",))).startswith("v2.")


def test_an_address_of_0_1_means_what_it_meant() -> None:
    text = packed({"scenario": {"a": 1}, "schedulers": ["fair", "omo", "fifo+ramp-up", "nothing"]})
    read = url_state.read({"s": text})
    assert read.request == RunRequest(
        {"a": 1},
        (
            "fair(reservations=no, update_ms=0)+slowstart+admit-all",
            "omo(bandwidth=nominal)+admit-all",
            "fifo+ramp-up+admit-all",
            "nothing+slowstart+admit-all",
        ),
    )
    assert read.note == (
        phrase(
            "services.this_link_was_made_with",
            0.1,
            "fair(reservations=no, update_ms=0)+slowstart+admit-all",
            "omo(bandwidth=nominal)+admit-all",
        )
    )
    read = url_state.read({"s": packed({"scenario": {}, "schedulers": ["drf", "saf", "fresh", "haste"]})})
    assert (
        read.note.count(" meant ") == 3
        and phrase("services.saf_meant_and_haste_meant", "saf+slowstart+admit-all") + " " in read.note
    )
    assert url_state.read({"s": url_state.pack(RunRequest({}, ("fair",)))}).note == ""
    assert url_state.read({"s": packed({"scenario": {}, "schedulers": ["batch-finish", "fresh"]})}).note == ""


def test_an_address_that_is_nested_deeply_is_a_sentence() -> None:
    """Its 900 lists were read, and failed whoever walked through them."""
    text = '{"scenario":{"x_note":' + "[" * 900 + "]" * 900 + '},"schedulers":["fair"]}'
    packed = url_state.PREFIX + base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")
    with pytest.raises(StateError, match=phrase("services.was_cut_or_changed")):
        url_state.unpack(packed)
    assert url_state.read({"s": packed}).request is None
