"""Pieces that several panels are made of."""

from __future__ import annotations

from webapp.panels.components import card_menu


def test_a_menu_has_links_and_buttons_as_their_attributes_say() -> None:
    menu = card_menu(
        "Fig. 8",
        [
            ("Chart as PNG", {"data-picture": "png"}),
            ("Numbers as CSV", {"href": "data:,", "download": "a.csv"}),
        ],
    )
    head, entries = menu.children
    assert (menu.className, getattr(head, "aria-label")) == ("menu card-menu", "Download Fig. 8")
    button, link = (entry.children.to_plotly_json() for entry in entries.children)
    assert (button["type"], button["props"]["data-picture"]) == ("Button", "png")
    assert (link["type"], link["props"]["download"]) == ("A", "a.csv")
