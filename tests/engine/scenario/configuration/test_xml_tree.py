"""XML of strangers: what is refused, in one sentence with the line, and what comes back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError, TooLarge
from engine.scenario.configuration import xml_tree
from engine.scenario.configuration.xml_tree import Element, of_plain, parsed, text_of

LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha">' + "".join(f'<!ENTITY {b} "&{a};&{a};&{a};&{a};">' for a, b in zip("abcdefghi", "bcdefghij")) + "]>"
REFUSED = {
    "billion laughs": LAUGHS + "<allocations>&j;</allocations>",
    "external entity": '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/hostname">]><allocations>&a;</allocations>',
    "external document type": '<!DOCTYPE l SYSTEM "http://localhost:1/a.dtd"><allocations/>',
    "parameter entity": '<!DOCTYPE l [<!ENTITY % a SYSTEM "file:///etc/hostname">%a;]><allocations/>',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_document_types_and_entities_are_refused(text: str) -> None:
    with pytest.raises(FormatError, match="^a.xml, line 1: a document type or an entity is declared"):
        parsed("a.xml", text.encode())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<allocations>\n<queue>\n</allocations>", "^a.xml, line 3: not XML: mismatched tag"),
        (b"<allocations>\n&nothing;</allocations>", "^a.xml, line 2: not XML: undefined entity"),
        (b"", "^a.xml, line 1: not XML: no element found"),
        (b"\n\n<a", "^a.xml, line 3: not XML: unclosed token"),
        (b"<a>\xff</a>", "^a.xml, line 1: not XML: not well-formed"),
        (b'<?xml version="1.0" encoding="nothing"?><a/>', "|".join(("^a.xml, line 1: not XML: unknown encoding", "^a.xml: not XML that can be read"))),
        (b"<a>" * 111 + b"</a>" * 111, "^a.xml, line 1: elements are nested more than 110 deep"),
    ],
)
def test_what_is_no_xml(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parsed("a.xml", data)


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_tree, "MOST_ELEMENTS", 50)
    with pytest.raises(TooLarge, match="^a.xml, line 2: more than 50 elements$"):
        parsed("a.xml", b"<a>\n" + b"<b/>" * 50 + b"</a>")
    monkeypatch.setattr(xml_tree, "MOST_BYTES", 10)
    with pytest.raises(TooLarge, match="^a.xml holds more than 10 bytes"):
        parsed("a.xml", b"<allocations/>")


def test_lines_are_known_in_any_encoding() -> None:
    root = parsed("a.xml", '<?xml version="1.0" encoding="UTF-16"?>\n<a>\n <b c="1">\xe4</b></a>'.encode("utf-16"))
    assert (root.line, root.children) == (2, [Element("b", 3, {"c": "1"}, "\xe4")])


names = st.from_regex(r"[a-z][\w.-]{0,9}", fullmatch=True, alphabet=st.characters(max_codepoint=126))
texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff", include_characters="\n\t\r<&>\"']"), max_size=20
)
trees = st.recursive(
    st.builds(Element, names, attributes=st.dictionaries(names, texts, max_size=2), text=texts),
    lambda inner: st.builds(Element, names, attributes=st.dictionaries(names, texts, max_size=2), children=st.lists(inner, max_size=3)),
    max_leaves=8,
)


@given(trees)
def test_a_tree_comes_back(tree: Element) -> None:
    text = text_of(tree)
    again = parsed("a.xml", text.encode())
    assert again.plain() == tree.plain()
    assert of_plain(tree.tag, again.plain()).plain() == tree.plain()
    assert text_of(again) == text


@given(st.binary(max_size=80))
def test_any_bytes(data: bytes) -> None:
    for head in (b"", b"<a>", b'<?xml version="1.0"?><a b="'):
        try:
            parsed("a.xml", head + data)
        except FormatError as error:
            assert str(error).startswith("a.xml") and "\n" not in str(error)


def test_what_xml_can_not_hold() -> None:
    with pytest.raises(FormatError, match=r"^the character U\+0001 can't be written in XML$"):
        text_of(Element("a", text="\x01"))
    with pytest.raises(FormatError, match="^'a b' can't be the name of an element in XML$"):
        text_of(Element("a b"))
