"""Colours and looks: one place, so that a colour means one thing on every chart and table.

The colours are apart for normal, protan, deutan and tritan eyes and stand out 3:1 from the page (WCAG 2.2,
1.4.11); those of phases step in lightness, so a grey print reads too, and no scheduler has one of theirs.
tests/webapp/test_theme.py computes it. Room in which nothing is done is hatched or grey. How numbers are told
stands in engine/quantities.py.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from webapp.messages import msg

FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


class Look(NamedTuple):
    """The page's own colours, light or dark; `paper` is Mantine's body colour of that scheme."""

    paper: str
    ink: str
    muted: str
    line: str
    grid: str
    raised: str


LIGHT = Look("#ffffff", ink="#1f2328", muted="#5c636b", line="#b4bac1", grid="#e9ecef", raised="#ffffff")
DARK = Look("#242424", ink="#e9ebee", muted="#a4abb3", line="#5d636a", grid="#363a3e", raised="#2e3135")


def look(dark: bool) -> Look:
    """The page's colours in this scheme."""
    return DARK if dark else LIGHT


@dataclass(frozen=True)
class ColourPair:
    """A colour, light and dark."""

    light: str
    dark: str

    def colour(self, dark: bool) -> str:
        """As it is in this scheme."""
        return self.dark if dark else self.light


@dataclass(frozen=True)
class Phase(ColourPair):
    """What room is used for. hatch: plotly's pattern shape over the colour, "" for none: nothing is done in
    hatched room; about: a sentence for the legend.
    """

    key: str
    title: str
    hatch: str
    about: str


MASTER_PHASE, MAP_PHASE, SHUFFLE_PHASE, WAITING_PHASE, REDUCE_PHASE, LAUNCHING_PHASE = range(6)
TASK_PHASE = 6
_WAITING = msg("top.theme.reduce_has_fetched_all_there_and")
_LAUNCHING = msg("top.theme.container_has_started_its_files_localized")
_EXECUTOR_IDLE = msg("top.theme.executor_has_registered_and_runs_no")
_SLOTS_FREE = msg("top.theme.slots_free_of_executors_that_run")
_HELD_IDLE = msg("top.theme.container_is_held_and_runs_no")
PHASES = (
    Phase("#22272e", "#e6ebf1", "master", "Master", "", msg("top.theme.jobs_applicationmaster_runs")),
    Phase("#2f7ab8", "#74adf5", "map", "Map", "", msg("top.theme.map_computes")),
    Phase("#c8841a", "#f8b64d", "shuffle", "Shuffle", "", msg("top.theme.reduce_fetches_maps_output")),
    Phase("#f0d6a8", "#5f4a26", "waiting", msg("top.theme.waiting_for_input"), "/", _WAITING),
    Phase("#6d1c83", "#9a6bb5", "reduce", "Reduce", "", msg("top.theme.reduce_computes")),
    Phase("#cfe3df", "#2c4a46", "launching", "Launching", "\\", _LAUNCHING),
    # the map's colour: both compute from their input
    Phase("#2f7ab8", "#74adf5", "task", "Task", "", msg("top.theme.task_stage_computes")),
    Phase("#d5e3f0", "#2b3d52", "executor_idle", msg("top.theme.executor_idle"), "/", _EXECUTOR_IDLE),
    Phase("#d5e3f0", "#2b3d52", "slots_free", msg("top.theme.slots_free"), ".", _SLOTS_FREE),
    Phase("#d5e3f0", "#2b3d52", "held_idle", msg("top.theme.container_held_idle"), "-", _HELD_IDLE),
)
# Red is work that is of no use; the hatch says why.
_RED = "#b3220c", "#e5391f"
KILLED = Phase(*_RED, "killed", "Killed", "x", msg("top.theme.killed_reduce_to_let_map_run"))
FAILED = Phase(*_RED, "failed", "Failed", "/", msg("top.theme.attempt_failed_its_work_wasted_and"))
LOST = Phase(*_RED, "lost", "Lost", "-", msg("top.theme.attempt_was_lost_with_its_node"))
WASTED = Phase(*_RED, "wasted", "Wasted", "x", msg("top.theme.where_capacity_goes_held_by_attempts"))
WASTED_OUTCOMES = (KILLED, FAILED, LOST)
_UNSEEN = msg("top.theme.its_container_has_ended_but_scheduler")
_NOT_GIVEN = msg("top.theme.free_requested_and_fitting_node_but")
_FITS_NO_NODE = msg("top.theme.free_and_requested_but_fragmented_no")
IDLE_USES = (
    Phase("#8d959e", "#7d8590", "unseen", msg("top.theme.freed_awaiting_heartbeat"), "", _UNSEEN),
    Phase("#e3e6ea", "#3a3f44", "not_given", msg("top.theme.free_but_unassigned"), "/", _NOT_GIVEN),
    Phase("#e3e6ea", "#3a3f44", "fits_no_node", msg("top.theme.free_but_fragmented"), ".", _FITS_NO_NODE),
    Phase("#f4f6f7", "#2b2d2f", "unwanted", "Idle", "", msg("top.theme.free_and_no_request_waits_for")),
)
_LOST_NODE = msg("top.theme.lost_node")
DOWN = Phase("#d3d8dd", "#454b51", "down", _LOST_NODE, "x", msg("top.theme.node_lost_capacity_unavailable"))
_SECOND_ATTEMPT = msg("top.theme.dashed_outline_second_attempt_task_whose")
SPECULATIVE = Phase(LIGHT.ink, DARK.ink, "speculative", "Speculative", "", _SECOND_ATTEMPT)
LEGEND = (*PHASES, SPECULATIVE, *WASTED_OUTCOMES, WASTED, *IDLE_USES, DOWN)
# in a legend only where there is something of it
OF_MAPREDUCE = frozenset({"map", "shuffle", "waiting", "reduce"})
OF_TASKS = OF_MAPREDUCE | {"task", "executor_idle", "slots_free", "held_idle"}
OPTIONAL_KEYS = OF_TASKS | {"killed", "launching", "speculative", "failed", "lost", "wasted", "down"}
USUAL_PHASES = (*PHASES[:LAUNCHING_PHASE], KILLED)
PHASES_BY_KEY = {phase.key: phase for phase in LEGEND}


