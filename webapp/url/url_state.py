"""The state of the page that an address carries, read as untrusted input.

The result: ?r=<id of a stored link>, or ?preset=<key>&s=<scheduler>&s=<scheduler>…, or ?s=v2.<scenario and
schedulers in the address alone>; pin, the id of a link whose result is shown beside it. What is looked at:
x0, x1 (ms) and y0, y1 (edges of rows); one of job, user, queue, node, rack, phase (highlighted); rows, sort,
find (how the charts' rows are arranged); colour; folded (places of schedulers); t (ms, where Play stands);
span=<ms>-<ms> (selected); why=<place>:<container> (the open decision); tab, drawer (closed, or pixels) and
dock of the drawer; study (study_url.py); executors (place:application, whose curve is shown); optimum (the id
of one that was found, optima.py); present; claim ("paper/experiment", whose claim is asked over the charts).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from engine import FormatError, GantryError, Scenario, ScenarioError, SchedulerError, parse, presets
from engine.dashboard import TooLarge, expand_0_1
from webapp.figures.highlight import HIGHLIGHTED, Selection
from webapp.http import json_bodies
from webapp.messages import msg
from webapp.url import url_view
from webapp.url.links import Link
from webapp.url.study_url import StudyView
from webapp.url.url_view import Decision, Drawer, ExecutorsView

MAX_ADDRESS = 2_000  # characters; longer addresses break in mail and chat
MAX_INLINE = 200_000  # bytes after unpacking
MAX_SCHEDULERS = 16
MAX_FILTER_CHARS = 100  # characters of a filter
ROWS = {"by": "rows", "sort": "sort", "find": "find"}  # how rows are arranged, by its key in an address
RESULT_KEYS = ("r", "preset", "s", "pin")  # keys that say which result is shown
PREFIX_0_1, PREFIX = "v1.", "v2."  # 0.1's addresses, whose bare names are not today's, and ours
LINK_ID = re.compile(r"[0-9a-f]{16}")


class StateError(GantryError):
    """An address that holds nothing Gantry can open."""


@dataclass(frozen=True)
class RunRequest:
    """What a Run is asked for: a scenario's JSON values as the user has them, and schedulers by name."""

    scenario: dict
    schedulers: tuple[str, ...]

    @classmethod
    def of(cls, data: Any) -> RunRequest:
        """From a draft or an unpacked address; StateError when it is not even of that shape."""
        if not isinstance(data, Mapping) or not isinstance(data.get("scenario"), dict):
            raise StateError(msg("url.url_state.contains_no_scenario"))
        names = data.get("schedulers")
        is_name = lambda name: isinstance(name, str) and len(name) <= 300
        if not isinstance(names, (list, tuple)) or not all(map(is_name, names)):
            raise StateError(msg("url.url_state.its_schedulers_not_list_names"))
        if len(names) > MAX_SCHEDULERS:
            counts = {"names": len(names), "most": MAX_SCHEDULERS}
            raise StateError(msg("url.url_state.names_schedulers_at_most_run_at", **counts))
        return cls(data["scenario"], tuple(dict.fromkeys(names)))

    def plain(self) -> dict:
        """As JSON values."""
        return {"scenario": self.scenario, "schedulers": list(self.schedulers)}


@dataclass(frozen=True)
class UrlState:
    """An address, read: at most one of link and request; complaints are sentences for the page; note: what
    its names meant, if they meant something else.

    preset: the key of the request's scenario if it is named so; pinned: a link's id; viewport: {x0, x1} in ms
    and {y0, y1} in rows, either or both; highlight: a selection; rows: {by, sort, find}; colour: one of
    COLOURS; folded: places of schedulers; time, span {x0, x1}: ms; decision: the one that is open;
    drawer: None leaves it as it is by itself; study: of the tab What if; executors: of the tab Job; optimum:
    the id of one that was found; present: for a class.
    """

    link: str | None = None
    request: RunRequest | None = None
    preset: str | None = None
    pinned: str | None = None
    viewport: dict[str, float] | None = None
    highlight: str | None = None
    rows: dict[str, str] | None = None
    colour: str = url_view.COLOURS[0]
    folded: tuple[int, ...] = ()
    time: int | None = None
    span: dict[str, int] | None = None
    decision: Decision | None = None
    drawer: Drawer | None = None
    study: StudyView | None = None
    executors: ExecutorsView | None = None
    optimum: str | None = None
    present: bool = False
    note: str = ""
    complaints: list[str] = field(default_factory=list)

    def start(self) -> dict[str, Any]:
        """What is looked at, as the JSON values that the page starts with."""
        seen = self.viewport or {}
        return {
            "window": {key: seen[key] for key in ("x0", "x1")} if "x0" in seen else None,
            "rows": {key: seen[key] for key in ("y0", "y1")} if "y0" in seen else None,
            "highlight": self.highlight,
            "arranged": self.rows,
            "colour": self.colour,
            "folded": list(self.folded),
            "time": self.time,
            "span": self.span,
            "decision": self.decision and self.decision._asdict(),
            "drawer": self.drawer and self.drawer.plain(),
            "study": self.study and self.study.plain(),
            "executors": self.executors and self.executors._asdict(),
            "optimum": self.optimum,
            "present": self.present,
        }


