"""Numbers read well, have their units and are told in one way."""

from __future__ import annotations

import pytest

from engine import quantities


@pytest.mark.parametrize(
    ("seconds", "digits", "text"),
    [
        (0, None, "0:00"),
        (281.137, None, "4:41"),
        (3723, None, "1:02:03"),
        (0.25, None, "0:00.250"),
        (9.9996, None, "0:10"),
        (59.6, None, "1:00"),
        (3.5, 1, "0:03.5"),
        (3.95, 1, "0:04.0"),
        (273_900, None, "76:05:00"),
        (-5, None, "−0:05"),
    ],
)
def test_times_as_a_clock_shows_them(seconds: float, digits: int | None, text: str) -> None:
    assert quantities.clock(seconds, digits) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00"), (41_137, "0:41.137"), (41_500, "0:41.5"), (3_600_000, "1:00:00"), (100_000, "1:40")],
)
def test_moments_are_exact(ms: int, text: str) -> None:
    assert quantities.moment(ms) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0 s"),
        (1, "1 ms"),
        (850, "850 ms"),
        (999.4, "999 ms"),
        (999.6, "1 s"),
        (1000, "1 s"),
        (42_500, "42.5 s"),
        (59_949, "59.9 s"),
        (59_950, "1 min"),
        (102_500, "1 min 43 s"),
        (271_700, "4 min 32 s"),
        (272_000, "4 min 32 s"),
        (3_599_960, "1 h"),
        (3_612_000, "1 h 12 s"),
        (7_512_000, "2 h 5 min 12 s"),
        (86_399_600, "1 d"),
        (273_900_000, "3 d 4 h 5 min"),
        (-1500, "−1.5 s"),
    ],
)
def test_durations(ms: float, text: str) -> None:
    assert quantities.duration(ms) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0 s"),
        (850, "850 ms"),
        (41_137, "41.137 s"),
        (41_500, "41.5 s"),
        (1_234_500, "20 min 34.5 s"),
        (100_000, "1 min 40 s"),
        (273_900_001, "3 d 4 h 5 min 0.001 s"),
    ],
)
def test_exact_durations_have_their_milliseconds(ms: int, text: str) -> None:
    assert quantities.duration(ms, exact=True) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0 s"),
        (420, "420 ms"),
        (9_440, "9.4 s"),
        (42_300, "42 s"),
        (94_000, "1 min 34 s"),
        (132_300, "2 min 12 s"),
        (180_200, "3 min"),
        (599_700, "10 min"),
        (752_000, "12 min 30 s"),
        (7_812_000, "2 h 10 min"),
        (172_800_000, "2 d"),
        (273_600_000, "3 d 4 h"),
        (-90_000, "−1 min 30 s"),
    ],
)
def test_an_estimate_has_three_digits_or_so(ms: float, text: str) -> None:
    assert quantities.rough_duration(ms) == text


@pytest.mark.parametrize(
    ("ms", "text"), [(0, "0 s"), (61_500, "+1 min 2 s"), (-850, "−850 ms"), (0.2, "0 s")]
)
def test_a_signed_duration_says_which_way(ms: float, text: str) -> None:
    assert quantities.duration(ms, signed=True) == text


