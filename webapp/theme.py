"""Colours and number formats: one place, so that a colour means one thing and every number has its unit on
every chart and table.

The colours are apart for normal, protan, deutan and tritan eyes and stand out 3:1 from the page (WCAG 2.2,
1.4.11); those of phases step in lightness, so a grey print reads too, and no scheduler has one of theirs.
tests/webapp/test_theme.py computes it. Room in which nothing is done is hatched or grey.

Times: when something happens is said as the axes count it, m:ss (`moment`; `clock` where it moves or whole
seconds are enough), and so is a makespan beside a chart, for one reads it off the axis; how long anything
else lasts is said with its units (`duration`). Columns that are sorted and copied, and what one enters, are
plain numbers of s.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from itertools import count as count_up
from typing import NamedTuple

from webapp.messages import msg

FONT = msg("shared.apple_system_blinkmacsystemfont_segoe_ui_rob")


class Look(NamedTuple):
    """The page's own colours, light or dark; `paper` is Mantine's body colour of that scheme."""

    paper: str
    ink: str
    muted: str
    line: str
    grid: str
    raised: str


LIGHT = Look(
    paper="#ffffff", ink="#1f2328", muted="#5c636b", line="#b4bac1", grid="#e9ecef", raised="#ffffff"
)
DARK = Look(paper="#242424", ink="#e9ebee", muted="#a4abb3", line="#5d636a", grid="#363a3e", raised="#2e3135")


def look(dark: bool) -> Look:
    """The page's colours in this scheme."""
    return DARK if dark else LIGHT


class Phase(NamedTuple):
    """What room is used for. hatch: plotly's pattern shape over the colour, "" for none: nothing is done in
    hatched room; about: a sentence for the legend.
    """

    key: str
    title: str
    light: str
    dark: str
    hatch: str
    about: str

    def colour(self, dark: bool) -> str:
        """Its colour in this scheme."""
        return self.dark if dark else self.light


MASTER_PHASE, MAP_PHASE, SHUFFLE_PHASE, WAITING_PHASE, REDUCE_PHASE, LAUNCHING_PHASE = range(6)
PHASES = (
    Phase("master", "Master", "#22272e", "#e6ebf1", "", msg("top.theme.jobs_applicationmaster_runs")),
    Phase("map", "Map", "#2f7ab8", "#74adf5", "", msg("top.theme.map_computes")),
    Phase("shuffle", "Shuffle", "#c8841a", "#f8b64d", "", msg("top.theme.reduce_fetches_maps_output")),
    Phase(
        "waiting",
        msg("top.theme.waiting_for_maps"),
        "#f0d6a8",
        "#5f4a26",
        "/",
        msg("top.theme.reduce_has_fetched_all_there_and"),
    ),
    Phase("reduce", "Reduce", "#6d1c83", "#9a6bb5", "", msg("top.theme.reduce_computes")),
    Phase(
        "launching",
        "Launching",
        "#cfe3df",
        "#2c4a46",
        "\\",
        msg("top.theme.container_has_started_its_files_localized"),
    ),
)
# Red is work that is of no use; the hatch says why.
_RED = "#b3220c", "#e5391f"
KILLED = Phase(
    "killed",
    "Killed",
    *_RED,
    "x",
    msg("top.theme.killed_reduce_made_room_for_map"),
)
FAILED = Phase("failed", "Failed", *_RED, "/", msg("top.theme.attempt_failed_its_work_wasted_and"))
LOST = Phase(
    "lost",
    "Lost",
    *_RED,
    "-",
    msg("top.theme.attempt_was_lost_with_its_node"),
)
WASTED = Phase(
    "wasted",
    "Wasted",
    *_RED,
    "x",
    msg("top.theme.where_capacity_goes_held_by_attempts"),
)
WASTED_OUTCOMES = (KILLED, FAILED, LOST)
IDLE_USES = (
    Phase(
        "unseen",
        msg("top.theme.freed_awaiting_heartbeat"),
        "#8d959e",
        "#7d8590",
        "",
        msg("top.theme.its_container_has_ended_but_scheduler"),
    ),
    Phase(
        "not_given",
        msg("top.theme.free_but_unassigned"),
        "#e3e6ea",
        "#3a3f44",
        "/",
        msg("top.theme.free_requested_and_fitting_node_but"),
    ),
    Phase(
        "fits_no_node",
        msg("top.theme.free_but_fragmented"),
        "#e3e6ea",
        "#3a3f44",
        ".",
        msg("top.theme.free_and_requested_but_fragmented_no"),
    ),
    Phase("unwanted", "Idle", "#f4f6f7", "#2b2d2f", "", msg("top.theme.free_and_no_request_waits_for")),
)
DOWN = Phase(
    "down",
    msg("top.theme.lost_node"),
    "#d3d8dd",
    "#454b51",
    "x",
    msg("top.theme.node_lost_no_container_runs_on"),
)
SPECULATIVE = Phase(
    "speculative",
    "Speculative",
    LIGHT.ink,
    DARK.ink,
    "",
    msg("top.theme.within_dashes_second_attempt_beside_first"),
)
LEGEND = (*PHASES, SPECULATIVE, *WASTED_OUTCOMES, WASTED, *IDLE_USES, DOWN)
OPTIONAL_KEYS = frozenset(
    {"launching", "speculative", "failed", "lost", "wasted", "down"}
)  # in a legend only where there is something of it
USUAL_PHASES = (*PHASES[:LAUNCHING_PHASE], KILLED)
PHASES_BY_KEY = {phase.key: phase for phase in LEGEND}


