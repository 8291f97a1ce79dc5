"""Presets, files opened from the user's disk and files saved to it. What can't be opened is said in a
sentence and changes nothing.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import unicodedata
import zlib
from pathlib import PurePath
from typing import IO, Any

from dash import Dash, Input, Output, State, html, no_update
from flask import jsonify, request
from werkzeug.exceptions import RequestEntityTooLarge

from engine import FormatError, GantryError, Scenario, ScenarioError, presets, read
from engine.dashboard import (
    READABLE,
    Allocation,
    ImportedScenario,
    JobSettings,
    TooLarge,
    detect,
    read_configuration,
    read_files,
)
from webapp import settings
from webapp.http import json_bodies
from webapp.jobs import study_import
from webapp.messages import msg
from webapp.panels.editor import configuration as configurations
from webapp.panels.editor.check import LARGEST_EXACT
from webapp.panels.editor.written_files import choices

ADDRESS = "editor/open"
HEAD_BYTES = 65_536
HISTORIES = {"jhist", "job-conf", "spark", "spark-pools", "history", "archive"}
DEFAULT_ORDER = "fair"  # the scheduler of a cluster whose files don't name it
MAX_FILES = 20_000  # of one history
MAX_SHOWN_CHARS = 60  # characters of what is wrong
REQUIRED_LISTS = (("jobs",), ("queues",), ("cluster", "nodes"))


def opened(files: list[tuple[str, IO[bytes]]], draft: Any = None) -> dict[str, Any]:
    """A draft of one file, of a trace and its nodes file, of a cluster's configuration, or of its history:
    scenario, assumed, and scheduler where one is named.

    draft: the scenario that a configuration is put on where no other file is one. GantryError, one sentence,
    when there is none in the files.
    """
    if any(_file_kind(stream, name) in HISTORIES for name, stream in files):
        return _draft_of_history(files)
    of_cluster = [file for file in files if _file_kind(file[1]) in configurations.KINDS]
    other_files = [file for file in files if file not in of_cluster]
    if not of_cluster:
        return _draft_of_scenario(other_files)
    try:
        configuration = read_configuration([(name, _decompressed(stream)) for name, stream in of_cluster])
    except GantryError as error:
        raise FormatError(msg("panels.files.configuration_cant_be_opened", error=error)) from None
    base = {"scenario": draft, "assumed": []}
    if other_files:
        base = _draft_of_scenario(other_files, configuration.job_settings)
    try:
        result = configurations.apply_configuration(configuration, base["scenario"])
    except GantryError as error:
        raise FormatError(msg("panels.files.configuration_cant_be_opened", error=error)) from None
    return _check_size({**result, "assumed": [*base["assumed"], *result["assumed"]]})


def _draft_of_history(files: list[tuple[str, IO[bytes]]]) -> dict[str, Any]:
    """A draft of what a cluster's history says, with all that is given beside it; what was measured goes
    first, then the cluster's own scheduler.
    """
    title = _title(files[0][0]) if len(files) == 1 else msg("panels.files.files_cluster", files=len(files))
    try:
        imported = read_files(files, title=title, **_limits())
    except GantryError as error:
        raise FormatError(msg("panels.files.history_cant_be_opened", error=error)) from None
    schedulers = ["measured"] if imported.scenario.measured else []
    return _draft(imported, schedulers=[*schedulers, imported.scheduler or DEFAULT_ORDER])


def _draft(imported: ImportedScenario, **more: Any) -> dict[str, Any]:
    draft = {
        "scenario": imported.scenario.plain(),
        "assumed": list(map(configurations.draft_note, imported.notes)),
    }
    return _check_size(draft | more)


def _title(name: str) -> str:
    return PurePath(name).name.split(".")[0]


def _limits() -> dict[str, Any]:
    """Of what is read from a file of another tool."""
    return {"max_bytes": settings.max_text_bytes(), "max_tasks": settings.max_containers()}


def _file_kind(stream: IO[bytes], name: str = "") -> str | None:
    kind = detect(stream.read(HEAD_BYTES), name)
    stream.seek(0)
    return kind


def _draft_of_scenario(
    files: list[tuple[str, IO[bytes]]], job_settings: JobSettings | None = None
) -> dict[str, Any]:
    by_kind: dict[str, tuple[str, IO[bytes]]] = {}
    for name, stream in files:
        kind = _file_kind(stream)
        if kind is None:
            raise FormatError(msg("panels.files.not", name=name, readable=READABLE))
        if kind in by_kind:
            other = by_kind[kind][0]
            raise FormatError(msg("panels.files.and_same_kind_one_at_time", other=other, name=name))
        by_kind[kind] = (name, stream)
    nodes = by_kind.pop("nodes", None)
    if len(by_kind) != 1:
        names = ", ".join(name for name, _ in files)
        problem = (
            msg("panels.files.nodes_file_opened_together_with_trace")
            if nodes
            else msg("panels.files.one_scenario_or_trace_at_time")
        )
        raise FormatError(f"{names}: {problem}.")
    kind, (name, stream) = by_kind.popitem()
    try:
        if kind == "scenario":
            return _check_size(_scenario(stream))
        options = {"name": _title(name), "job_settings": job_settings, **_limits()}
        return _draft(read(kind, stream, nodes=nodes and nodes[1], **options))
    except GantryError as error:
        raise FormatError(msg("panels.files.cant_be_opened", name=name, error=error)) from None


def _check_size(draft: dict[str, Any]) -> dict[str, Any]:
    """The draft; TooLarge for one that the page could not send to be checked and run."""
    size, max_bytes = len(json.dumps(draft["scenario"])), settings.max_bytes()
    if size > max_bytes:
        raise TooLarge(msg("panels.files.its_scenario_takes_bytes_and_page", size=size, max_bytes=max_bytes))
    return draft


def _scenario(stream: IO[bytes]) -> dict[str, Any]:
    """A scenario file, faulty fields included: they are shown where they are; or a study's. FormatError when
    the tables can't hold it.
    """
    text = _decompressed(stream)
    try:
        data = json_bodies.loads(text, parse_int=_exact_int, parse_float=_finite_float, parse_constant=str)
    except ValueError:
        try:
            Scenario.read(text)
        except ScenarioError as error:
            raise FormatError(error.faults[0].message) from None
        raise
    if study_import.is_study(data):
        return study_import.import_study(data)
    assumptions = [] if "version" in data else [msg("panels.files.file_names_no_version_scenario_format")]
    data = {"version": 1, **data}
    if data["version"] != 1:
        version = str(data["version"])[:MAX_SHOWN_CHARS]
        raise FormatError(msg("panels.files.version_page_reads_version", version=version))
    for path in REQUIRED_LISTS:
        value: Any = data
        for key in path:
            value = value.get(key, [] if key == path[-1] else {}) if isinstance(value, dict) else None
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise FormatError(msg("panels.files.must_be_list_objects", path=".".join(path)))
    try:
        data = Scenario.of(data).plain()
    except ScenarioError:
        data = {**data, "cluster": {"nodes": [], **data.get("cluster", {})}, "jobs": data.get("jobs", [])}
    return {"scenario": data, "assumed": assumptions}


def _decompressed(stream: IO[bytes]) -> bytes:
    """The file, decompressed if need be, at most GANTRY_MAX_FILE_BYTES."""
    max_bytes = settings.max_file_bytes()
    is_gzip = stream.read(2) == b"\x1f\x8b"
    stream.seek(0)
    try:
        text = (gzip.GzipFile(fileobj=stream) if is_gzip else stream).read(max_bytes + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FormatError(msg("panels.files.gzip_file_damaged_or_truncated")) from None
    if len(text) > max_bytes:
        raise TooLarge(msg("panels.files.holds_more_than_bytes_text_limit", max_bytes=max_bytes))
    return text


def _exact_int(text: str) -> int | str:
    """What a browser could not keep exactly stays text and is said to be a fault."""
    return int(text) if len(text) < 18 and abs(int(text)) <= LARGEST_EXACT else text


def _finite_float(text: str) -> float | str:
    return float(text) if math.isfinite(float(text)) else text


def saved(scenario: Any) -> dict[str, str]:
    """A draft's scenario as a file, faults included: content and filename, as a dcc.Download takes them."""
    try:
        content = Scenario.of(scenario).json()
    except ScenarioError:
        content = json.dumps(scenario, indent=2, ensure_ascii=False) + "\n"
    title = str(scenario.get("name") or "") if isinstance(scenario, dict) else ""
    ascii_title = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9_.]+", "-", ascii_title)[:80].strip("-.")
    return {"content": content, "filename": f"{stem or 'scenario'}.json"}


