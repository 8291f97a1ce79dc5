"""Presets, files opened from the user's disk and files saved to it. What can't be opened is said in a sentence and changes nothing."""

from __future__ import annotations

import gzip
import io
import json
import math
import re
import unicodedata
import zlib
from pathlib import PurePath
from typing import Any, BinaryIO

from dash import Dash, Input, Output, State, html, no_update
from flask import jsonify, request
from werkzeug.exceptions import RequestEntityTooLarge

from engine import OPENED, FormatError, GantryError, Scenario, ScenarioError, TooLarge, detect, presets, read, read_together
from webapp import settings
from webapp.panels.editor import configuration as configurations
from webapp.panels.editor.check import LARGEST_EXACT
from webapp.panels.editor.tables import TABLES
from webapp.services import bodies, opened_studies

ADDRESS = "editor/open"
HEAD = 65_536
HISTORIES = {"jhist", "job-conf", "history", "archive"}
UNNAMED = "fair"  # the scheduler of a cluster whose files don't name it
MOST_FILES = 20_000  # of one history
MOST_SHOWN = 60  # characters of what is wrong
LISTS = (("jobs",), ("queues",), ("cluster", "nodes"))


def opened(files: list[tuple[str, BinaryIO]], draft: Any = None) -> dict[str, Any]:
    """A draft of one file, of a trace and its nodes file, of a cluster's configuration, or of its history: scenario, assumed, and scheduler where one is named.

    draft: the scenario that a configuration is put on where no other file is one. GantryError, one sentence, when there is none in the files.
    """
    if any(_kind(stream, name) in HISTORIES for name, stream in files):
        return _of_history(files)
    configuration = [file for file in files if _kind(file[1]) in configurations.FILES]
    others = [file for file in files if file not in configuration]
    if not configuration:
        return _opened(others)
    base = _opened(others) if others else {"scenario": draft, "assumed": []}
    try:
        made = configurations.put_on([(name, _unpacked(stream)) for name, stream in configuration], base["scenario"])
    except GantryError as error:
        raise FormatError(f"This configuration can't be opened: {error}.") from None
    return _sendable({**made, "assumed": [*base["assumed"], *made["assumed"]]})


def _of_history(files: list[tuple[str, BinaryIO]]) -> dict[str, Any]:
    """A draft of what a cluster's history says, with all that is given beside it; what was measured goes first, then the cluster's own scheduler."""
    title = PurePath(files[0][0]).name.split(".")[0] if len(files) == 1 else f"{len(files):,} files of a cluster"
    try:
        made = read_together(files, title=title, most_bytes=settings.most_text_bytes(), most_tasks=settings.most_containers())
    except GantryError as error:
        raise FormatError(f"This history can't be opened: {error}.") from None
    draft = {"scenario": made.scenario.plain(), "assumed": list(made.assumed)}
    schedulers = ["measured"] if made.scenario.measured else []
    return _sendable(draft | {"schedulers": [*schedulers, made.scheduler or UNNAMED]})


def _kind(stream: BinaryIO, name: str = "") -> str | None:
    found = detect(stream.read(HEAD), name)
    stream.seek(0)
    return found


def _unpacked(stream: BinaryIO) -> BinaryIO:
    return io.BytesIO(_text(stream))


def _opened(files: list[tuple[str, BinaryIO]]) -> dict[str, Any]:
    found: dict[str, tuple[str, BinaryIO]] = {}
    for name, stream in files:
        kind = _kind(stream)
        if kind is None:
            raise FormatError(f"{name} is not {OPENED}.")
        if kind in found:
            raise FormatError(f"{found[kind][0]} and {name} are of the same kind; one at a time can be opened.")
        found[kind] = (name, stream)
    nodes = found.pop("nodes", None)
    if len(found) != 1:
        names = ", ".join(name for name, _ in files)
        wanted = "a nodes file is opened together with the trace it belongs to" if nodes else "one scenario or trace at a time can be opened"
        raise FormatError(f"{names}: {wanted}.")
    kind, (name, stream) = found.popitem()
    try:
        if kind == "scenario":
            return _sendable(_scenario(stream))
        title, most = PurePath(name).name.split(".")[0], {"most_bytes": settings.most_text_bytes(), "most_tasks": settings.most_containers()}
        imported = read(kind, stream, nodes=nodes and nodes[1], name=title, **most)
        return _sendable({"scenario": imported.scenario.plain(), "assumed": list(imported.assumed)})
    except GantryError as error:
        raise FormatError(f"{name} can't be opened: {error}.") from None


def _sendable(draft: dict[str, Any]) -> dict[str, Any]:
    """The draft; TooLarge for one that the page could not send to be checked and run."""
    size, most = len(json.dumps(draft["scenario"])), settings.most_bytes()
    if size > most:
        raise TooLarge(f"its scenario takes {size:,} bytes, and this page sends at most {most:,} (its owner sets GANTRY_MAX_BYTES)")
    return draft


