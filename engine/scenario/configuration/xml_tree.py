"""Untrusted XML as a small tree with line numbers, and such a tree as text again: no entities, nothing
external, bounded.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler, LexicalHandler, property_lexical_handler
from xml.sax.saxutils import escape, quoteattr

from defusedxml.common import DefusedXmlException, ExternalReferenceForbidden
from defusedxml.expatreader import DefusedExpatParser

from engine.errors import FormatError, TooLarge
from engine.messages import msg

MAX_BYTES = 16 * 2**20
MAX_ELEMENTS = 400_000
MAX_DEPTH = 110  # a queue's name has at most 100 parts
MAX_UNMODELLED_DEPTH = 12  # of what is not modelled, as JSON goes twice as deep
NAME = re.compile("[A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\xff][\\w.:\xb7\xc0-\xd6\xd8-\xf6\xf8-\xff-]*", re.ASCII)
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
VERSION = re.compile(rb"""\A<\?xml\s+version\s*=\s*["'](?!1\.[01]["'])""")
ALLOCATIONS = "allocations"  # the element of fair-scheduler.xml
ENCODING = re.compile(rb"""\A<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']""")
JAVA_ENCODINGS = {"windows-31j": "cp932", "x-windows-949": "cp949", "x-windows-950": "cp950"}
# which expat can't decode, as Python calls them
MULTI_BYTE = {
    "big5",
    "big5hkscs",
    "cp932",
    "cp949",
    "cp950",
    "euc_jp",
    "euc_kr",
    "gb18030",
    "gb2312",
    "gbk",
    "iso2022_jp",
    "iso2022_kr",
    "johab",
    "shift_jis",
}
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass
class Element:
    """An element with the line on which it begins; text is what stands in it before and between its
    children, leading what stands first in it, up to a child, an instruction or the edge of a CDATA section,
    None where nothing does (what AllocationFileQueueParser.getTrimmedTextData reads).
    """

    tag: str
    line: int = 0
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Element] = field(default_factory=list)
    leading: str | None = field(default=None, compare=False)

    def plain(self, depth: int = 0) -> Any:
        """It as JSON keeps it: text alone where there is nothing else. FormatError where it is nested too
        deeply.
        """
        if depth > MAX_UNMODELLED_DEPTH:
            raise FormatError(
                msg(
                    "scenario.xml_tree.line_nested_more_than_deep_in",
                    line=self.line,
                    tag=self.tag,
                    max_unmodelled_depth=MAX_UNMODELLED_DEPTH,
                )
            )
        if not self.attributes and not self.children:
            return self.text
        children = [[child.tag, child.plain(depth + 1)] for child in self.children]
        parts = {
            "attributes": self.attributes,
            "text": self.text if self.text.strip() else "",
            "elements": children,
        }
        return {key: part for key, part in parts.items() if part}


def element_from_plain(tag: str, plain: Any) -> Element:
    """The element that `plain` made; what is not of that form is left out, as anybody may edit a scenario."""
    if not isinstance(plain, dict):
        return Element(tag, text="" if plain is None else str(plain))
    pairs = plain.get("elements")
    children = [
        element_from_plain(str(pair[0]), pair[1])
        for pair in (pairs if isinstance(pairs, list) else ())
        if isinstance(pair, list) and len(pair) == 2
    ]
    attributes = plain.get("attributes")
    texts = (
        {str(key): str(value) for key, value in attributes.items()} if isinstance(attributes, dict) else {}
    )
    return Element(tag, attributes=texts, text=str(plain.get("text", "")), children=children)


def decoded(data: bytes) -> bytes | str:
    """As text where a multi-byte encoding is declared that Java decodes and expat does not, bytes that are
    none of its characters replaced, as in Java; else as it is.
    """
    if not (match := ENCODING.match(data)):
        return data
    name = match[1].decode().lower()
    try:
        codec = codecs.lookup(JAVA_ENCODINGS.get(name, name)).name
    except LookupError:
        return data
    return data.decode(codec, "replace") if codec in MULTI_BYTE else data