def facts() -> list[dict]:
    """The presets and an empty scenario, which rounds as Hadoop does by default, as drafts by key; with
    schedulers where a preset names some, and beside it what it is compared with.
    """
    cluster = {"nodes": [], "allocation": Allocation().model_dump()}
    empty = {"version": 1, "cluster": cluster, "jobs": []}
    drafts: list[dict[str, Any]] = [
        {"key": preset.key, "title": preset.title, "scenario": preset.scenario.plain()}
        | ({"schedulers": list(preset.schedulers)} if preset.schedulers else {})
        | ({"beside": preset.beside} if preset.beside else {})
        for preset in presets()
    ]
    return [*drafts, {"key": "new", "title": msg("panels.files.empty_scenario"), "scenario": empty}]


def menu() -> html.Details:
    """Presets by title, with a sentence each."""
    entries = [(preset.key, preset.title, preset.about) for preset in presets()]
    return choices("editor-presets", "Presets", "data-preset", entries)


def _sent_draft() -> Any:
    """The scenario of the draft that came along with the files, None without one."""
    sent = request.files.get("draft")
    try:
        return json_bodies.loads(sent.stream.read()) if sent else None
    except ValueError:
        return None


def register(app: Dash) -> None:
    """Save, and the address the page's script sends files to. That answers 200 with a sentence when they
    can't be opened.
    """

    @app.callback(
        Output("editor-download", "data"),
        Input("editor-save", "n_clicks"),
        State("draft", "data"),
        prevent_initial_call=True,
    )
    def save(clicks: Any, draft: Any):
        return saved(draft.get("scenario")) if clicks and isinstance(draft, dict) else no_update

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def open_files() -> Any:
        max_bytes = settings.max_file_bytes()
        request.max_content_length = max_bytes
        request.max_form_parts = MAX_FILES
        try:
            sent = request.files.getlist("file")
            files = [(file.filename or msg("panels.files.file"), file.stream) for file in sent]
            return jsonify({"draft": opened(files, _sent_draft())})
        except RequestEntityTooLarge:
            return jsonify({"fault": msg("panels.files.files_hold_too_much", max_bytes=max_bytes)})
        except GantryError as error:
            return jsonify({"fault": str(error)})