def _scenario(stream: BinaryIO) -> dict[str, Any]:
    """A scenario file, faulty fields included: they are shown where they are; or a study's. FormatError when the tables can't hold it."""
    text = _text(stream)
    try:
        data = bodies.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=str)
    except ValueError:
        try:
            Scenario.read(text)
        except ScenarioError as error:
            raise FormatError(error.faults[0].message) from None
        raise
    if opened_studies.is_study(data):
        return opened_studies.opened_study(data)
    assumed = [] if "version" in data else ["The file names no version of the scenario format: 1."]
    data = {"version": 1, **data}
    if data["version"] != 1:
        raise FormatError(f"it is of version {str(data['version'])[:MOST_SHOWN]}, this page reads version 1")
    for path in LISTS:
        value: Any = data
        for key in path:
            value = value.get(key, [] if key == path[-1] else {}) if isinstance(value, dict) else None
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise FormatError(f"{'.'.join(path)} must be a list of objects")
    try:
        data = Scenario.of(data).plain()
    except ScenarioError:
        data = {**data, "cluster": {"nodes": [], **data.get("cluster", {})}, "jobs": data.get("jobs", [])}
    return {"scenario": data, "assumed": assumed}


def _text(stream: BinaryIO) -> bytes:
    """The file, decompressed if need be, at most GANTRY_MAX_FILE_BYTES."""
    most = settings.most_file_bytes()
    packed = stream.read(2) == b"\x1f\x8b"
    stream.seek(0)
    try:
        text = (gzip.GzipFile(fileobj=stream) if packed else stream).read(most + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FormatError("the gzip file is broken or cut off") from None
    if len(text) > most:
        raise TooLarge(f"it holds more than {most:,} bytes of text, the limit here (its owner sets GANTRY_MAX_FILE_BYTES)")
    return text


def _whole(text: str) -> int | str:
    """What a browser could not keep exactly stays text and is said to be a fault."""
    return int(text) if len(text) < 18 and abs(int(text)) <= LARGEST_EXACT else text


def _finite(text: str) -> float | str:
    return float(text) if math.isfinite(float(text)) else text


def saved(scenario: Any) -> dict[str, str]:
    """A draft's scenario as a file, faults included: content and filename, as a dcc.Download takes them."""
    try:
        content = Scenario.of(scenario).json()
    except ScenarioError:
        content = json.dumps(scenario, indent=2, ensure_ascii=False) + "\n"
    title = str(scenario.get("name") or "") if isinstance(scenario, dict) else ""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return {"content": content, "filename": f"{re.sub(r'[^a-z0-9_.]+', '-', plain)[:80].strip('-.') or 'scenario'}.json"}


def facts() -> list[dict]:
    """The presets and an empty scenario, as drafts by key."""
    fresh = {table.path: table.fresh for table in TABLES}
    empty = {"version": 1, "cluster": {"nodes": [fresh["cluster.nodes"]]}, "jobs": [fresh["jobs"]]}
    made = [{"key": preset.key, "title": preset.title, "scenario": preset.scenario.plain()} for preset in presets()]
    return [*made, {"key": "new", "title": "an empty scenario", "scenario": empty}]


def menu() -> html.Details:
    """Presets by title, with a sentence each."""
    items = [_item(preset.key, preset.title, preset.about) for preset in presets()]
    items.append(_item("new", "New", "One node and one job, to start from."))
    return html.Details(
        [html.Summary("Presets", className="editor-button"), html.Div(items, className="editor-menu")], id="editor-presets", className="editor-choices"
    )


def _item(key: str, title: str, about: str) -> html.Button:
    return html.Button([html.Strong(title), html.Span(about)], type="button", **{"data-preset": key})


def _draft_sent() -> Any:
    """The scenario of the draft that came along with the files, None without one."""
    sent = request.files.get("draft")
    try:
        return bodies.loads(sent.stream.read()) if sent else None
    except ValueError:
        return None


def register(app: Dash) -> None:
    """Save, and the address the page's script sends files to. That answers 200 with a sentence when they can't be opened."""

    @app.callback(Output("editor-download", "data"), Input("editor-save", "n_clicks"), State("draft", "data"), prevent_initial_call=True)
    def save(clicks: Any, draft: Any):
        return saved(draft.get("scenario")) if clicks and isinstance(draft, dict) else no_update

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def open_files() -> Any:
        request.max_content_length = settings.most_file_bytes()
        request.max_form_parts = MOST_FILES
        try:
            return jsonify({"draft": opened([(file.filename or "The file", file.stream) for file in request.files.getlist("file")], _draft_sent())})
        except RequestEntityTooLarge:
            return jsonify({"fault": f"The files hold more than {settings.most_file_bytes():,} bytes, the limit here (its owner sets GANTRY_MAX_FILE_BYTES)."})
        except GantryError as error:
            return jsonify({"fault": str(error)})