def parse_xml(name: str, data: bytes) -> Element:
    """The document's element. FormatError with file and line where it is not XML, holds what is refused or
    has a document type that Hadoop refuses; TooLarge where it is too much.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(
            msg("scenario.xml_tree.has_more_than_bytes_maximum_for", name=name, max_bytes=MAX_BYTES)
        )
    if VERSION.match(data):
        raise FormatError(msg("scenario.xml_tree.line_version", name=name))
    parser = _Parser()
    builder = _Builder(name, parser)
    parser.setContentHandler(builder)
    parser.setProperty(property_lexical_handler, builder)
    try:
        parser.feed(decoded(data))
        parser.close()
    except DefusedXmlException as error:
        line = parser.getLineNumber()
        raise FormatError(
            msg("scenario.xml_tree.line_external_document_type", name=name, line=line)
            if isinstance(error, ExternalReferenceForbidden)
            else msg("scenario.xml_tree.line_entity_declared", name=name, line=line)
        ) from None
    except SAXParseException as error:
        raise FormatError(
            msg(
                "scenario.xml_tree.line_not_xml",
                name=name,
                getlinenumber=error.getLineNumber(),
                getmessage=error.getMessage(),
            )
        ) from None
    except (SAXException, LookupError, ValueError) as error:
        raise FormatError(msg("scenario.xml_tree.not_xml", name=name, error=error)) from None
    return builder.root


class _Parser(DefusedExpatParser):
    """Reads a document type that declares no entity and stands in no other file; its line is kept."""

    document_type_line = 0

    def __init__(self) -> None:
        super().__init__(forbid_dtd=True, forbid_entities=True, forbid_external=True)

    def defused_start_doctype_decl(
        self, name: str, sysid: str | None, pubid: str | None, has_internal_subset: int
    ) -> None:
        if sysid or pubid:
            raise ExternalReferenceForbidden(name, None, sysid, pubid)
        self.document_type_line = self.getLineNumber()


class _Builder(ContentHandler, LexicalHandler):
    def __init__(self, name: str, parser: _Parser) -> None:
        super().__init__()
        self._checked_name, self._parser = name, parser
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._leading: list[list[str]] = []
        self._is_leading: list[bool] = []  # whether what comes next still belongs to it
        self._count = 0
        self.root: Element

    def startElement(self, name: str, attrs: Any) -> None:
        self._count += 1
        line = self._parser.getLineNumber()
        if self._count > MAX_ELEMENTS:
            raise TooLarge(
                msg(
                    "scenario.xml_tree.line_more_than_elements",
                    checked_name=self._checked_name,
                    line=line,
                    max_elements=MAX_ELEMENTS,
                )
            )
        if len(self._open) >= MAX_DEPTH:
            raise FormatError(
                msg(
                    "scenario.xml_tree.line_elements_nested_more_than_deep",
                    checked_name=self._checked_name,
                    line=line,
                    max_depth=MAX_DEPTH,
                )
            )
        element = Element(name, line, dict(attrs.items()))
        if self._open:
            self._open[-1].children.append(element)
            self._is_leading[-1] = False
        else:
            self._check_root(name, line)
            self.root = element
        self._open.append(element)
        self._texts.append([])
        self._leading.append([])
        self._is_leading.append(True)

    def _check_root(self, name: str, line: int) -> None:
        if name == "property":
            raise FormatError(
                msg("scenario.xml_tree.line_property_where_configuration", name=self._checked_name, line=line)
            )
        if name == ALLOCATIONS and self._parser.document_type_line:
            raise FormatError(
                msg(
                    "scenario.xml_tree.line_document_type_fairscheduler_refuses",
                    name=self._checked_name,
                    line=self._parser.document_type_line,
                )
            )

    def characters(self, content: str) -> None:
        self._texts[-1].append(content)
        if self._is_leading[-1]:
            self._leading[-1].append(content)

    def startCDATA(self) -> None:
        self._is_leading[-1] &= not self._leading[-1]

    def endCDATA(self) -> None:
        self._is_leading[-1] = False

    def processingInstruction(self, target: str, data: str) -> None:
        if self._open:
            self._is_leading[-1] = False

    def endElement(self, name: str) -> None:
        element, leading = self._open.pop(), self._leading.pop()
        element.text = "".join(self._texts.pop())
        element.leading = "".join(leading) if leading else None
        self._is_leading.pop()


def xml_text(root: Element) -> str:
    """The tree as a file, two spaces of indent, UTF-8. FormatError for a character that XML can't hold."""
    lines: list[str] = []
    _write(root, "", lines)
    text = DECLARATION + "\n".join(lines) + "\n"
    if invalid := NOT_XML.search(text):
        raise FormatError(msg("scenario.xml_tree.character_u_cant_be_written_in", ord=ord(invalid[0])))
    return text


def _write(element: Element, indent: str, lines: list[str]) -> None:
    attributes = "".join(
        f" {_checked_name(key)}={quoteattr(value)}" for key, value in element.attributes.items()
    )
    start = f"{indent}<{_checked_name(element.tag)}{attributes}"
    text = escape(element.text, {"\r": "&#13;"})
    if not element.children:
        lines.append(f"{start}>{text}</{element.tag}>" if text else f"{start}/>")
        return
    lines.append(start + ">" + (text.strip() and text))
    for child in element.children:
        _write(child, indent + "  ", lines)
    lines.append(f"{indent}</{element.tag}>")


def _checked_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise FormatError(msg("scenario.xml_tree.cant_be_name_element_in_xml", name=name[:60]))
    return name
