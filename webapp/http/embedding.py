"""Pages of others that show ours in a frame: which may, and what our answers then say.

`?embed=1` asks for a page as it stands in a frame: without the head, the editor and what leaves the page.
Only that view may be framed, only by the sites that the owner names, and only of the pages that are made for
it.
"""

from __future__ import annotations

from flask import g, request
from werkzeug.datastructures import Headers
from werkzeug.wsgi import get_path_info

from webapp import settings

KEY = "embed"  # of an address
FRAMED = ("", "class", "exercises")  # first parts of the paths that others may frame
# what an answer to a browser says of frames, unless it may be framed by others
OWN_FRAMES = "frame-ancestors 'self'"


def is_embedded() -> bool:
    """Whether the present request is for a page as it stands in a frame."""
    return request.args.get(KEY) == "1"


def is_framable(path: str) -> bool:
    """Whether others may frame the page that the present request is for, at this path without its outer
    slashes; a path that was sent with an empty part is none of ours.
    """
    is_ours = path.partition("/")[0] in FRAMED and "//" not in get_path_info(request.environ)
    return is_ours and bool(settings.embed_origins())


def allow_frames(headers: Headers) -> None:
    """Changes the headers of an answer that the owner's sites may frame. X-Frame-Options goes, for it names
    no sites and would refuse all.
    """
    allowed = " ".join((OWN_FRAMES, *settings.embed_origins()))
    policy = headers["Content-Security-Policy"]
    headers["Content-Security-Policy"] = policy.replace(OWN_FRAMES, allowed)
    headers.pop("X-Frame-Options")
    g.is_framed = True


def needs_foreign_cookie() -> bool:
    """Whether the present answer goes by TLS into a frame of another site, which may show it: browsers then
    send back only a cookie that says SameSite=None and Secure, and keep it for that site alone by
    Partitioned.
    """
    return (
        g.get("is_framed", False)  # cookies are written after all else of an answer
        and request.is_secure
        and request.headers.get("Sec-Fetch-Dest") == "iframe"
        and request.headers.get("Sec-Fetch-Site") == "cross-site"
    )
