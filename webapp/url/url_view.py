"""What is looked at, as an address carries it: each part is read as untrusted input, and one that makes no
sense is left out with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

from webapp.figures.timeline import colouring
from webapp.messages import msg
from webapp.url.study_url import StudyView

MAX_MS = 10**14
N = TypeVar("N", int, float)
MAX_JOB_CHARS = 300  # of a job's name
MAX_PLACES = 32  # of schedulers, pinned ones too
MAX_CONTAINERS = 10**9
MIN_PX, MAX_PX = 40, 4_000  # of the drawer
OPTIMUM_ID = re.compile(r"[0-9a-f]{16}")  # its id
COLOURS = colouring.COLOURINGS  # the first is the default
TABS = ("why", "compare", "capacity", "difference", "replay", "whatif", "span", "nodes", "job", "more")
DOCKS = ("below", "right")  # the first is the default


class Decision(NamedTuple):
    """Which decision is open. place: of a scheduler among those shown; container: index into its run's
    containers, -1 where what waits at `waiting` ms is asked for.
    """

    place: int
    container: int
    waiting: int | None = None


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
    return _ends(query, ("x0", "x1"), _parse_time, msg("url.url_view.links_zoom_x_x_not_two"), complaints)


def edges(query: Mapping[str, Any], complaints: list[str]) -> dict[str, float] | None:
    """{y0, y1} in rows; None, and a complaint, if they are none."""
    return _ends(query, ("y0", "y1"), _parse_edge, msg("url.url_view.links_rows_y_y_not_two"), complaints)


def _ends(
    query: Mapping[str, Any],
    keys: tuple[str, str],
    parse: Callable[[str], N | None],
    complaint: str,
    complaints: list[str],
) -> dict[str, N] | None:
    """Two numbers by their keys, the first smaller."""
    first, last = (parse(text(query, key)) for key in keys)
    if first is not None and last is not None and first < last:
        return dict(zip(keys, (first, last)))
    if any(key in query for key in keys):
        complaints.append(complaint)
    return None


def _parse_time(raw: str) -> int | None:
    return int(raw) if re.fullmatch(r"-?\d{1,15}", raw) and -MAX_MS <= int(raw) <= MAX_MS else None


def _parse_edge(raw: str) -> float | None:
    return float(raw) if re.fullmatch(r"\d{1,9}(\.\d{1,3})?", raw) else None


class ExecutorsView(NamedTuple):
    """An application's curve over its executors; scheduler: its place among those shown."""

    scheduler: int
    job: str

    @classmethod
    def of(cls, text: str) -> ExecutorsView | None:
        """From an address, which may be anything, such as 0:etl; None for what is none."""
        place, _, job = text.partition(":")
        scheduler = _parse_integer(place, MAX_PLACES - 1)
        return None if scheduler is None or not 0 < len(job) <= MAX_JOB_CHARS else cls(scheduler, job)

    @property
    def text(self) -> str:
        """The same for an address."""
        return f"{self.scheduler}:{self.job}"


def read_view(query: Mapping[str, Any], complaints: list[str]) -> dict[str, Any]:
    """Colour, folded, time, span, decision, drawer, study, executors, optimum and present, as fields of a
    State.
    """

    def part(key: str, parse: Callable[[str], Any], must: str) -> Any:
        raw = text(query, key)
        parsed = parse(raw) if raw else None
        if raw and parsed is None:
            complaints.append(msg("url.url_view.links_must_be_opens_without", key=key, must=must))
        return parsed

    found = {field: part(*reading) for field, reading in PARTS.items()}
    tab = part("tab", _choice_parser(TABS), " or ".join(TABS))
    size = msg("url.url_view.closed_or_from_to_pixels", min_px=MIN_PX, max_px=MAX_PX)
    px = part("drawer", _parse_drawer, size)
    dock = part("dock", _choice_parser(DOCKS), " or ".join(DOCKS))
    drawer = Drawer(tab, px != "closed", dock or DOCKS[0], px if px != "closed" else None)
    found["drawer"] = None if drawer == Drawer() else drawer
    return {field: value for field, value in found.items() if value is not None}


