"""HTML from pieces: every text is escaped here, for names and titles are anybody's."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

MAX_COLUMNS = 5  # beside the first, so that a table fits on paper


class Markup(str):
    """Text that is HTML already; what is added to it is escaped unless it is Markup too."""

    def __add__(self, other: str) -> Markup:
        return Markup(str.__add__(self, text(other)))


def text(value: object) -> Markup:
    """A value as HTML: what is Markup stays, all else is escaped."""
    return value if isinstance(value, Markup) else Markup(escape(str(value)))


def tag(name: str, *content: object, **attributes: object) -> Markup:
    """An element; an attribute's underscores are dashes, cls is class; None leaves it out."""
    marks = "".join(
        f' {"class" if key == "cls" else key.replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{marks}>{''.join(map(text, content))}</{name}>")


def table(caption: str, heads: Sequence[object], rows: Sequence[Sequence[object]], left: int = 1) -> Markup:
    """A table whose first column names its rows; columns from `left` on are numbers. More columns than fit on
    paper stand in a further table.
    """
    tables, columns = [], MAX_COLUMNS if left == 1 else len(heads)
    for begin in range(1, max(len(heads), 2), columns):
        places = range(begin, min(begin + columns, len(heads)))
        marks = [None if place < left else "number" for place in places]
        cells = (tag("th", heads[place], scope="col", cls=mark) for place, mark in zip(places, marks))
        head = tag("tr", tag("th", heads[0], scope="col"), *cells)
        body = []
        for row in rows:
            cells = (tag("td", row[place], cls=mark) for place, mark in zip(places, marks))
            body.append(tag("tr", tag("th", row[0], scope="row"), *cells))
        more = " (continued)" if begin > 1 else ""
        tables.append(tag("table", tag("caption", caption + more), tag("thead", head), tag("tbody", *body)))
    return Markup("".join(tables))