@pytest.mark.parametrize(
    ("mb", "text"),
    [
        (512, "512 MB"),
        (1024, "1 GB"),
        (1536, "1.5 GB"),
        (8192, "8 GB"),
        (2**20, "1 TB"),
        (1000 * 1024, "1,000 GB"),
    ],
)
def test_memory(mb: int, text: str) -> None:
    assert quantities.memory(mb) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "s", "–"),
        (512.25, "s", "8 min 32 s"),
        (0.6129, "share", "61.3 %"),
        (1.8, "x", "1.80 x"),
        (1, "containers", "1 container"),
        (1, "batches", "1 batch"),
        (1234, "containers", "1,234 containers"),
        (1, "vcores", "1 vcore"),
        (2048, "MB", "2 GB"),
    ],
)
def test_every_number_has_its_unit(value: float | None, unit: str, text: str) -> None:
    assert quantities.amount(value, unit) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (float("inf"), "∞"),
        (0, "0"),
        (301, "301"),
        (301.0344, "301"),
        (0.31254, "0.3125"),
        (12_345.6, "12,346"),
        (-0.5, "−0.5"),
        (0.00012346, "0.0001235"),
        (1.2e-7, "1.2 × 10⁻⁷"),
        (-2.5e12, "−2.5 × 10¹²"),
        (2_147_483, "2,147,483"),
    ],
)
def test_bare_numbers_have_four_digits(value: float | None, text: str) -> None:
    assert quantities.number(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "s", "–"),
        (12.25, "s", "12.3 s"),
        (0.6129, "share", "61.3 %"),
        (8192, "MB", "8 GB"),
        (0.53219, "containers/s", "0.5322 containers/s"),
        (301.03, "", "301"),
        ("job1", "", "job1"),
        (True, "", "yes"),
        (float("inf"), "s", "∞ s"),
        (9377.3, "ms", "9.4 s"),
        (1, "maps", "1 map"),
        (2, "maps", "2 maps"),
        (1, "per s", "1 per s"),
    ],
)
def test_facts_have_any_unit(value: float | str | None, unit: str, text: str) -> None:
    assert quantities.quantity(value, unit) == text


def test_a_title_names_its_unit_once() -> None:
    assert [
        quantities.title_with_unit(*one)
        for one in (("Waited", "s"), ("Maps finished", "maps"), ("Place", ""))
    ] == ["Waited (s)", "Maps finished", "Place"]


@pytest.mark.parametrize(
    ("share", "signed", "text"),
    [
        (0, False, "0 %"),
        (0.6129, False, "61.3 %"),
        (0.6, False, "60 %"),
        (12.5, False, "1,250 %"),
        (-0.041, False, "−4.1 %"),
        (0.023, True, "+2.3 %"),
        (-0.0001, True, "0 %"),
        (float("inf"), False, "∞ %"),
        (float("nan"), False, "–"),
    ],
)
def test_shares_are_told_in_percent(share: float, signed: bool, text: str) -> None:
    assert quantities.percent(share, signed) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.214, "21 %"), (0.0609, "6.1 %"), (-0.384, "−38 %"), (12.3456, "1,235 %"), (0, "0 %")],
)
def test_shares_read_at_a_glance_are_whole(share: float, text: str) -> None:
    assert quantities.whole_percent(share) == text


@pytest.mark.parametrize(
    ("mb", "text"),
    [
        (1000, "1,000 MB"),
        (1024, "1 GB"),
        (1100, "1,100 MB"),
        (1152, "1.125 GB"),
        (102_401, "100 GB"),
        (2**20, "1 TB"),
    ],
)
def test_memory_as_it_was_entered(mb: int, text: str) -> None:
    assert quantities.memory(mb, exact=True) == text


@pytest.mark.parametrize(
    ("mean", "half", "unit", "text", "difference"),
    [
        (412.4, 14.2, "s", "6 min 52.4 s ± 14.2 s", "+6 min 52.4 s ± 14.2 s"),
        (-9.456, 1.23, "s", "−9.5 s ± 1.2 s", "−9.5 s ± 1.2 s"),
        (0.031, 0.004, "share", "3.1 % ± 0.4 %", "+3.1 pp ± 0.4 pp"),
        (3.0, 0.0, "jobs", "3 jobs", "+3 jobs"),
        (3.25, float("nan"), "x", "3.25 x", "+3.25 x"),
        (float("nan"), 1.0, "s", "–", "–"),
    ],
)
def test_an_estimate_is_told_with_its_interval(
    mean: float, half: float, unit: str, text: str, difference: str
) -> None:
    assert quantities.estimate(mean, half, unit) == text
    assert quantities.estimate(mean, half, unit, is_difference=True) == difference


def test_a_number_as_it_was_entered_keeps_its_digits() -> None:
    assert [quantities.number(one, exact=True) for one in (1024, 0.05, 12_345.678, -1)] == [
        "1,024",
        "0.05",
        "12,345.678",
        "−1",
    ]


def test_columns_are_plain_numbers_of_the_unit_in_their_head() -> None:
    assert quantities.display_unit("ms") == (0.001, "s") and quantities.display_unit("share") == (100, "%")
    assert quantities.display_unit("MB") == (1, "MB")
