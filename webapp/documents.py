"""The documents, notebooks among them, and their pictures, read once when the server starts; no other file
can be asked for. A document is parsed when it is first shown: all of them at the start took a third of it.
"""

from __future__ import annotations

import json
import posixpath
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

ROOT = Path(__file__).resolve().parents[1]
# by path: what a name in the address begins with
FOLDERS = {"webapp/docs": "", "webapp/deployment": "deployment", "engine/docs": "engine"}
SUFFIXES = (".md", ".ipynb")
FILES = (".png", ".ipynb")  # given as they are
INDEXES = ("index", "README")  # a folder's own document


@dataclass(frozen=True)
class Document:
    """One file. name: in the address, "" is the index; path: within the sources; text: Markdown."""

    name: str
    path: str
    text: str

    @cached_property
    def tree(self) -> SyntaxTreeNode:
        """As Markdown has it."""
        return SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(self.text))

    @cached_property
    def title(self) -> str:
        """Its first heading, else its name."""
        return next((plain(node) for node in self.tree.children if node.type == "heading"), self.name)


class Library(NamedTuple):
    """All documents by name, their names by path, and the pictures and notebooks by path."""

    documents: dict[str, Document]
    names: dict[str, str]
    files: dict[str, bytes]


@cache
def library(root: Path = ROOT) -> Library:
    """Reads the files; afterwards the disk is not asked again."""
    documents: dict[str, Document] = {}
    files: dict[str, bytes] = {}
    for folder in FOLDERS:
        for path in sorted(file for suffix in SUFFIXES for file in (root / folder).rglob(f"*{suffix}")):
            document = _read(path, root)
            documents[document.name] = document
        for path in (file for suffix in FILES for file in (root / folder).rglob(f"*{suffix}")):
            files[path.relative_to(root).as_posix()] = path.read_bytes()
    return Library(documents, {document.path: document.name for document in documents.values()}, files)


def target(document: Document, link: str) -> tuple[str, str]:
    """The file of the sources that a link of this document means, "" for the document itself; and the
    section.
    """
    path, _, section = link.partition("#")
    folder = posixpath.dirname(document.path)
    return posixpath.normpath(posixpath.join(folder, path)) if path else "", section


def slug(heading: str) -> str:
    """The name of a section, as GitHub makes it of its heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def plain(node: SyntaxTreeNode) -> str:
    """The text of a node without its marks."""
    if node.type in ("text", "code_inline"):
        return node.content
    if node.type in ("softbreak", "hardbreak"):
        return " "
    return "".join(plain(child) for child in node.children)


def _read(path: Path, root: Path) -> Document:
    within = path.relative_to(root).as_posix()
    folder = next(folder for folder in FOLDERS if within.startswith(f"{folder}/"))
    parts = [FOLDERS[folder], *within.removeprefix(f"{folder}/").removesuffix(path.suffix).split("/")]
    if parts[-1] in INDEXES:
        parts.pop()
    name = "/".join(filter(None, parts))
    return Document(name, within, _markdown(path))


def _markdown(path: Path) -> str:
    """The text of a file; of a notebook its cells, code in fences."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        return text
    cells = ((cell["cell_type"], "".join(cell["source"])) for cell in json.loads(text)["cells"])
    return "\n\n".join(f"```python\n{source}\n```" if kind == "code" else source for kind, source in cells)
