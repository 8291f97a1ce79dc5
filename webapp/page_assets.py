"""What a page loads: Dash's libraries as one script, ours as another, one style sheet; what the first look
does without comes when it is first shown.

Dash would send every library and every file of ours by itself, some seventy files, and the tables' and the
charts' library before anything is seen.
"""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dash import Dash
from dash.fingerprint import check_fingerprint

from webapp.http import bundle
from webapp.messages import script_messages, tour_messages

ASSETS = Path(__file__).resolve().parent.parent / "assets"
OWN_ASSETS = r"\.(js|css)$"  # what Dash is to leave alone among the assets
SCRIPT_TAG = re.compile(r'<script src="[^"]*_dash-component-suites/([^/"]+)/([^"]+)"></script>\n?')
SOURCE_MAP = re.compile(rb"^//# sourceMappingURL=.*$", re.MULTILINE)  # they lie elsewhere
GRID = ("dash_ag_grid", "dash_ag_grid.min.js")  # assets/scripts/dash/libraries.ts asks for it
LATE_LIBRARIES = {GRID, ("dash", "dash_table/bundle.js")}  # no page has a table of Dash's
STATIC_ANSWERS = ("_dash-layout", "_dash-dependencies")  # the same for everyone as long as the server runs

# A library finds its parts beside the script that is running, so each is told where it would lie.
CURRENT_SCRIPT = (
    'Object.defineProperty(document, "currentScript", {{ configurable: true, value: {{ tagName: "SCRIPT", '
    "src: {src} }} }});\n"
)
CURRENT_SCRIPT_END = "delete document.currentScript;\n"


def start(app: Dash, first_paint: Callable[[], str]) -> None:
    """From now on the pages of `made` load few files. Call it within a request: before its first one Dash
    doesn't know what it will send. first_paint: HTML that lies over a page until it wakes up.
    """
    files = bundle.Bundle(app.server, app.config.routes_pathname_prefix)
    names = [(package, check_fingerprint(path)[0]) for package, path in SCRIPT_TAG.findall(app.index())]
    version = bundle.digest(b"".join(_library_bytes(*name) for name in names))
    late = {
        (package, path): files.add_late(version, f"{package}/{path}", partial(_library_bytes, package, path))
        for package, paths in app.registered_paths.items()
        for path in paths
        if path.endswith(".js")
    }
    at_once = (name for name in names if name not in LATE_LIBRARIES)
    joined = "".join(_with_current_script(late[name], _library_bytes(*name)) for name in at_once)
    joined += CURRENT_SCRIPT_END
    libraries = files.add("dash-renderer.js", joined)  # Dash looks for this name in the document
    [plotly] = (ASSETS / "vendor").glob("plotly-*.js")
    plotly_at = files.add_late(bundle.digest(plotly.read_bytes()), plotly.name, plotly.read_bytes)
    ours = files.add("gantry.js", _with_messages("gantry.js", script_messages()))
    tour = files.add("tour.js", _with_messages("tour.js", tour_messages()))
    tags = (
        f'<script src="{libraries}"></script>\n<script src="{ours}" data-grid="{late[GRID]}" '
        f'data-plotly="{plotly_at}" data-tour="{tour}"></script>\n'
    )
    style = f'<link rel="stylesheet" href="{files.add("gantry.css", bundle.join_styles(ASSETS))}">\n'
    style += "".join(
        f'<link rel="preload" as="fetch" crossorigin href="{app.config.requests_pathname_prefix}{name}">\n'
        for name in STATIC_ANSWERS
    )
    fill = app.interpolate_index

    def interpolated(*, css: str, scripts: str, app_entry: str, **parts: str) -> str:
        scripts = tags + SCRIPT_TAG.sub("", scripts)
        return fill(css=style + css, scripts=scripts, app_entry=f"{first_paint()}{app_entry}", **parts)

    # Dash means this method to be overridden
    app.interpolate_index = interpolated  # type: ignore[assignment, method-assign]
    for name in STATIC_ANSWERS:
        _serve_static_answer(app, name)


def _library_bytes(package: str, path: str) -> bytes:
    data = pkgutil.get_data(package, path)
    assert data is not None  # which it is only of a loader that reads no files
    return SOURCE_MAP.sub(b"", data)


def _with_messages(name: str, messages: dict[str, str]) -> str:
    """One of our scripts, after what it says."""
    return bundle.messages_script(messages) + (ASSETS / name).read_text("utf-8")


def _with_current_script(address: str, text: bytes) -> str:
    return CURRENT_SCRIPT.format(src=json.dumps(address)) + text.decode() + "\n;\n"


def _serve_static_answer(app: Dash, name: str) -> None:
    """An answer of Dash's that never changes is made and packed now."""
    endpoint = app.config.routes_pathname_prefix + name
    with app.server.test_request_context(endpoint):
        data = app.server.dispatch_request().get_data()
    app.server.view_functions[endpoint] = partial(bundle.BundleFile(lambda: data, ".json").answer, 0)
