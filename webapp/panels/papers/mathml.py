"""Formulas as MathML, which browsers draw by themselves: each symbol says on hover what it means."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element, tostring

from dash.development.base_component import Component

from engine.dashboard import PRIME, Symbol, parsed, pieces

OPERATORS = {
    ast.Add: "+",
    ast.Sub: "−",
    ast.Mult: "⋅",
    ast.Eq: "=",
    ast.Gt: ">",
    ast.GtE: "≥",
    ast.Lt: "<",
    ast.LtE: "≤",
}
FENCES = {"abs": "||", "ceil": "⌈⌉"}
OVER = {"sum": "∑", "argmax": "arg max", "argmin": "arg min"}
SPACE = "0.17em"
APPLY = "\u2061"  # between a function and what it is of; it is not seen


class MathML(Component):
    """Mathematics in the page; Dash has no components for it. markup: the element, written here and by nobody
    else. assets/scripts/papers/guide.ts draws it.
    """

    _namespace, _type = "gantry_papers", "MathML"
    _prop_names = ["markup"]
    _valid_wildcard_attributes: list[str] = []

    def __init__(self, markup: str) -> None:
        super().__init__(markup=markup)


def text(line: str, symbols: Iterable[Symbol]) -> list:
    """Words and mathematics of a line of a guide."""
    titles = {one.name: f"{one.meaning.replace('`', '')}{one.unit and f' ({one.unit})'}" for one in symbols}
    return [one if isinstance(one, str) else MathML(markup(one, titles)) for one in pieces(line) if one]


def symbol(name: str) -> MathML:
    """One symbol by itself."""
    return MathML(markup(parsed(name), {}))


def markup(tree: ast.expr, titles: Mapping[str, str]) -> str:
    """A formula as an element of HTML. titles: what its symbols mean."""
    math = _element("math", _drawn(tree, titles))
    math.set("displaystyle", "true")
    return tostring(math, "unicode")


def _drawn(tree: ast.AST, titles: Mapping[str, str]) -> Element:
    def part(one: ast.AST) -> Element:
        return _drawn(one, titles)

    def factor(one: ast.AST) -> Element:
        is_sum = isinstance(one, ast.BinOp) and isinstance(one.op, (ast.Add, ast.Sub))
        return _fenced("()", part(one)) if is_sum else part(one)

    match tree:
        case ast.Constant(value):
            return _token("mn", str(value))
        case ast.Name(name):
            return _symbol(name, titles.get(name.replace(PRIME, "'")))
        case ast.UnaryOp(ast.USub(), one):
            return _element("mrow", _token("mo", "−", form="prefix"), factor(one))
        case ast.BinOp(left, ast.Div(), right):
            return _element("mfrac", part(left), part(right))
        case ast.BinOp(left, ast.Pow(), right):
            return _element("msup", factor(left), part(right))
        case ast.BinOp(left, sign, right):
            first = part(left) if isinstance(sign, ast.Add | ast.Sub) else factor(left)
            second = part(right) if isinstance(sign, ast.Add) else factor(right)
            return _element("mrow", first, _token("mo", OPERATORS[type(sign)]), second)
        case ast.Compare(first, signs, others):
            row = _element("mrow", part(first))
            for relation, one in zip(signs, others):
                row.extend((_token("mo", OPERATORS[type(relation)]), part(one)))
            return row
        case ast.IfExp(condition, so, otherwise):
            cases = (
                (part(so), _element("mrow", _token("mtext", "if "), part(condition))),
                (part(otherwise), _token("mtext", "otherwise")),
            )
            rows = [_element("mtr", *(_element("mtd", cell) for cell in row)) for row in cases]
            return _element("mrow", _token("mo", "{", form="prefix"), _element("mtable", *rows))
        case ast.Call(ast.Name("sum" | "argmax" | "argmin" as name), [over, of]):
            over_all = _token("mo", OVER[name], movablelimits="false", lspace="0", rspace=SPACE)
            return _element("mrow", _element("munder", over_all, part(over)), factor(of))
        case ast.Call(ast.Name("integral"), [over, low, high, of]):
            integral = _element("msubsup", _token("mo", "∫"), part(low), part(high))
            return _element(
                "mrow", integral, part(of), _token("mo", "d", lspace=SPACE, rspace="0"), part(over)
            )
        case ast.Call(ast.Name("log"), [base, of]):
            return _element("mrow", _element("msub", _token("mi", "log"), part(base)), _apply(), factor(of))
        case ast.Call(ast.Name("abs" | "ceil" as name), [one]):
            return _fenced(FENCES[name], part(one))
        case ast.Call(function, arguments):
            return _element("mrow", part(function), _apply(), _fenced("()", *map(part, arguments)))
    raise TypeError(f"no MathML for {ast.unparse(tree)}")


def _symbol(name: str, title: str | None) -> Element:
    """A name with what stands after _ below it, and its prime."""
    base, *below = name.rstrip(PRIME).split("_")
    drawn = _identifier(base, title)
    if below:
        drawn = _element("msub", drawn, _listed(_identifier(one, title) for one in below))
    prime = _token("mo", "′", lspace="0", rspace="0")
    return _element("mrow", drawn, prime) if name.endswith(PRIME) else drawn


def _identifier(name: str, title: str | None) -> Element:
    """A letter or a word. title: on an element of HTML, since browsers show none of MathML's."""
    if title is None:
        return _token("mi", name)
    span = Element("span", title=title)
    span.text = name
    return _element("mi", span)


def _fenced(pair: str, *parts: Element) -> Element:
    """Between brackets, which are as high as a fraction but else as text."""
    inside = _listed(parts)
    stretchy = "false" if inside.tag != "mfrac" and inside.find(".//mfrac") is None else "true"
    opening, closing = (
        _token("mo", sign, form=form, stretchy=stretchy) for sign, form in zip(pair, ("prefix", "postfix"))
    )
    return _element("mrow", opening, inside, closing)


def _listed(parts: Iterable[Element]) -> Element:
    """With commas between them."""
    row = Element("mrow")
    for one in parts:
        if len(row):
            row.append(_token("mo", ","))
        row.append(one)
    return row[0] if len(row) == 1 else row


def _apply() -> Element:
    return _token("mo", APPLY)


def _element(kind: str, *parts: Element) -> Element:
    element = Element(kind)
    element.extend(parts)
    return element


def _token(kind: str, text: str, **attributes: str) -> Element:
    element = Element(kind, attributes)
    element.text = text
    return element