def view_pairs(fields: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The same fields of a State as pairs of a query, in their order, defaults left out."""
    span, decision, drawer = fields["span"], fields["decision"], fields["drawer"] or Drawer()
    pairs = [
        ("colour", fields["colour"] if fields["colour"] != COLOURS[0] else None),
        ("folded", ",".join(map(str, fields["folded"])) or None),
        ("t", fields["time"]),
        ("span", f"{span['x0']}-{span['x1']}" if span else None),
        ("why", _decision_text(decision) if decision else None),
        ("tab", drawer.tab),
        ("drawer", drawer.size if drawer.open else "closed"),
        ("dock", drawer.dock if drawer.dock != DOCKS[0] else None),
        ("study", fields["study"].text if fields["study"] else None),
        ("executors", fields["executors"].text if fields["executors"] else None),
        ("optimum", fields["optimum"]),
        ("present", 1 if fields["present"] else None),
    ]
    return [(key, value) for key, value in pairs if value is not None]


def _choice_parser(choices: tuple[str, ...]) -> Callable[[str], str | None]:
    return lambda text_: text_ if text_ in choices else None


def _parse_integer(raw: str, maximum: int = MAX_MS) -> int | None:
    return int(raw) if re.fullmatch(r"[0-9]{1,15}", raw) and int(raw) <= maximum else None


def _parse_span(raw: str) -> dict[str, int] | None:
    begin, _, end = raw.partition("-")
    first, last = _parse_integer(begin), _parse_integer(end)
    return None if first is None or last is None or first >= last else {"x0": first, "x1": last}


def _parse_decision(raw: str) -> Decision | None:
    place, _, container = raw.partition(":")
    first = _parse_integer(place, MAX_PLACES - 1)
    if first is not None and container.startswith("t"):
        waiting = _parse_integer(container[1:])
        return None if waiting is None else Decision(first, -1, waiting)
    second = _parse_integer(container, MAX_CONTAINERS - 1)
    return None if first is None or second is None else Decision(first, second)


def _decision_text(decision: Decision) -> str:
    what = decision.container if decision.waiting is None else f"t{decision.waiting}"
    return f"{decision.place}:{what}"


def _parse_folded(raw: str) -> tuple[int, ...] | None:
    places = [_parse_integer(place, MAX_PLACES - 1) for place in raw.split(",")]
    known = {place for place in places if place is not None}
    return None if None in places else tuple(sorted(known))


def _parse_id(raw: str) -> str | None:
    return raw if OPTIMUM_ID.fullmatch(raw) else None


def _parse_drawer(raw: str) -> int | str | None:
    pixels = _parse_integer(raw, MAX_PX)
    return raw if raw == "closed" else pixels if pixels is not None and pixels >= MIN_PX else None


# by field: its key, how it is read, what it must be
PARTS: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "colour": ("colour", _choice_parser(COLOURS), " or ".join(COLOURS)),
    "folded": ("folded", _parse_folded, msg("url.url_view.places_schedulers_from_to", last=MAX_PLACES - 1)),
    "time": ("t", _parse_integer, msg("url.url_view.time_in_milliseconds")),
    "span": ("span", _parse_span, msg("url.url_view.two_times_in_milliseconds_first_smaller")),
    "decision": ("why", _parse_decision, msg("url.url_view.place_scheduler_and_number_container_such")),
    "study": ("study", StudyView.of, msg("url.url_view.seeds_jitter_values_metric_and_sliders")),
    "executors": ("executors", ExecutorsView.of, msg("url.url_view.place_scheduler_and_application")),
    "optimum": ("optimum", _parse_id, msg("shared.hexadecimal_digits")),
    "present": ("present", {"1": True}.get, "1"),
}
