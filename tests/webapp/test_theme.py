"""Colours are told apart by every eye and in grey print."""

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
# tasks of executors have the colour of maps: both compute from their input
SOLID = [phase for phase in theme.PHASES if not phase.hatch and phase.key != "task"]
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
            # they also differ in shape, and stand on charts of their own
            assert difference >= 0.07, f"{colour} and {phase.key} differ by {difference:.3f}"


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
            # as of earlier and later
            assert difference >= 0.07, f"{colour} and {taken} differ by {difference:.3f}"


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
    assert len(hatched) == 8
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


def test_charts_are_not_sent_anywhere() -> None:
    assert theme.GRAPH_CONFIG["showSendToCloud"] is False
