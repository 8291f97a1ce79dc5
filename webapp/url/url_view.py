"""What is looked at, as an address carries it: each part is read as untrusted input, and one that makes no
sense is left out with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from webapp.figures.timeline import colouring
from webapp.messages import msg
from webapp.url.study_url import StudyView

MAX_MS = 10**14
MAX_PLACES = 32  # of schedulers, pinned ones too
MAX_CONTAINERS = 10**9
MIN_PX, MAX_PX = 40, 4_000  # of the drawer
OPTIMUM_ID = re.compile(r"[0-9a-f]{16}")  # its id
COLOURS = colouring.COLOURINGS  # the first is the default
TABS = ("why", "compare", "capacity", "difference", "replay", "whatif", "span", "nodes", "job", "more")
DOCKS = ("below", "right")  # the first is the default


class Decision(NamedTuple):
    """Which decision is open. place: of a scheduler among those shown; container: index into its run's
    containers.
    """

    place: int
    container: int


@dataclass(frozen=True)
class Drawer:
    """The drawer as a link asks for it. tab: one of TABS, None for the usual one; size: pixels, None for the
    usual ones and where it is closed.
    """

    tab: str | None = None
    open: bool = True
    dock: str = DOCKS[0]
    size: int | None = None

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def text(query: Mapping[str, Any], key: str) -> str:
    """A query's value; "" where it is missing or is there several times."""
    value = query.get(key)
    return value.strip() if isinstance(value, str) else ""


def window(query: Mapping[str, Any], complaints: list[str]) -> dict[str, int] | None:
    """{x0, x1} in ms; None, and a complaint, if they are none."""
    first, last = text(query, "x0"), text(query, "x1")
    if (
        re.fullmatch(r"-?\d{1,15}", first)
        and re.fullmatch(r"-?\d{1,15}", last)
        and -MAX_MS <= int(first) < int(last) <= MAX_MS
    ):
        return {"x0": int(first), "x1": int(last)}
    if "x0" in query or "x1" in query:
        complaints.append(msg("url.url_view.links_zoom_x_x_not_two"))
    return None


def edges(query: Mapping[str, Any], complaints: list[str]) -> dict[str, float] | None:
    """{y0, y1} in rows; None, and a complaint, if they are none."""
    first, last = text(query, "y0"), text(query, "y1")
    if all(re.fullmatch(r"\d{1,9}(\.\d{1,3})?", edge) for edge in (first, last)) and float(first) < float(
        last
    ):
        return {"y0": float(first), "y1": float(last)}
    if "y0" in query or "y1" in query:
        complaints.append(msg("url.url_view.links_rows_y_y_not_two"))
    return None


def read_view(query: Mapping[str, Any], complaints: list[str]) -> dict[str, Any]:
    """Colour, folded, time, span, decision, drawer, study, optimum and present, as fields of a State."""

    def part(key: str, parse: Callable[[str], Any], must: str) -> Any:
        raw = text(query, key)
        parsed = parse(raw) if raw else None
        if raw and parsed is None:
            complaints.append(msg("url.url_view.links_must_be_opens_without", key=key, must=must))
        return parsed

    fields = {
        "colour": part("colour", _choice_parser(COLOURS), " or ".join(COLOURS)),
        "folded": part(
            "folded",
            _parse_folded,
            msg("url.url_view.places_schedulers_from_to_such_as", max_places=MAX_PLACES - 1),
        ),
        "time": part(
            "t", lambda given: _parse_integer(given, MAX_MS), msg("url.url_view.time_in_milliseconds")
        ),
        "span": part("span", _parse_span, msg("url.url_view.two_times_in_milliseconds_first_smaller")),
        "decision": part(
            "why", _parse_decision, msg("url.url_view.place_scheduler_and_number_container_such")
        ),
        "study": part("study", StudyView.of, msg("url.url_view.seeds_jitter_values_metric_and_sliders")),
        "optimum": part(
            "optimum",
            lambda given: given if OPTIMUM_ID.fullmatch(given) else None,
            msg("shared.hexadecimal_digits"),
        ),
        "present": part("present", lambda given: True if given == "1" else None, "1"),
    }
    tab = part("tab", _choice_parser(TABS), " or ".join(TABS))
    drawer = part(
        "drawer",
        _parse_drawer,
        msg("url.url_view.closed_or_from_to_pixels", min_px=MIN_PX, max_px=MAX_PX),
    )
    dock = part("dock", _choice_parser(DOCKS), " or ".join(DOCKS))
    drawer_state = Drawer(tab, drawer != "closed", dock or DOCKS[0], drawer if drawer != "closed" else None)
    return {key: value for key, value in fields.items() if value is not None} | (
        {} if drawer_state == Drawer() else {"drawer": drawer_state}
    )


def view_pairs(fields: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The same fields of a State as pairs of a query, in their order, defaults left out."""
    span, decision, drawer = fields["span"], fields["decision"], fields["drawer"] or Drawer()
    pairs = [
        ("colour", fields["colour"] if fields["colour"] != COLOURS[0] else None),
        ("folded", ",".join(map(str, fields["folded"])) or None),
        ("t", fields["time"]),
        ("span", f"{span['x0']}-{span['x1']}" if span else None),
        ("why", f"{decision.place}:{decision.container}" if decision else None),
        ("tab", drawer.tab),
        ("drawer", drawer.size if drawer.open else "closed"),
        ("dock", drawer.dock if drawer.dock != DOCKS[0] else None),
        ("study", fields["study"].text if fields["study"] else None),
        ("optimum", fields["optimum"]),
        ("present", 1 if fields["present"] else None),
    ]
    return [(key, value) for key, value in pairs if value is not None]


def _choice_parser(choices: tuple[str, ...]) -> Callable[[str], str | None]:
    return lambda text_: text_ if text_ in choices else None


def _parse_integer(raw: str, maximum: int) -> int | None:
    return int(raw) if re.fullmatch(r"[0-9]{1,15}", raw) and int(raw) <= maximum else None


def _parse_pair(raw: str, separator: str, maxima: tuple[int, int]) -> tuple[int, int] | None:
    first, found_separator, last = raw.partition(separator)
    low, high = _parse_integer(first, maxima[0]), _parse_integer(last, maxima[1])
    return None if not found_separator or low is None or high is None else (low, high)


def _parse_span(raw: str) -> dict[str, int] | None:
    pair = _parse_pair(raw, "-", (MAX_MS, MAX_MS))
    return {"x0": pair[0], "x1": pair[1]} if pair and pair[0] < pair[1] else None


def _parse_decision(raw: str) -> Decision | None:
    pair = _parse_pair(raw, ":", (MAX_PLACES - 1, MAX_CONTAINERS - 1))
    return Decision(*pair) if pair else None


def _parse_folded(raw: str) -> tuple[int, ...] | None:
    places = [_parse_integer(place, MAX_PLACES - 1) for place in raw.split(",")]
    known = {place for place in places if place is not None}
    return None if None in places else tuple(sorted(known))


def _parse_drawer(raw: str) -> int | str | None:
    pixels = _parse_integer(raw, MAX_PX)
    return raw if raw == "closed" else pixels if pixels is not None and pixels >= MIN_PX else None
