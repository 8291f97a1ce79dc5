"""Names of schedulers that stand beside each other: what they share is left out, what tells them apart
stays.
"""

from __future__ import annotations

import pytest

from engine.errors import SchedulerError
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.labels import differing_rules, display_name, labels
from engine.schedulers.legacy_names import expand_0_1
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START
from engine.schedulers.scheduler import parse

FAIR_TEXTBOOK = "fair(reservations=no, update_ms=0)+slowstart+admit-all"


def canonical_texts() -> list[str]:
    """Every order under every pair of rules, as today and as 0.1 meant it, and parts of the textbook's
    parameters; those that make no sense are left out.
    """
    orders = list(CATALOGUE[ORDER]) + [
        "fair(reservations=no)",
        "fair(update_ms=0)",
        "fair(reservations=no, update_ms=0)",
        "fair(reservations=no, update_ms=0, shares=kind)",
        "fair(shares=kind)",
        "fair(shares=kind, reservations=no)",
        "fair(resources=memory)",
        "drf(reservations=no, update_ms=0)",
        "capacity(reservations=no)",
        "capacity(user_limits=no)",
        "capacity(reservations=no, user_limits=no)",
        "omo(bandwidth=nominal, window_s=5)",
        "weighted(fitness=0)",
    ]
    starts = ["", "+lazy-start(bandwidth=nominal)", *(f"+{name}" for name in CATALOGUE[REDUCE_START])]
    admissions = ["", "+reserve(vcores=4)", *(f"+{name}" for name in CATALOGUE[ADMISSION])]
    texts = [order + start + admission for order in orders for start in starts for admission in admissions]
    names = set()
    for text in (*texts, *map(expand_0_1, texts)):
        try:
            names.add(parse(text).name)
        except SchedulerError:
            continue
    return sorted(names)


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
        (("fair", FAIR_TEXTBOOK), ("fair", "fair, textbook")),
        ((FAIR_TEXTBOOK, "omo(bandwidth=nominal)"), ("fair, textbook", "omo, textbook")),
        (
            ("haste+slowstart", "haste+lazy-start(bandwidth=nominal)"),
            ("haste+slowstart", "haste+lazy-start, textbook"),
        ),
        (
            ("fair(shares=kind)", "fair(shares=kind, reservations=no)"),
            ("fair(shares=kind)", "fair(reservations=no, shares=kind)"),
        ),
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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fifo", "fifo"),
        ("fair", "fair"),
        ("haste+lazy-start", "haste+lazy-start"),
        (" fair ( update_ms=500 ) ", "fair"),
        (FAIR_TEXTBOOK, "fair, textbook"),
        (expand_0_1("drf"), "drf, textbook"),
        (expand_0_1("capacity"), "capacity, textbook"),
        (expand_0_1("omo"), "omo, textbook"),
        (expand_0_1("omo(window_s=5)"), "omo(window_s=5), textbook"),
        (expand_0_1("haste+lazy-start"), "haste+lazy-start, textbook"),
        (expand_0_1("fair+lazy-start"), "fair+lazy-start, textbook"),
        (expand_0_1("fair+autoadmin"), "fair+autoadmin, textbook"),
        (expand_0_1("fair(shares=kind)"), "fair(shares=kind), textbook"),
        (expand_0_1("fifo"), "fifo+slowstart"),  # no parameter of its own differs
        ("fair(reservations=no, update_ms=0)", "fair(reservations=no, update_ms=0)"),  # Hadoop's rules
        ("fair(reservations=no)+slowstart+admit-all", "fair(reservations=no)+slowstart+admit-all"),
        ("measured", "measured"),
        ("optimum", "optimum"),
        ("fair (pinned)", "fair (pinned)"),
    ],
)
def test_display_name(text, shown):
    assert display_name(text) == shown


def test_different_schedulers_have_different_display_names():
    texts = canonical_texts()
    assert len(texts) > 500
    assert len(set(map(display_name, texts))) == len(texts)


def test_a_textbook_name_is_what_0_1_called_the_scheduler():
    textbook = [text for text in canonical_texts() if display_name(text) != text]
    assert len(textbook) > 50
    for text in textbook:
        assert parse(expand_0_1(display_name(text).removesuffix(", textbook"))).name == text


def test_labels_distinguish_different_schedulers():
    texts = canonical_texts()
    for step in (1, 7, 53):
        for first, second in zip(texts, texts[step:]):
            assert len(set(labels((first, second)))) == 2, (first, second)