class Shift(NamedTuple):
    """How a container or job moves in time from one run to another; shapes say it too."""

    key: str
    title: str
    light: str
    dark: str
    symbol: str

    def colour(self, dark: bool) -> str:
        """Its colour in this scheme."""
        return self.dark if dark else self.light


# A pair of its own: colours no phase has, apart from them and from each other for every eye. They mean
# "when", never "what".
EARLIER = Shift("earlier", "Earlier", "#1b6a57", "#3a8859", "triangle-left")
LATER = Shift("later", "Later", "#d82bcb", "#f07ac1", "triangle-right")
UNCHANGED = Shift("alike", msg("top.theme.at_same_time"), "#5c636b", "#a4abb3", "circle")
SHIFTS = (EARLIER, LATER, UNCHANGED)


class ColourPair(NamedTuple):
    """One colour of a palette, light and dark."""

    light: str
    dark: str

    def colour(self, dark: bool) -> str:
        """Its colour in this scheme."""
        return self.dark if dark else self.light


# By a scheduler's place among those shown, the same on every chart; dash and symbol tell it too, and those of
# one colour apart.
SCHEDULERS = (
    ColourPair("#2455bc", "#728ef1"),
    ColourPair("#c15920", "#e47843"),
    ColourPair("#4c0464", "#6b5dcf"),
    ColourPair("#7982e7", "#42dff7"),
    ColourPair("#88160b", "#9f5b60"),
    ColourPair("#b08a9a", "#b18ea1"),
    ColourPair("#87658b", "#acca9d"),
    ColourPair("#544662", "#fde260"),
)
# Of jobs, queues or users where bars are coloured by these; those without a colour of their own have these
# two by turns.
GROUPS = (
    ColourPair("#3f9dca", "#8ec9e2"),
    ColourPair("#d87d1c", "#e4b066"),
    ColourPair("#3d3e9c", "#6697f6"),
    ColourPair("#58081b", "#9f5b60"),
    ColourPair("#97716a", "#ba8872"),
    ColourPair("#3a1463", "#7464ac"),
    ColourPair("#4b6dae", "#9bfaf9"),
    ColourPair("#683d56", "#e7ee97"),
)
OTHER_GROUPS = (ColourPair(LIGHT.muted, DARK.muted), ColourPair("#8c9095", "#848496"))


