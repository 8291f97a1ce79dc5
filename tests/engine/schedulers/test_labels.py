"""Names of schedulers that stand beside each other: what they share is left out, what tells them apart
stays.
"""

from __future__ import annotations

import pytest

from engine.schedulers.labels import differing_rules, labels


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (
            ("fair(reservations=no, update_ms=0)+slowstart+admit-all", "fifo+slowstart+admit-all"),
            ("fair", "fifo"),
        ),
        (
            (
                "fair(reservations=no, update_ms=0)+ramp-up+admit-all",
                "fair(reservations=no, update_ms=0)+slowstart+admit-all",
            ),
            ("fair+ramp-up", "fair+slowstart"),
        ),
        (
            (
                "fair(reservations=no, update_ms=0)+slowstart+autoadmin",
                "drf(reservations=no, update_ms=0)+slowstart+reserve(vcores=4)",
            ),
            ("fair+autoadmin", "drf+reserve(vcores=4)"),
        ),
        (
            ("omo+admit-all", "fair(reservations=no, update_ms=0)+slowstart+admit-all"),
            ("omo", "fair+slowstart"),
        ),
        (
            (
                "fair(reservations=no, update_ms=0, shares=kind)+slowstart+admit-all",
                "fair(reservations=no, update_ms=0)+slowstart+admit-all",
            ),
            ("fair(shares=kind)", "fair"),
        ),
        (
            (
                "fair(resources=memory, reservations=no, update_ms=0)+admit-all",
                "fifo(resources=memory)+admit-all",
            ),
            ("fair", "fifo"),
        ),
        (("fair", "fifo"), ("fair+am-share", "fifo+admit-all")),
        (
            ("fair(resources=memory, reservations=no, update_ms=0)+admit-all", "haste"),
            ("fair(resources=memory)", "haste"),
        ),
        (("haste-a(factor=2)+ramp-up+admit-all",), ("haste-a(factor=2)",)),
    ],
)
def test_rules_that_all_have_are_left_out(names, short):
    assert labels(names) == short


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (("fair",), []),
        (("fair", "drf"), []),
        (("fifo", "haste", "saf"), []),
        (("fair", "fair+slowstart+admit-all"), [("ramp-up", "slowstart"), ("am-share", "admit-all")]),
        (
            ("fifo", "fair"),
            [
                ("admit-all", "am-share"),
                ("reservations=no", "reservations=yes"),
                ("update_ms=0", "update_ms=500"),
            ],
        ),
        (
            ("fair+slowstart", "fair(shares=kind)"),
            [("reservations=yes", "reservations=no"), ("update_ms=500", "update_ms=0")],
        ),
        (("fair(resources=memory)", "fair"), [("resources=memory", "resources=both")]),
        (
            ("haste+slowstart(at=1)", "haste+slowstart", "haste+slowstart(at=1)"),
            [("slowstart(at=1)", "slowstart", "slowstart(at=1)")],
        ),
        (("omo", "haste"), [("lazy-start", "ramp-up")]),
    ],
)
def test_rules_other_than_the_order_that_are_not_the_same(names, rules):
    assert differing_rules(names) == rules