@dataclass(frozen=True)
class Shift(ColourPair):
    """How a container or job moves in time from one run to another; shapes say it too."""

    key: str
    title: str
    symbol: str


# A pair of its own: colours no phase has, apart from them and from each other for every eye. They mean
# "when", never "what".
EARLIER = Shift("#1b6a57", "#3a8859", "earlier", "Earlier", "triangle-left")
LATER = Shift("#d82bcb", "#f07ac1", "later", "Later", "triangle-right")
UNCHANGED = Shift("#5c636b", "#a4abb3", "alike", msg("top.theme.at_same_time"), "circle")
SHIFTS = (EARLIER, LATER, UNCHANGED)


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
    if phase is SPECULATIVE:
        dashes = f"repeating-linear-gradient(90deg,{under} 0 2px,transparent 2px 4px)"
        return f"{dashes} top/100% 2px no-repeat,{dashes} bottom/100% 2px no-repeat"
    if phase in (KILLED, WASTED):
        return f"{_stripes(45, under, 1.5, 5)},{_stripes(-45, under, 1.5, 5)}"
    if phase in WASTED_OUTCOMES:
        return _stripes(-45 if phase.hatch == "/" else 0, under, 1.5, 5)
    patterns = {
        "": "",
        "x": f"{_stripes(45, over)},{_stripes(-45, over)},",
        "\\": f"{_stripes(45, over)},",
        "/": f"{_stripes(-45, over)},",
        "-": f"{_stripes(0, over)},",
        ".": f"radial-gradient({over} 1px,transparent 1.2px) 0 0/4px 4px,",
    }
    return patterns[phase.hatch] + under


def _stripes(degrees: int, colour: str, px: float = 1, period_px: int = 4) -> str:
    return f"repeating-linear-gradient({degrees}deg,{colour} 0 {px}px,transparent {px}px {period_px}px)"


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

GRAPH_CONFIG: dict[str, Any] = {
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
