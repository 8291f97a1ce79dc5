"""Mathematics in the text of a guide: between backquotes, as Python writes it, so that one source is read,
drawn and calculated. `=` is equality, what follows _ stands below, and a name may end in a prime.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

EQUALITY = re.compile(r"(?<![<>=!])=(?!=)")
PRIME = "\u02b9"  # the one that Python allows in a name
# what is not explained; of sum, integral, argmin and argmax the first argument is what they run over
KNOWN = {"abs", "argmax", "argmin", "ceil", "exp", "integral", "log", "max", "min", "sum"}


def pieces(text: str) -> list[str | ast.expr]:
    """Words and mathematics in turn, beginning with words."""
    return [parsed(one) if place % 2 else one for place, one in enumerate(text.split("`"))]


@cache
def parsed(text: str) -> ast.expr:
    """One formula. SyntaxError for what is none."""
    return ast.parse(EQUALITY.sub("==", text.replace("'", PRIME)), mode="eval").body


def names(text: str) -> list[str]:
    """The symbols of a text in the order in which they are met, once each."""
    trees = (piece for piece in pieces(text) if isinstance(piece, ast.expr))
    found = (name for tree in trees for name in _names(tree) if name not in KNOWN)
    return list(dict.fromkeys(found))


def _names(tree: ast.AST) -> Iterator[str]:
    """As they stand in the text, which ast.walk does not keep to."""
    if isinstance(tree, ast.Name):
        yield tree.id.replace(PRIME, "'")
    for child in ast.iter_child_nodes(tree):
        yield from _names(child)