def scheduler(place: int, dark: bool) -> str:
    """The colour of the scheduler at this place among those shown."""
    return SCHEDULERS[place % len(SCHEDULERS)].colour(dark)


def group(place: int | None, dark: bool) -> str:
    """The colour of the job, queue or user at this place; of the others for None and for places without a
    colour of their own.
    """
    return (GROUPS[place] if place is not None and place < len(GROUPS) else OTHER_GROUPS[0]).colour(dark)


def colour(key: str, dark: bool) -> str:
    """The colour of the phase of this key."""
    return PHASES_BY_KEY[key].colour(dark)


def hatch_colour(key: str, dark: bool) -> str:
    """The colour of a phase's hatch: shuffle's for a shuffle that waits, else the page's grey."""
    return colour("shuffle", dark) if key == "waiting" else look(dark).muted


def legend(keys: Container[str], phases: Sequence[Phase] = LEGEND) -> list[Phase]:
    """What a legend has of these phases where there is something of these keys of OPTIONAL_KEYS."""
    return [phase for phase in phases if phase.key in keys or phase.key not in OPTIONAL_KEYS]


def css() -> str:
    """Style rules: --phase-KEY, --shift-KEY, --scheduler-0, …, --group-0, …, --group-others and
    --group-others-too; .scheduler-0, …, in which --scheduler is that scheduler's colour; and .swatch-KEY, a
    legend's patch with its hatch.
    """
    named = (
        {f"phase-{phase.key}": phase for phase in LEGEND}
        | {f"shift-{shift.key}": shift for shift in SHIFTS}
        | dict(zip(("group-others", "group-others-too"), OTHER_GROUPS))
    )
    named |= {
        f"{kind}-{place}": entry
        for kind, palette in (("scheduler", SCHEDULERS), ("group", GROUPS))
        for place, entry in enumerate(palette)
    }
    names = "".join(f"--{name}:light-dark({entry.light},{entry.dark});" for name, entry in named.items())
    schedulers = "".join(
        f".scheduler-{place}{{--scheduler:var(--scheduler-{place})}}" for place in range(len(SCHEDULERS))
    )
    return f":root{{{names}}}{schedulers}" + "".join(
        f".swatch-{phase.key}{{background:{_swatch_background(phase)}}}" for phase in LEGEND
    )


def _swatch_background(phase: Phase) -> str:
    under = f"var(--phase-{phase.key})"
    over = f"light-dark({hatch_colour(phase.key, False)},{hatch_colour(phase.key, True)})"
    lines = msg("top.theme.repeating_linear_gradient_px_transparent_px", over=over)
    if phase is SPECULATIVE:
        dashes = f"repeating-linear-gradient(90deg,{under} 0 2px,transparent 2px 4px)"
        return msg("top.theme.top_px_no_repeat_bottom_px", dashes=dashes)
    if phase in (KILLED, WASTED):
        return (
            f"repeating-linear-gradient(45deg,{under} 0 1.5px,transparent 1.5px "
            f"5px),repeating-linear-gradient(-45deg,{under} 0 1.5px,transparent 1.5px 5px)"
        )
    if phase in WASTED_OUTCOMES:
        return (
            f"repeating-linear-gradient({'-45deg' if phase.hatch == '/' else '0deg'},{under} 0 "
            "1.5px,transparent 1.5px 5px)"
        )
    crossed = f"{lines.format('45deg')},{lines.format('-45deg')},"
    patterns = {
        "": "",
        "x": crossed,
        "\\": f"{lines.format('45deg')},",
        "/": f"{lines.format('-45deg')},",
        ".": f"radial-gradient({over} 1px,transparent 1.2px) 0 0/4px 4px,",
    }
    return patterns[phase.hatch] + under


