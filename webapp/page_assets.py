"""What a page loads: Dash's libraries as one script, ours as another, one style sheet; what the first look does without comes when it is first shown.

Dash would send every library and every file of ours by itself, some seventy files, and the tables' and the charts' library before anything is seen.
"""

from __future__ import annotations

import json
import pkgutil
import re
from functools import partial
from pathlib import Path

from dash import Dash
from dash.fingerprint import check_fingerprint

from webapp.services import bundle

ASSETS = Path(__file__).resolve().parent.parent / "assets"
OURS = r"\.(js|css)$"  # what Dash is to leave alone among the assets
SCRIPT = re.compile(r'<script src="[^"]*_dash-component-suites/([^/"]+)/([^"]+)"></script>\n?')
MAP = re.compile(rb"^//# sourceMappingURL=.*$", re.MULTILINE)  # they lie elsewhere
GRID = ("dash_ag_grid", "dash_ag_grid.min.js")  # assets/late.js asks for it
LEFT_OUT = {GRID, ("dash", "dash_table/bundle.js")}  # no page has a table of Dash's
ANSWERS = ("_dash-layout", "_dash-dependencies")  # the same for everyone as long as the server runs

# A library finds its parts beside the script that is running, so each is told where it would lie.
RUNNING = 'Object.defineProperty(document, "currentScript", {{ configurable: true, value: {{ tagName: "SCRIPT", src: {src} }} }});\n'
RUNNING_NO_MORE = "delete document.currentScript;\n"


def start(made: Dash) -> None:
    """From now on the pages of `made` load few files. Call it within a request: before its first one Dash doesn't know what it will send."""
    files = bundle.Bundle(made.server, made.config.routes_pathname_prefix)
    found = [(package, check_fingerprint(path)[0]) for package, path in SCRIPT.findall(made.index())]
    version = bundle.digest(b"".join(_library(*name) for name in found))
    late = {
        (package, path): files.add_late(version, f"{package}/{path}", partial(_library, package, path))
        for package, paths in made.registered_paths.items()
        for path in paths
        if path.endswith(".js")
    }
    joined = "".join(_told(late[name], _library(*name)) for name in found if name not in LEFT_OUT) + RUNNING_NO_MORE
    libraries = files.add("dash-renderer.js", joined)  # Dash looks for this name in the document
    [plotly] = (ASSETS / "vendor").glob("plotly-*.js")
    plotly_at = files.add_late(bundle.digest(plotly.read_bytes()), plotly.name, plotly.read_bytes)
    ours = files.add("gantry.js", bundle.scripts(ASSETS))
    tags = f'<script src="{libraries}"></script>\n<script src="{ours}" data-grid="{late[GRID]}" data-plotly="{plotly_at}"></script>\n'
    style = f'<link rel="stylesheet" href="{files.add("gantry.css", bundle.styles(ASSETS))}">\n'
    style += "".join(f'<link rel="preload" as="fetch" crossorigin href="{made.config.requests_pathname_prefix}{name}">\n' for name in ANSWERS)
    fill = made.interpolate_index

    def interpolated(*, css: str, scripts: str, **parts: str) -> str:
        return fill(css=style + css, scripts=tags + SCRIPT.sub("", scripts), **parts)

    made.interpolate_index = interpolated
    for name in ANSWERS:
        _answer_once(made, name)


def _library(package: str, path: str) -> bytes:
    return MAP.sub(b"", pkgutil.get_data(package, path))


def _told(address: str, text: bytes) -> str:
    return RUNNING.format(src=json.dumps(address)) + text.decode() + "\n;\n"


def _answer_once(made: Dash, name: str) -> None:
    """An answer of Dash's that never changes is made and packed now."""
    endpoint = made.config.routes_pathname_prefix + name
    with made.server.test_request_context(endpoint):
        data = made.server.dispatch_request().get_data()
    made.server.view_functions[endpoint] = partial(bundle.File(lambda: data, ".json").answer, 0)
