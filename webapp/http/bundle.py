"""Files that a page loads, as few as can be, named by what is in them, so that a browser keeps them for
ever.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from flask import Flask, Response, abort, request

YEAR_S = 365 * 86_400
TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}


class BundleFile:
    """What one address answers: read() is asked for it once, at the first request."""

    def __init__(self, read: Callable[[], bytes], suffix: str) -> None:
        self._read = read
        self.type = TYPES[suffix]

    @cached_property
    def plain(self) -> bytes:
        return self._read()

    @cached_property
    def tag(self) -> str:
        return digest(self.plain)

    def answer(self, seconds: int) -> Response:
        """The answer to the present request, which the browser may keep so long; for 0 it asks each time
        whether it is still so.
        """
        response = Response(self.plain, mimetype=self.type)
        response.cache_control.public = True
        if seconds:
            response.cache_control.max_age, response.cache_control.immutable = seconds, True
        else:
            response.cache_control.no_cache = True
        response.set_etag(self.tag, weak=True)  # compressed or not
        response.make_conditional(request)
        return response


class Bundle:
    """The files of a server and their addresses, /bundle/VERSION/NAME."""

    def __init__(self, server: Flask, prefix: str) -> None:
        """prefix: the path the application is at, with slashes at both ends."""
        self._prefix = prefix
        self._files: dict[str, BundleFile] = {}
        server.add_url_rule(f"{prefix}bundle/<path:path>", "bundle", self._answer)

    def add(self, name: str, text: str) -> str:
        """The address of this text, named by what is in it."""
        data = text.encode()
        return self.add_late(digest(data), name, lambda: data)

    def add_late(self, version: str, name: str, read: Callable[[], bytes]) -> str:
        """The address of a file that not every page needs: it is read when it is first asked for."""
        self._files[f"{version}/{name}"] = BundleFile(read, Path(name).suffix)
        return f"{self._prefix}bundle/{version}/{name}"

    def _answer(self, path: str) -> Response:
        if path not in self._files:
            abort(404)
        return self._files[path].answer(YEAR_S)


def digest(data: bytes) -> str:
    """A name for these bytes, the same on every machine."""
    return hashlib.sha256(data).hexdigest()[:16]


def messages_script(messages: dict[str, str]) -> str:
    """A script that stands before another: what that says to people (assets/scripts/page/messages.ts)."""
    return f"Object.assign(window.gantryMessages ??= {{}}, {json.dumps(messages, ensure_ascii=False)});\n"


def join_styles(folder: Path) -> str:
    """The style sheets of a folder in the order of their names."""
    return "\n".join(f"/* {path.name} */\n{path.read_text('utf-8')}" for path in sorted(folder.glob("*.css")))