SYMBOLS = (
    "circle",
    "diamond",
    "square",
    "triangle-up",
    "x",
    "star",
    "pentagon",
    "hexagram",
    "cross",
    "triangle-down",
    "bowtie",
    "hourglass",
)
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")

GRAPH_CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,
    "scrollZoom": True,
    "doubleClick": "reset",
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg", "filename": "gantry"},
}


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, 0 to 1 (WCAG 2.2)."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in rgb(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def text_on(colour: str) -> str:
    """White where it reads well on this colour (4.5:1), else black."""
    return "#ffffff" if contrast("#ffffff", colour) >= 4.5 else "#000000"


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of #rrggbb, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def with_alpha(colour: str, alpha: float) -> str:
    """The colour seen through: rgba(…) as CSS and plotly read it."""
    red, green, blue = rgb(colour)
    return f"rgba({red},{green},{blue},{alpha:g})"


NO_VALUE = "–"  # stands where there is no number
TICK_STEPS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # of the ticks of a time axis
TICK_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)
MILLISECONDS_BELOW_S = 10  # a time that is shorter and not whole is said to the millisecond
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def seconds(ms: float) -> str:
    """A length of time to the millisecond, where `duration` is too rough: "1,234.5 s"."""
    return _strip_zeros(f"{ms / 1000:,.3f}") + " s"


def clock(seconds: float, digits: int | None = None) -> str:
    """When, in s, as a clock shows it: "4:41", "1:02:03", "0:00.250". digits: of parts of a second; without,
    three below FINE_S, else none.
    """
    if seconds < 0:
        return "−" + clock(-seconds, digits)
    if digits is None:
        digits = 3 if seconds < MILLISECONDS_BELOW_S and round(1000 * seconds) % 1000 else 0
    whole, part = divmod(int(seconds * 10**digits + 0.5), 10**digits)
    hours, remainder = divmod(whole, 3600)
    text = (
        f"{hours:,}:{remainder // 60:02}:{remainder % 60:02}"
        if hours
        else f"{remainder // 60}:{remainder % 60:02}"
    )
    return f"{text}.{part:0{digits}}" if digits else text


