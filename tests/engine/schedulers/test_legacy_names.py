"""What 0.1 meant by a name, and names that leave nothing open."""

from __future__ import annotations

import pytest

from engine.errors import SchedulerError
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.legacy_names import expand_0_1, parse_in_full
from engine.schedulers.policy import ORDER
from engine.schedulers.scheduler import parse
from tests.phrases import phrase


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("fifo", "fifo+slowstart+admit-all"),
        ("fair", "fair(reservations=no, update_ms=0)+slowstart+admit-all"),
        ("drf", "drf(reservations=no, update_ms=0)+slowstart+admit-all"),
        (
            "capacity(resources=memory)",
            "capacity(resources=memory, reservations=no, user_limits=no)+slowstart+admit-all",
        ),
        ("fair(shares=kind)", "fair(shares=kind, reservations=no, update_ms=0)+slowstart+admit-all"),
        ("fair(reservations=yes)", "fair(reservations=yes, update_ms=0)+slowstart+admit-all"),
        ("fair + ramp-up(limit=0.75)", "fair(reservations=no, update_ms=0)+ramp-up(limit=0.75)+admit-all"),
        ("haste+autoadmin", "haste+slowstart+autoadmin"),
        (
            "fair+lazy-start(bandwidth=observed)",
            "fair(reservations=no, update_ms=0)+lazy-start(bandwidth=observed)+admit-all",
        ),
        (
            "fair+reserve(vcores=3, fraction=0.5)+lazy-start",
            "fair(reservations=no, update_ms=0)+reserve(vcores=3, "
            "fraction=0.5)+lazy-start(bandwidth=nominal)",
        ),
        ("omo", "omo(bandwidth=nominal)+admit-all"),
        (
            "omo(window_s=5)+lazy-start(window_s=5)",
            "omo(window_s=5, bandwidth=nominal)+lazy-start(window_s=5, bandwidth=nominal)+admit-all",
        ),
        ("batch-finish", "batch-finish+slowstart+admit-all"),
        ("saf(entropy=renyi, alpha=2)", "saf(entropy=renyi, alpha=2)+slowstart+admit-all"),
    ],
)
def test_a_name_is_written_out_as_0_1_meant_it(text, meant):
    assert expand_0_1(text) == meant
    assert expand_0_1(meant) == meant and parse_in_full(meant) == parse(meant)
    if text != meant:
        with pytest.raises(SchedulerError) as result:
            parse_in_full(text)
        assert phrase("schedulers.not_written_in_full_write", meant) in str(result.value) and "\n" not in str(
            result.value
        )


@pytest.mark.parametrize("order", CATALOGUE[ORDER])
def test_no_order_reserved_started_little_by_little_or_limited_masters(order):
    meant = parse(expand_0_1(order))
    assert meant.reserves == 0 and str(meant.admission) == "admit-all"
    assert meant.reduce_start.policy.name == ("lazy-start" if order == "omo" else "slowstart")


@pytest.mark.parametrize("text", ["", "fair(", "fare", "fair+", "fair+slowstar", "fair+am-share+autoadmin"])
def test_what_can_not_be_read_says_the_same_as_today(text):
    with pytest.raises(SchedulerError) as now:
        parse(text)
    with pytest.raises(SchedulerError) as then:
        parse(expand_0_1(text))
    assert str(then.value).partition(";")[2] == str(now.value).partition(";")[2]
    with pytest.raises(SchedulerError):
        parse_in_full(text)
