"""Untrusted XML: what is refused, in one sentence with the line, and what comes back as it was."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError, TooLarge
from engine.scenario.configuration import xml_tree
from engine.scenario.configuration.xml_tree import Element, element_from_plain, parse_xml, xml_text
from tests.phrases import phrase

LAUGHS = (
    '<!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "&{a};&{a};&{a};&{a};">' for a, b in zip("abcdefghi", "bcdefghij"))
    + "]>"
)
REFUSED = {
    "billion laughs": LAUGHS + "<configuration>&j;</configuration>",
    "external entity": '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/hostname">]><configuration>&a;</configuration>',
    "parameter entity": '<!DOCTYPE l [<!ENTITY % a SYSTEM "file:///etc/hostname">%a;]><configuration/>',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_entities_are_refused(text: str) -> None:
    with pytest.raises(FormatError, match="^" + phrase("configuration.line_entity_declared", "a.xml", 1)):
        parse_xml("a.xml", text.encode())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            '<!DOCTYPE l SYSTEM "http://localhost:1/a.dtd"><configuration/>',
            phrase("configuration.line_document_type_in_another_file", "a.xml", 1),
        ),
        (
            "\n<!DOCTYPE allocations>\n<allocations/>",
            phrase("configuration.line_document_type_of_allocations", "a.xml", 2),
        ),
        ("<property/>\n<property/>", phrase("configuration.line_property_where_configuration", "a.xml", 1)),
    ],
)
def test_what_hadoop_s_readers_refuse(text: str, fault: str) -> None:
    with pytest.raises(FormatError, match="^" + re.escape(fault)):
        parse_xml("a.xml", text.encode())


@pytest.mark.parametrize("kind", ["", " []", " [<!ELEMENT configuration ANY>]"])
def test_a_document_type_without_entities_does_no_harm(kind: str) -> None:
    text = f"<!DOCTYPE configuration{kind}>\n<configuration><a/></configuration>"
    assert parse_xml("a.xml", text.encode()).children == [Element("a", 2)]


@pytest.mark.parametrize(
    ("encoding", "character"),
    [
        ("GB2312", "\u4e2d"),
        ("GBK", "\u9555"),
        ("gb18030", "\u4e2d"),
        ("Shift_JIS", "\u4e2d"),
        ("Big5", "\u4e2d"),
        ("EUC-JP", "\u4e2d"),
        ("ISO-2022-JP", "\u4e2d"),
        ("EUC-KR", "\uac00"),
        ("windows-1251", "\u044f"),
        ("iso8859-1", "\xe9"),
    ],
)
def test_a_file_is_decoded_as_it_says(encoding: str, character: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n<!-- {character} -->\n<a>{character}</a>'
    root = parse_xml("a.xml", text.encode(encoding))
    assert (root.text, root.line) == (character, 3)


def test_java_s_own_names_of_encodings() -> None:
    data = '<?xml version="1.0" encoding="Windows-31J"?><a>\u4e2d</a>'.encode("cp932")
    assert parse_xml("a.xml", data).text == "\u4e2d"


def test_bytes_that_are_no_characters_are_replaced_as_java_does() -> None:
    root = parse_xml("a.xml", b'<?xml version="1.0" encoding="GB2312"?><a>\xff\x80</a>')
    assert set(root.text) == {"\ufffd"}


@pytest.mark.parametrize(
    ("inside", "leading"),
    [
        ("2", "2"),
        ("<!-- 1 -->2<!-- 1 -->3", "23"),
        ("2<b/>3", "2"),
        (" <b/>2", " "),
        ("<b/>2", None),
        ("", None),
        ("2<?a b?>3", "2"),
        ("<?a b?>2", None),
        ("2<![CDATA[3]]>", "2"),
        ("<![CDATA[2]]>3", "2"),
    ],
)
def test_what_stands_first_in_an_element(inside: str, leading: str | None) -> None:
    assert parse_xml("a.xml", f"<a>{inside}</a>".encode()).leading == leading


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b"<allocations>\n<queue>\n</allocations>",
            "^" + phrase("configuration.line_not_xml_mismatched_tag", "a.xml", 3),
        ),
        (
            b"<allocations>\n&nothing;</allocations>",
            "^" + phrase("configuration.line_not_xml_undefined_entity", "a.xml", 2),
        ),
        (b"", "^" + phrase("configuration.line_not_xml_no_element", "a.xml", 1)),
        (b"\n\n<a", "^" + phrase("configuration.line_not_xml_unclosed_token", "a.xml", 3)),
        (b"<a>\xff</a>", "^" + phrase("configuration.line_not_xml_not_well", "a.xml", 1)),
        (
            b'<?xml version="1.0" encoding="nothing"?><a/>',
            "|".join(
                (
                    "^" + phrase("configuration.line_not_xml_unknown_encoding", "a.xml", 1),
                    "^a.xml: " + phrase("configuration.not_xml_can_be_read"),
                )
            ),
        ),
        (
            b"<a>" * 111 + b"</a>" * 111,
            "^" + phrase("configuration.line_elements_nested_more_than", "a.xml", 1, 110),
        ),
    ],
)
def test_what_is_no_xml(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_xml("a.xml", data)


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_tree, "MAX_ELEMENTS", 50)
    with pytest.raises(
        TooLarge, match="^" + phrase("configuration.line_more_than_elements", "a.xml", 2, 50) + "$"
    ):
        parse_xml("a.xml", b"<a>\n" + b"<b/>" * 50 + b"</a>")
    monkeypatch.setattr(xml_tree, "MAX_BYTES", 10)
    with pytest.raises(TooLarge, match="^" + phrase("configuration.holds_more_than_bytes", "a.xml", 10)):
        parse_xml("a.xml", b"<allocations/>")


def test_lines_are_known_in_any_encoding() -> None:
    root = parse_xml(
        "a.xml", '<?xml version="1.0" encoding="UTF-16"?>\n<a>\n <b c="1">\xe4</b></a>'.encode("utf-16")
    )
    assert (root.line, root.children) == (2, [Element("b", 3, {"c": "1"}, "\xe4")])


names = st.from_regex(r"[a-z][\w.-]{0,9}", fullmatch=True, alphabet=st.characters(max_codepoint=126))
texts = st.text(
    st.characters(
        codec="utf-8",
        exclude_categories=("Cc", "Cs"),
        exclude_characters="\ufffe\uffff",
        include_characters="\n\t\r<&>\"']",
    ),
    max_size=20,
)
trees = st.recursive(
    st.builds(Element, names, attributes=st.dictionaries(names, texts, max_size=2), text=texts),
    lambda inner: st.builds(
        Element,
        names,
        attributes=st.dictionaries(names, texts, max_size=2),
        children=st.lists(inner, max_size=3),
    ),
    max_leaves=8,
)


@given(trees)
def test_a_tree_comes_back(tree: Element) -> None:
    text = xml_text(tree)
    again = parse_xml("a.xml", text.encode())
    assert again.plain() == tree.plain()
    assert element_from_plain(tree.tag, again.plain()).plain() == tree.plain()
    assert xml_text(again) == text


@given(st.binary(max_size=80))
def test_any_bytes(data: bytes) -> None:
    for head in (b"", b"<a>", b'<?xml version="1.0"?><a b="'):
        try:
            parse_xml("a.xml", head + data)
        except FormatError as error:
            assert str(error).startswith("a.xml") and "\n" not in str(error)


def test_what_xml_can_not_hold() -> None:
    with pytest.raises(
        FormatError, match="^" + phrase("configuration.character_cant_be_written_in", r"U\+0001") + "$"
    ):
        xml_text(Element("a", text="\x01"))
    with pytest.raises(FormatError, match="^" + phrase("configuration.b_cant_be_name_element") + "$"):
        xml_text(Element("a b"))
