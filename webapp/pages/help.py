"""Help: the documents as pages, with links from one to the next, their pictures, and notebooks as files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Any

from dash import Dash, get_relative_path, html
from flask import Response, abort
from markdown_it.tree import SyntaxTreeNode

from webapp.documents import Document, library, plain, slug, target
from webapp.messages import msg
from webapp.pages import not_found, parts
from webapp.panels.components import attributes

PATH = "help"
FILES = f"{PATH}/files"
TYPES = {".png": "image/png", ".ipynb": "application/x-ipynb+json"}
HAS_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # a link with a scheme
EXTERNAL = re.compile(r"https?://|mailto:", re.IGNORECASE)
ANCHOR = re.compile(r"""<a (?:id|name)=["']([\w.-]+)["']""")
ID_PREFIX = "doc-"  # before the name of a section: other components have such names too
HOUR_S = 3600
PAGES = (  # of this server, which the documents cannot link to
    ("/?tour=1", msg("pages.help.tour"), msg("pages.help.dashboard_in_six_steps")),
    ("/schedulers", "Schedulers", msg("pages.help.what_each_one_does_with_batch")),
    ("/papers", "Papers", msg("pages.help.experiments_five_papers_run_here")),
    ("/model", msg("shared.limits_model"), msg("pages.help.what_yarn_does_and_gantry_does")),
    (
        "/checked-against-hadoop",
        msg("shared.checked_against_hadoop"),
        msg("pages.help.how_many_decisions_hadoops"),
    ),
    ("/prediction", msg("shared.how_well_does_predict"), "how far simulated times are from measured ones"),
)


def has_document(name: str) -> bool:
    """Whether a document has this name."""
    return name in library().documents


def title(name: str = "", **_query: str) -> str:
    """The title of the window."""
    return parts.window_title(library().documents[name].title if has_document(name) else None)


def index(**_query: str) -> html.Main:
    """The first document, then the pages of this server."""
    document = library().documents[""]
    pages = [html.Li([parts.link(name, path), f": {about}."]) for path, name, about in PAGES]
    content = _children(document.tree, document)
    return parts.page([*content, html.H2(msg("pages.help.pages_server")), html.Ul(pages)], "help-page")


def layout(name: str = "", **_query: str) -> html.Main:
    """A document by its name."""
    if not name or not has_document(name):
        return not_found.layout()
    document = library().documents[name]
    path = [html.A("Help", href=address("")), html.Span(" / "), document.title]
    crumbs = parts.navigation(path, "crumbs", msg("shared.where"))
    heading, *rest = _children(document.tree, document)
    if document.path in library().files:
        name = posixpath.basename(document.path)
        link = html.A(msg("pages.help.download_notebook"), href=_file(document.path), download=name)
        rest = [html.P(link), *rest]
    return parts.page([crumbs, heading, *rest], "help-page")


def address(name: str, section: str = "") -> str:
    """Where a document is."""
    return get_relative_path(f"/{PATH}/{name}" if name else f"/{PATH}") + (
        f"#{ID_PREFIX}{section}" if section else ""
    )


def register(app: Dash) -> None:
    """The pictures and notebooks; all files are read now."""
    files = library().files

    @app.server.get(f"{app.config.routes_pathname_prefix}{FILES}/<path:path>")
    def help_file(path: str) -> Response:
        if path not in files:
            abort(404)
        headers = {"Cache-Control": f"public, max-age={HOUR_S}"}
        return Response(files[path], mimetype=TYPES[posixpath.splitext(path)[1]], headers=headers)


def _children(node: SyntaxTreeNode, document: Document) -> list[Any]:
    """The components of a node's children; a kind of node that is not listed below gives none."""
    rendered = [_render(child, document) for child in node.children]
    return [part for parts in rendered for part in (parts if isinstance(parts, list) else [parts])]


def _render(node: SyntaxTreeNode, document: Document) -> Any:
    if node.type in TAGS:
        return TAGS[node.type](_children(node, document))
    return OTHERS[node.type](node, document) if node.type in OTHERS else []


def _heading(node: SyntaxTreeNode, document: Document) -> Any:
    return getattr(html, node.tag.capitalize())(_children(node, document), id=ID_PREFIX + slug(plain(node)))


def _paragraph(node: SyntaxTreeNode, document: Document) -> Any:
    children = _children(node, document)
    return children if node.hidden else html.P(children)


def _list(node: SyntaxTreeNode, document: Document) -> Any:
    first = node.attrs.get("start")
    return html.Ol(_children(node, document), **attributes({"start": str(first)} if first else {}))


def _code(node: SyntaxTreeNode, document: Document) -> Any:
    label = "Code" if not node.info else msg("pages.help.code", info=node.info)
    return html.Pre(html.Code(node.content), tabIndex="0", role="region", **attributes({"aria-label": label}))


def _table(node: SyntaxTreeNode, document: Document) -> Any:
    heads = [plain(cell).strip() for cell in next(one for one in node.walk() if one.type == "tr").children]
    label = ", ".join(filter(None, heads)) or "Table"
    return parts.scrolling(html.Table(_children(node, document)), label)


def _link(node: SyntaxTreeNode, document: Document) -> Any:
    """A link to a document, a section or another site; any other file of the sources is named."""
    link, children = str(node.attrs.get("href", "")), _children(node, document)
    if HAS_SCHEME.match(link):
        return html.A(children, href=link) if EXTERNAL.match(link) else children
    path, section = target(document, link)
    if not path:
        return html.A(children, href=f"#{ID_PREFIX}{section}")
    if path in library().names:
        return html.A(children, href=address(library().names[path], section))
    return children if plain(node) == path else [*children, " (", html.Code(path), ")"]


def _picture(node: SyntaxTreeNode, document: Document) -> Any:
    path, _ = target(document, str(node.attrs.get("src", "")))
    if path not in library().files:
        return []
    return html.Img(src=_file(path), alt=node.content)


def _file(path: str) -> str:
    """Where a picture or notebook is."""
    return get_relative_path(f"/{FILES}/{path}")


def _anchor(node: SyntaxTreeNode, document: Document) -> Any:
    """HTML is left out, except for named anchors."""
    return [html.Span(id=ID_PREFIX + name) for name in ANCHOR.findall(node.content)]


TAGS: dict[str, Callable[[list[Any]], Any]] = {
    "inline": list,
    "strong": html.Strong,
    "em": html.Em,
    "bullet_list": html.Ul,
    "list_item": html.Li,
    "blockquote": html.Blockquote,
    "thead": html.Thead,
    "tbody": html.Tbody,
    "tr": html.Tr,
    "th": html.Th,
    "td": html.Td,
}
OTHERS: dict[str, Callable[[SyntaxTreeNode, Document], Any]] = {
    "text": lambda node, _: node.content,
    "softbreak": lambda _node, _document: " ",
    "hardbreak": lambda _node, _document: html.Br(),
    "code_inline": lambda node, _: html.Code(node.content),
    "hr": lambda _node, _document: html.Hr(),
    "heading": _heading,
    "paragraph": _paragraph,
    "ordered_list": _list,
    "fence": _code,
    "code_block": _code,
    "table": _table,
    "link": _link,
    "image": _picture,
    "html_block": _anchor,
    "html_inline": _anchor,
}
