"""Formulas as MathML: well-formed, each symbol with what it means, and drawn as mathematics is written."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from engine.dashboard import guides, parsed
from webapp.panels.papers import mathml

FUNCTIONS = {"exp", "log", "max", "min"}
PAGES = {page.name: page for one in guides().values() for page in (one, *one.variants)}


def drawn(formula: str) -> str:
    """A formula's MathML without what stands around it and what is not seen."""
    markup = mathml.markup(parsed(formula), {})
    inside = markup.removeprefix('<math displaystyle="true">').removesuffix("</math>")
    return inside.replace(mathml.APPLY, "").replace("<mo />", "").replace("<mo></mo>", "")


def maths(lines: tuple[str, ...], symbols: tuple) -> list[Element]:
    texts = [one for line in lines for one in mathml.text(line, symbols)]
    return [fromstring(one.markup) for one in texts if isinstance(one, mathml.MathML)]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_formulas_are_well_formed_and_each_letter_says_what_it_means(page) -> None:
    lines = (*page.formula, *page.assumptions, *(symbol.meaning for symbol in page.symbols))
    for math in maths(lines, page.symbols):
        assert math.tag == "math"
        for letter in math.iter("mi"):
            span = letter.find("span")
            assert span.get("title") if span is not None else letter.text in FUNCTIONS
    assert bool(page.symbols) == bool(maths(page.formula, page.symbols))


def test_a_symbol_says_its_meaning_and_unit_without_backquotes() -> None:
    page = PAGES["fair"]
    (one, *_) = maths(("`m_j`",), page.symbols)
    assert [span.get("title") for span in one.iter("span")] == ["memory that j holds (MB)"] * 2
    assert [span.text for span in one.iter("span")] == ["m", "j"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("1 / 2", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        ("a**k", "<msup><mi>a</mi><mi>k</mi></msup>"),
        ("T_fair", "<msub><mi>T</mi><mi>fair</mi></msub>"),
        ("m_j_k", "<msub><mi>m</mi><mrow><mi>j</mi><mo>,</mo><mi>k</mi></mrow></msub>"),
        ("m'", '<mrow><mi>m</mi><mo lspace="0" rspace="0">′</mo></mrow>'),
        ("a * b <= c", "<mrow><mrow><mi>a</mi><mo>⋅</mo><mi>b</mi></mrow><mo>≤</mo><mi>c</mi></mrow>"),
        ("-a", '<mrow><mo form="prefix">−</mo><mi>a</mi></mrow>'),
    ],
)
def test_a_formula_is_drawn_as_it_is_written_by_hand(formula: str, expected: str) -> None:
    assert drawn(formula) == expected


@pytest.mark.parametrize(
    ("formula", "brackets"),
    [
        ("(a + b) * c", 1),
        ("a * (b - c)", 1),
        ("a - (b + c)", 1),
        ("(a - b) + c", 0),
        ("(a + b) / c", 0),
        ("(a * b) + c", 0),
        ("(a + b)**2", 1),
        ("-(a + b)", 1),
        ("f(a, b + c)", 1),
        ("sum(i, a + b)", 1),
    ],
)
def test_brackets_stand_where_they_are_needed(formula: str, brackets: int) -> None:
    assert drawn(formula).count(">(<") == brackets


def test_brackets_are_as_high_as_a_fraction_in_them() -> None:
    assert 'stretchy="true"' in drawn("max(a / b, c)")
    assert 'stretchy="true"' not in drawn("max(a, b)")


def test_sums_cases_and_the_integral() -> None:
    assert drawn("sum(q, w_q)").startswith("<mrow><munder><mo")
    assert drawn("argmin(0 <= x <= m, abs(x))").count("≤") == 2
    cases = fromstring(drawn("f = (1 - p if p <= 1 else 0)"))
    assert [row.tag for row in cases.find(".//mtable")] == ["mtr", "mtr"]
    integral = fromstring(drawn("integral(t, a, b, D(t))"))
    assert [one.text for one in integral.find("msubsup")] == ["∫", "a", "b"]
    assert integral[-1].text == "t"


def test_what_has_no_drawing_is_an_error() -> None:
    with pytest.raises(TypeError, match="no MathML for"):
        drawn("[1]")
