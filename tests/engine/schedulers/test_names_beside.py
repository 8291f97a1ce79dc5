"""Names of schedulers that stand beside each other: what they share is left out, what tells them apart stays."""

from __future__ import annotations

import pytest

from engine.schedulers.names_beside import labels


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("fair(reservations=no)+slowstart+admit-all", "fifo+slowstart+admit-all"), ("fair", "fifo")),
        (("fair(reservations=no)+ramp-up+admit-all", "fair(reservations=no)+slowstart+admit-all"), ("fair+ramp-up", "fair+slowstart")),
        (("fair(reservations=no)+slowstart+autoadmin", "drf(reservations=no)+slowstart+reserve(vcores=4)"), ("fair+autoadmin", "drf+reserve(vcores=4)")),
        (("omo+admit-all", "fair(reservations=no)+slowstart+admit-all"), ("omo", "fair+slowstart")),
        (("fair(reservations=no, shares=kind)+slowstart+admit-all", "fair(reservations=no)+slowstart+admit-all"), ("fair(shares=kind)", "fair")),
        (("fair(resources=memory)+slowstart", "fifo(resources=memory)+slowstart"), ("fair", "fifo")),
        (("fair(resources=memory)+slowstart", "haste+slowstart"), ("fair(resources=memory)", "haste")),
        (("haste-a(factor=2)+ramp-up+admit-all",), ("haste-a(factor=2)",)),
    ],
)
def test_rules_that_all_have_are_left_out(names, short):
    assert labels(names) == short
