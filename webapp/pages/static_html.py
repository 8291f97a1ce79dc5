"""Dash's HTML components as HTML, for what is painted before any script has run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.report.html import Markup, tag, text

HTML = "dash_html_components"
NAMES = {"className": "class", "htmlFor": "for", "tabIndex": "tabindex", "srcSet": "srcset"}
LEFT_OUT = frozenset({"children", "id", "n_clicks", "disable_n_clicks", "style"})
VOID = frozenset({"Img", "Br", "Hr"})


def static_html(node: Any, contents: Mapping[str, Any]) -> Markup:
    """A component as JSON values; nothing of other libraries. contents: what stands in the elements with
    these ids, which are left out, for the page has the same once more.
    """
    if node is None:
        return Markup()
    if isinstance(node, list):
        return Markup("".join(static_html(one, contents) for one in node))
    if not isinstance(node, dict):
        return text(node)
    if node["namespace"] != HTML:
        return Markup()
    props = node["props"]
    marks = {NAMES.get(key, key): _value(value) for key, value in props.items() if key not in LEFT_OUT}
    marks["href"] = marks.get("href") or None  # a link that a script is yet to fill leads nowhere
    id = str(props.get("id", ""))
    if id in contents:
        marks["hidden"] = None
    inner = contents[id] if id in contents else static_html(props.get("children"), contents)
    if node["type"] in VOID:
        return Markup(str(tag(node["type"].lower(), **marks)).partition("></")[0] + ">")
    return tag(node["type"].lower(), inner, data_of=id or None, **marks)


def _value(value: Any) -> str | None:
    """As an attribute; None of one that is off."""
    if value is None or value is False:
        return None
    return "" if value is True else str(value)