def read(query: Mapping[str, Any]) -> UrlState:
    """The state in a query; what is broken in it becomes a complaint, never an exception."""
    complaints: list[str] = []
    result_fields = _read_result(query, complaints)
    window, edges = url_view.window(query, complaints), url_view.edges(query, complaints)
    selections = (Selection.of(f"{kind}:{url_view.text(query, kind)}") for kind in HIGHLIGHTED)
    chosen = next(filter(None, selections), None)
    filters = {key: url_view.text(query, name)[:MAX_FILTER_CHARS].strip() for key, name in ROWS.items()}
    arranged = {key: text for key, text in filters.items() if text}
    return UrlState(
        **result_fields,
        viewport=(window or {}) | (edges or {}) or None,
        highlight=chosen.text if chosen else None,
        rows=arranged or None,
        **url_view.read_view(query, complaints),
        complaints=complaints,
    )


def _read_result(query: Mapping[str, Any], complaints: list[str]) -> dict[str, Any]:
    """Which result is asked for, as fields of a State."""
    fields: dict[str, Any] = {}
    if text := url_view.text(query, "r"):
        fields["link"] = text if LINK_ID.fullmatch(text) else None
        if not fields["link"]:
            complaints.append(msg("url.url_state.link_broken_its_id_must_be"))
    else:
        try:
            if key := url_view.text(query, "preset"):
                fields |= {"request": _preset_request(key, query.get("s")), "preset": key}
            elif text := url_view.text(query, "s"):
                request, note = unpack(text), ""
                if text.startswith(PREFIX_0_1):
                    request, note = translate_0_1(request)
                fields |= {"request": canonical_request(request), "note": note}
        except StateError as error:
            complaints.append(msg("url.url_state.link_broken_your_own_draft_shown", error=error))
    pinned = url_view.text(query, "pin")
    if pinned and not LINK_ID.fullmatch(pinned):
        complaints.append(msg("url.url_state.what_link_has_pinned_pin_must"))
    elif pinned:
        fields["pinned"] = pinned
    return fields


def _preset_request(key: str, names: Any) -> RunRequest:
    preset = next((preset for preset in presets() if preset.key == key), None)
    if preset is None:
        raise StateError(msg("url.url_state.there_no_preset", key=key[:MAX_FILTER_CHARS]))
    names = [names] if isinstance(names, str) and names else names
    if not names:
        raise StateError(msg("url.url_state.names_preset_but_no_scheduler_s"))
    return RunRequest.of({"scenario": preset.scenario.plain(), "schedulers": names})


def canonical_request(request: RunRequest) -> RunRequest:
    """The same with the scenario as the page writes it, what is the default left out; a faulty one as it is,
    for its faults are shown where they are.
    """
    try:
        return replace(request, scenario=Scenario.of(request.scenario).plain())
    except ScenarioError:
        return request


def request_of_link(link: Link) -> tuple[RunRequest, str]:
    """What a link asks for, and what its names meant where that is something else today."""
    request = canonical_request(RunRequest(link.scenario, link.schedulers))
    return translate_0_1(request) if link.is_from_0_1 else (request, "")


def find_preset_key(request: RunRequest) -> str | None:
    """The key of the preset whose scenario is asked for."""
    for preset in presets():
        if preset.title == request.scenario.get("name") and preset.scenario.plain() == request.scenario:
            return preset.key
    return None


def result_query(request: RunRequest, link: str | None = None) -> str:
    """The part of an address that brings a result back, without its ?: its stored link, else a preset, else
    the scenario itself; "" where it is too large.

    request: as `canonical_request` has it. What has no address is kept by the browser's own storage alone,
    until it is shared.
    """
    result = address(link=link) if link else address(request=request, preset=find_preset_key(request))
    return (result or "").removeprefix("?")


