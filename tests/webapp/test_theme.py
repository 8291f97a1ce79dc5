"""Colours are told apart by every eye and in grey print; numbers read well and have their units."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from webapp import theme

# Machado, Oliveira, Fernandes 2009 (IEEE TVCG 15(6), table 1, severity 1.0), on linear light.
EYES = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# Ottosson 2020, Oklab: linear light to cone response, and its cube root to the colour space.
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
APART = 0.12  # in Oklab; a just noticeable difference is about 0.02
SOLID = [phase for phase in theme.PHASES if not phase.hatch]
DRAWN = (*SOLID, theme.KILLED)
SCHEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def linear(colour: str) -> np.ndarray:
    part = np.array(theme.rgb(colour)) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def seen(colour: str, eye: str) -> np.ndarray:
    return OKLAB @ np.cbrt(CONES @ np.clip(EYES[eye] @ linear(colour), 0, 1))


def lightness(colour: str) -> float:
    """CIE L*, 0 to 100."""
    y = theme.luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@SCHEMES
@pytest.mark.parametrize("eye", EYES)
def test_phases_are_apart_for_every_eye(eye: str, dark: bool) -> None:
    for one, other in combinations(DRAWN, 2):
        difference = np.linalg.norm(seen(one.colour(dark), eye) - seen(other.colour(dark), eye))
        assert difference >= APART, f"{one.key} and {other.key} differ by {difference:.3f}"


@SCHEMES
@pytest.mark.parametrize("eye", EYES)
def test_earlier_and_later_are_no_phase_to_any_eye(eye: str, dark: bool) -> None:
    pair = (theme.EARLIER, theme.LATER)
    colours = [shift.colour(dark) for shift in pair]
    assert np.linalg.norm(seen(colours[0], eye) - seen(colours[1], eye)) >= APART
    for colour in colours:
        assert theme.contrast(colour, theme.look(dark).paper) >= 3
        for phase in DRAWN:
            difference = np.linalg.norm(seen(colour, eye) - seen(phase.colour(dark), eye))
            assert difference >= 0.07, (
                f"{colour} and {phase.key} differ by {difference:.3f}"
            )  # they also differ in shape, and stand on charts of their own


@SCHEMES
@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(
    ("palette", "never"),
    [(theme.SCHEDULERS, DRAWN), (theme.GROUPS, (theme.KILLED, *theme.OTHER_GROUPS))],
    ids=["schedulers", "groups"],
)
def test_schedulers_and_groups_are_apart_and_nothing_else(
    palette: tuple, never: tuple, eye: str, dark: bool
) -> None:
    colours = [colour.colour(dark) for colour in palette]
    assert len(colours) >= 8
    for one, other in combinations(colours, 2):
        difference = np.linalg.norm(seen(one, eye) - seen(other, eye))
        assert difference >= APART, f"{one} and {other} differ by {difference:.3f}"
    for colour in colours:
        for taken in never:
            difference = np.linalg.norm(seen(colour, eye) - seen(taken.colour(dark), eye))
            assert difference >= 0.07, (
                f"{colour} and {taken} differ by {difference:.3f}"
            )  # as of earlier and later


@SCHEMES
def test_schedulers_and_groups_stand_out_from_the_page(dark: bool) -> None:
    for one in (*theme.SCHEDULERS, *theme.GROUPS, *theme.OTHER_GROUPS):
        assert theme.contrast(one.colour(dark), theme.look(dark).paper) >= 3
        assert theme.contrast(theme.text_on(one.colour(dark)), one.colour(dark)) >= 4.5


def test_a_place_has_its_colour_on_every_chart() -> None:
    assert theme.scheduler(8, dark=False) == theme.scheduler(0, dark=False) == theme.SCHEDULERS[0].light
    assert (
        theme.group(7, dark=True) == theme.GROUPS[7].dark
        and theme.group(8, dark=True) == theme.group(None, dark=True) == theme.OTHER_GROUPS[0].dark
    )


@SCHEMES
def test_phases_step_in_lightness_for_grey_print(dark: bool) -> None:
    steps = np.diff(sorted(lightness(phase.colour(dark)) for phase in SOLID))
    assert (steps >= 8).all(), steps


@SCHEMES
def test_phases_stand_out_from_the_page(dark: bool) -> None:
    """WCAG 2.2, 1.4.11: 3:1 for graphics."""
    for phase in DRAWN:
        assert theme.contrast(phase.colour(dark), theme.look(dark).paper) >= 3, phase.key


@SCHEMES
def test_letters_read_well(dark: bool) -> None:
    """WCAG 2.2, 1.4.3: 4.5:1 for text."""
    look = theme.look(dark)
    for text, under in ((look.ink, look.paper), (look.muted, look.paper), (look.ink, look.raised)):
        assert theme.contrast(text, under) >= 4.5
    for phase in theme.PHASES:
        assert theme.contrast(theme.text_on(phase.colour(dark)), phase.colour(dark)) >= 4.5


@SCHEMES
def test_a_hatch_shows_on_its_colour(dark: bool) -> None:
    hatched = [
        phase for phase in theme.LEGEND if phase.hatch and phase not in (*theme.WASTED_OUTCOMES, theme.WASTED)
    ]
    assert len(hatched) == 5
    for phase in hatched:
        assert theme.contrast(theme.hatch_colour(phase.key, dark), phase.colour(dark)) >= 2, phase.key


@SCHEMES
def test_kinds_of_doing_nothing_differ_by_colour_or_hatch(dark: bool) -> None:
    for one, other in combinations((theme.PHASES_BY_KEY["waiting"], *theme.IDLE_USES), 2):
        apart = np.linalg.norm(seen(one.colour(dark), "normal") - seen(other.colour(dark), "normal"))
        assert one.hatch != other.hatch or apart >= 0.06, (one.key, other.key)


def test_a_legend_has_what_only_some_runs_have_where_there_is_some() -> None:
    assert {phase.key for phase in theme.legend(())} == {
        phase.key for phase in theme.LEGEND
    } - theme.OPTIONAL_KEYS
    assert theme.LOST in theme.legend({"lost"}) and theme.FAILED not in theme.legend({"lost"})


def test_wasted_work_is_one_colour_and_its_hatch_says_why() -> None:
    assert len({(phase.light, phase.dark) for phase in theme.WASTED_OUTCOMES}) == 1
    assert len({phase.hatch for phase in theme.WASTED_OUTCOMES}) == len(theme.WASTED_OUTCOMES)


def test_contrast_is_as_wcag_counts() -> None:
    assert theme.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert theme.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_colour_is_in_the_style_sheet() -> None:
    css = theme.css()
    for phase in theme.LEGEND:
        assert f"--phase-{phase.key}:light-dark({phase.light},{phase.dark});" in css
        assert f".swatch-{phase.key}{{background:" in css
    for kind, palette in (("scheduler", theme.SCHEDULERS), ("group", theme.GROUPS)):
        for place, colour in enumerate(palette):
            assert f"--{kind}-{place}:light-dark({colour.light},{colour.dark});" in css
    assert "--group-others:" in css and "--group-others-too:" in css


@pytest.mark.parametrize(
    ("seconds", "digits", "text"),
    [(0, None, "0:00"), (281.137, None, "4:41"), (3723, None, "1:02:03"), (0.25, None, "0:00.250"), (9.9996, None, "0:10"), (59.6, None, "1:00"),
     (3.5, 1, "0:03.5"), (3.95, 1, "0:04.0"), (273_900, None, "76:05:00"), (-5, None, "−0:05")],
)  # fmt: skip
def test_times_as_a_clock_shows_them(seconds: float, digits: int | None, text: str) -> None:
    assert theme.clock(seconds, digits) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00"), (41_137, "0:41.137"), (41_500, "0:41.5"), (3_600_000, "1:00:00"), (100_000, "1:40")],
)
def test_moments_are_exact(ms: int, text: str) -> None:
    assert theme.moment(ms) == text


@pytest.mark.parametrize(
    ("x0", "x1", "most", "found"),
    [(0, 281, 8, ["0:00", "1:00", "2:00", "3:00", "4:00"]), (3.2, 5.1, 4, ["0:03.5", "0:04.0", "0:04.5", "0:05.0"]),
     (3000, 7300, 2, ["1:00:00", "2:00:00"]), (-5, 30, 4, ["0:00", "0:10", "0:20", "0:30"]), (0, 0.9, 2, ["0:00.0", "0:00.5"]),
     (0, 1e7, 3, ["0:00", "1,200:00:00", "2,400:00:00"]), (0.0101, 0.0139, 9, ["0:00.011", "0:00.012", "0:00.013"]), (5, 5, 9, []), (0, 9, 0, [])],
)  # fmt: skip
def test_ticks_are_round_and_few(x0: float, x1: float, most: int, found: list[str]) -> None:
    ticks = theme.ticks(x0, x1, most)
    assert [text for _, text in ticks] == found
    assert all(x0 <= at <= x1 for at, _ in ticks)


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0 s"), (1, "1 ms"), (850, "850 ms"), (999.4, "999 ms"), (999.6, "1 s"), (1000, "1 s"), (42_500, "42.5 s"),
     (59_949, "59.9 s"), (59_950, "1 m 0 s"), (102_500, "1 m 42.5 s"),
     (3_599_960, "1 h 0 m 0 s"), (7_512_000, "2 h 5 m 12 s"), (86_399_600, "1 d 0 h 0 m"), (273_900_000, "3 d 4 h 5 m"), (-1500, "−1.5 s")],
)  # fmt: skip
def test_durations(ms: float, text: str) -> None:
    assert theme.duration(ms) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0 s"), (41_137, "41.137 s"), (41_500, "41.5 s"), (1_234_500, "1,234.5 s"), (100_000, "100 s")],
)
def test_lengths_to_the_millisecond(ms: int, text: str) -> None:
    assert theme.seconds(ms) == text


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
    assert theme.memory(mb) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(None, "s", "–"), (512.25, "s", "8 m 32.3 s"), (0.6129, "share", "61.3 %"), (1.8, "x", "1.80 x"), (1, "containers", "1 container"),
     (1234, "containers", "1,234 containers"), (1, "vcores", "1 vcore"), (2048, "MB", "2 GB")],
)  # fmt: skip
def test_every_number_has_its_unit(value: float | None, unit: str, text: str) -> None:
    assert theme.amount(value, unit) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (float("nan"), "–"), (float("inf"), "∞"), (0, "0"), (301, "301"), (301.0344, "301"), (0.31254, "0.3125"), (12_345.6, "12,346"),
     (-0.5, "−0.5"), (0.00012346, "0.0001235"), (1.2e-7, "1.2 × 10⁻⁷"), (-2.5e12, "−2.5 × 10¹²"), (2_147_483, "2,147,483")],
)  # fmt: skip
def test_bare_numbers_have_four_digits(value: float | None, text: str) -> None:
    assert theme.number(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(None, "s", "–"), (12.25, "s", "12.3 s"), (0.6129, "share", "61.3 %"), (8192, "MB", "8 GB"), (0.53219, "containers/s", "0.5322 containers/s"),
     (301.03, "", "301"), ("job1", "", "job1"), (True, "", "yes"), (float("inf"), "s", "∞ s"),
     (9377.3, "ms", "9.4 s"), (1, "maps", "1 map"), (2, "maps", "2 maps"), (1, "per s", "1 per s")],
)  # fmt: skip
def test_facts_have_any_unit(value: float | str | None, unit: str, text: str) -> None:
    assert theme.quantity(value, unit) == text


def test_a_title_names_its_unit_once() -> None:
    assert [
        theme.title_with_unit(*one) for one in (("Waited", "s"), ("Maps finished", "maps"), ("Place", ""))
    ] == ["Waited (s)", "Maps finished", "Place"]


def test_charts_are_not_sent_anywhere() -> None:
    assert theme.GRAPH_CONFIG["showSendToCloud"] is False
