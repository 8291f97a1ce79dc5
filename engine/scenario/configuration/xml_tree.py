"""Untrusted XML as a small tree with line numbers, and such a tree as text again: no document type, no
entities, nothing external, bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import escape, quoteattr

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from engine.errors import FormatError, TooLarge
from engine.messages import msg

MAX_BYTES = 16 * 2**20
MAX_ELEMENTS = 400_000
MAX_DEPTH = 110  # a queue's name has at most 100 parts
MAX_UNMODELLED_DEPTH = 12  # of what is not modelled, as JSON goes twice as deep
NAME = re.compile("[A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\xff][\\w.:\xb7\xc0-\xd6\xd8-\xf6\xf8-\xff-]*", re.ASCII)
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass
class Element:
    """An element with the line on which it begins; text is what stands in it before and between its
    children.
    """

    tag: str
    line: int = 0
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Element] = field(default_factory=list)

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


def parse_xml(name: str, data: bytes) -> Element:
    """The document's element. FormatError with file and line where it is not XML or holds what is refused,
    TooLarge where it is too much.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(
            msg("scenario.xml_tree.has_more_than_bytes_maximum_for", name=name, max_bytes=MAX_BYTES)
        )
    parser = DefusedExpatParser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    builder = _Builder(name, parser)
    parser.setContentHandler(builder)
    try:
        parser.feed(data)
        parser.close()
    except DefusedXmlException:
        line = parser.getLineNumber()
        raise FormatError(
            msg("scenario.xml_tree.line_document_type_or_entity_declared", name=name, line=line)
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


class _Builder(ContentHandler):
    def __init__(self, name: str, parser: DefusedExpatParser) -> None:
        super().__init__()
        self._checked_name, self._parser = name, parser
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
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
        else:
            self.root = element
        self._open.append(element)
        self._texts.append([])

    def characters(self, content: str) -> None:
        self._texts[-1].append(content)

    def endElement(self, name: str) -> None:
        self._open.pop().text = "".join(self._texts.pop())


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
