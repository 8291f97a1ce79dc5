"""The draft's jobs as other tools' files: a menu, and the address that writes one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dash import Dash, html

from engine.dashboard import WORKLOADS, Notes, TooLarge, container_count, workload_text
from webapp import settings
from webapp.messages import msg
from webapp.panels.editor.written_files import check_kind, choices, draft_scenario, register_writer

ADDRESS = "editor/write-workload"


def draft_file(kind: Any, scenario: Any) -> dict[str, Any]:
    """A draft's file for another tool: name, type, content and `lost`, what it can't hold, a sentence each;
    GantryError where it can't be written.
    """
    check_kind(kind, WORKLOADS)
    target, notes = WORKLOADS[kind], Notes()
    draft = draft_scenario(scenario, target.file)
    count, most = container_count(scenario), settings.max_containers()
    if count > most:
        raise TooLarge(
            msg("panels.workload_menu.too_many_containers", file=target.file, count=count, most=most)
        )
    return {
        "name": target.file,
        "type": target.media_type,
        "content": _text(target.file, workload_text(draft, kind, notes)),
        "lost": notes.sentences(),
    }


def _text(file: str, chunks: Iterable[str]) -> str:
    parts, size, most = [], 0, settings.max_file_bytes()
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size > most:
            raise TooLarge(msg("panels.workload_menu.cant_be_written_would_hold_more", file=file, most=most))
    return "".join(parts)


def menu() -> html.Details:
    """What can be written for other tools, with a sentence each."""
    return choices(
        "editor-workloads",
        msg("panels.workload_menu.write_for_others"),
        "data-workload",
        [(kind, one.file, one.about) for kind, one in WORKLOADS.items()],
        title=msg("panels.workload_menu.write_jobs_as_files_other_simulators"),
    )


def register(app: Dash) -> None:
    """The address that writes a file."""
    register_writer(app, ADDRESS, lambda sent: draft_file(sent.get("kind"), sent.get("scenario")))