def ticks(x0_s: float, x1_s: float, max_count: int) -> list[tuple[float, str]]:
    """(seconds, text as `clock` has it) of at most `most` round times from x0_s to x1_s, as near to each
    other as that allows.
    """
    if not x1_s > x0_s or max_count < 1:
        return []
    first, last = math.ceil(1000 * x0_s - 1e-6), math.floor(1000 * x1_s + 1e-6)
    step = next(step for step in _tick_steps() if last // step + -first // step < max_count)
    digits = next(digits for digits in range(4) if step % 10 ** (3 - digits) == 0)
    return [(ms / 1000, clock(ms / 1000, digits)) for ms in range(-(-first // step) * step, last + 1, step)]


def _tick_steps() -> Iterator[int]:
    """The distances of ticks in ms, ascending without end: beyond a day 2, 5, 10, 20, … days."""
    yield from TICK_STEPS_MS
    yield from (1000 * step for step in TICK_STEPS_S)
    for power in count_up():
        yield from (86_400_000 * times * 10**power for times in (2, 5, 10))


def moment(ms: float) -> str:
    """When, as the axes count it, to the millisecond: "4:41", "0:41.137"."""
    whole = round(ms)
    return _strip_zeros(clock(whole / 1000, 3)) if whole % 1000 else clock(whole / 1000, 0)


def duration(ms: float) -> str:
    """How long, for people: "850 ms", "42.5 s", "1 m 42.5 s", "2 h 5 m 12 s", "3 d 4 h 5 m"."""
    if ms < 0:
        return "−" + duration(-ms)
    if ms < 999.5:  # a mean is seldom whole
        return f"{round(ms)} ms" if ms else "0 s"
    tenths = int(ms / 100 + 0.5)
    if tenths < 600:
        return _strip_zeros(f"{tenths / 10:.1f}") + " s"
    if tenths < 36_000:
        return f"{tenths // 600} m " + _strip_zeros(f"{tenths % 600 / 10:.1f}") + " s"
    whole = int(ms / 1000 + 0.5)
    if whole < 86_400:
        return msg("top.theme.h_m_s", whole=whole // 3600, whole2=whole // 60 % 60, whole3=whole % 60)
    minutes = int(ms / 60_000 + 0.5)
    return msg("top.theme.d_h_m", minutes=minutes // 1440, minutes2=minutes // 60 % 24, minutes3=minutes % 60)


def memory(mb: float) -> str:
    """Memory: "512 MB", "1.5 GB", "12 TB"; 1 GB = 1024 MB as in YARN."""
    for unit, size in (("TB", 2**20), ("GB", 2**10)):
        if abs(mb) >= size:
            return f"{_strip_zeros(f'{mb / size:,.1f}')} {unit}"
    return f"{_strip_zeros(f'{mb:,.1f}')} MB"


def vcores(number: float) -> str:
    """Virtual cores: "1 vcore", "64 vcores"."""
    return count(number, "vcores")


def count(number: float, noun: str) -> str:
    """A number of things by their plural: "1 container", "1,234 containers"."""
    text = _strip_zeros(f"{number:,.1f}")
    return f"{text} {noun.removesuffix('s') if text == '1' else noun}"


def percent(share: float) -> str:
    """A share of 1: "61.3 %"."""
    return _strip_zeros(f"{100 * share:,.1f}") + " %"


def amount(value: float | None, unit: str) -> str:
    """A metric's value by its unit: "s", "share", "x", "MB", or a plural noun; a dash where there is none."""
    if value is None:
        return NO_VALUE
    formatters = {
        "s": lambda: duration(1000 * value),
        "share": lambda: percent(value),
        "x": lambda: f"{value:,.2f} x",
        "MB": lambda: memory(value),
    }
    return formatters[unit]() if unit in formatters else count(value, unit)


def number(value: float | None) -> str:
    """A bare number, whole or to four significant digits: "301", "0.3125", "12,346", "1.2 × 10⁻⁷"; a dash
    where there is none.
    """
    if value is None or math.isnan(value):
        return NO_VALUE
    sign, size = "−" if value < 0 else "", abs(value)
    if math.isinf(size):
        return f"{sign}∞"
    if size < 1e9 and size == round(size):
        return f"{sign}{size:,.0f}"
    if 1e-4 <= size < 1e9:
        return sign + _strip_zeros(f"{size:,.{max(3 - math.floor(math.log10(size)), 0)}f}")
    mantissa, power = f"{size:.3e}".split("e")
    return f"{sign}{_strip_zeros(mantissa)} × 10{str(int(power)).translate(SUPERSCRIPTS)}"


def quantity(value: float | str | None, unit: str) -> str:
    """A number of any unit: times, shares and memory as `amount`, others as `number` with the unit behind it;
    words as they are.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or not math.isfinite(value) or not unit:
        text = number(value)
        return f"{text} {unit}" if unit and text != NO_VALUE else text
    if unit == "ms":
        return duration(value)
    if unit in ("s", "share", "MB") or (len(unit) > 2 and unit.isalpha() and value == 1):
        return amount(value, unit)
    return f"{number(value)} {unit}"


def title_with_unit(title: str, unit: str) -> str:
    """A title with its unit in brackets, unless it names that already, as "Maps finished" does."""
    return f"{title} ({unit})" if unit and unit not in title.lower().split() else title


def display_unit(unit: str) -> tuple[float, str]:
    """By what the numbers of a column or axis are multiplied, and the unit its title then names."""
    return {"ms": (0.001, "s"), "share": (1, msg("top.theme.share"))}.get(unit, (1, unit))


def _strip_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