def address(state: UrlState | None = None, **changes: Any) -> str | None:
    """The query of a state with these fields changed, with its ?, defaults left out, in a fixed order; None
    where the scenario is too large for an address.
    """
    state = replace(state or UrlState(), **changes)
    query: list[tuple[str, Any]] = []
    if state.link:
        query.append(("r", state.link))
    elif state.request and state.preset:
        query += [("preset", state.preset), *(("s", name) for name in state.request.schedulers)]
    elif state.request:
        query.append(("s", pack(state.request)))
    if state.pinned:
        query.append(("pin", state.pinned))
    viewport = state.viewport or {}
    query += [(key, f"{viewport[key]:.15g}") for key in ("x0", "x1", "y0", "y1") if key in viewport]
    if chosen := Selection.of(state.highlight):
        query.append((chosen.kind, chosen.name))
    query += [(name, state.rows[key]) for key, name in ROWS.items() if state.rows and key in state.rows]
    query += url_view.view_pairs(vars(state))
    text = "?" + urlencode(query)
    return text if len(text) <= MAX_ADDRESS else None


def parse_view(data: Any) -> UrlState:
    """What is looked at, from what the page says of it: an object with an address's keys, its values text,
    numbers or lists. What is broken is left out.
    """
    view = data if isinstance(data, Mapping) else {}
    query = {key: _value_text(value) for key, value in view.items() if key not in RESULT_KEYS}
    return replace(read(query), complaints=[])


def _value_text(value: Any) -> str | None:
    """A value of JSON as an address has it."""
    if isinstance(value, (list, tuple)):
        return ",".join(filter(None, map(_value_text, value)))
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if isinstance(value, bool):
        return "1" if value else None
    return str(value) if isinstance(value, (str, int)) else None


def decision_fault(decision: Decision, containers: Sequence[int]) -> str:
    """Why a link's open decision is not in its result, in a sentence; "" if it is. containers: how many each
    shown scheduler placed.
    """
    kind, at, count = "scheduler", decision.place, len(containers)
    if at < count:
        kind, at, count = "container", decision.container, containers[decision.place]
    if at < count:
        return ""
    must = msg("url.url_state.run_without_any")
    if count:
        must = msg("url.url_state.must_be_from_to", count=count - 1)
    return msg("url.url_state.links_open_decision_why_opens_without", kind=kind, at=at, must=must)


def pack(request: RunRequest) -> str:
    """Scenario and schedulers as v2.<base64url of zlib of JSON>."""
    text = json.dumps(request.plain(), separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return PREFIX + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(text: str) -> RunRequest:
    """What `pack` made, here or in 0.1; StateError for anything else."""
    body = text[len(PREFIX) :]
    if not text.startswith((PREFIX_0_1, PREFIX)) or not body:
        prefixes = {"prefix_0_1": PREFIX_0_1, "prefix": PREFIX}
        raise StateError(msg("url.url_state.must_begin_with_or_and_was", **prefixes))
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(raw, MAX_INLINE)
        if not unpacker.eof:
            raise StateError(msg("url.url_state.was_cut_or_too_large_for"))
        data = json_bodies.loads(plain)
    except (binascii.Error, zlib.error, ValueError, TooLarge, FormatError):
        raise StateError(msg("url.url_state.incomplete_or_was_changed")) from None
    return RunRequest.of(data)


def translate_0_1(request: RunRequest) -> tuple[RunRequest, str]:
    """What was asked for in Gantry 0.1, its names written as they were meant there, and a sentence where they
    mean something else today.
    """
    meant = {name: expand_0_1(name) for name in request.schedulers}
    changed = [
        msg("url.url_state.meant", name=name, full=full)
        for name, full in meant.items()
        if _means_something_else(name, full)
    ]
    if not changed:
        return request, ""
    changes = " and ".join([", ".join(changed[:-1]), changed[-1]] if len(changed) > 1 else changed)
    translated = RunRequest(request.scenario, tuple(dict.fromkeys(meant.values())))
    return translated, msg("url.url_state.link_was_made_with_gantry_where", changes=changes)


def _means_something_else(name: str, full: str) -> bool:
    try:
        return parse(name) != parse(full)
    except SchedulerError:  # which is said where it is run
        return False
