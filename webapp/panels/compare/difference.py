"""What changed between two schedulers: which jobs gained and lost, both runs above one another, and each container's shift."""

from __future__ import annotations

from functools import lru_cache

import dash_mantine_components as dmc
import numpy as np
from dash import Dash, Input, Output, State, html, no_update

from engine import NONE, OUTCOMES, WASTED, Difference, Run, difference
from webapp import theme
from webapp.figures.charts.container_shifts import shift_table, shifts_figure, strongest_ms
from webapp.figures.charts.job_gains import MOST_ROWS, changed, gains_figure, jobs_table, shift_text
from webapp.figures.charts.run_pictures import strips_figure
from webapp.figures.highlight import chosen_jobs
from webapp.figures.timeline.scene import Scene
from webapp.panels.compare import chart_card
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.components import legend
from webapp.panels.sections import inner, opened, tab
from webapp.services.runs import Task

MOST_PAIRS = 1  # of runs whose difference is held ready: it holds both runs
ONE = "One scheduler was run; add another to see what changes between two."
SAME = "Choose two different schedulers to see what changes between them."
ALIKE = "They schedule every container alike."
GAINS = "A bar to the left: the job finishes so much earlier under {b} than under {a}; to the right: later."
STRIPS = "The same rows and the same time axis twice: a row is a node's room for one container, {a} on top, {b} below."
MARKS = "A row a job, by arrival. A mark is a container where it starts under {b}; its tail begins where it starts under {a}. Hollow: it runs on another node."
SHADES = "A row a job, by arrival. The colour shows by how much the containers that run there under {b} start earlier or later than under {a}, on average."


@lru_cache(maxsize=MOST_PAIRS)
def found(task: Task, a: str, b: str) -> Difference:
    """From the one scheduler's run to the other's."""
    return difference(*(task.outcome(name).run for name in (a, b)))


def jobs_sentence(of: Difference) -> str:
    """How many jobs gain and lose by the second scheduler, and how much in the mean."""
    change = of.finish_ms[of.compared]
    a, b = of.a.scheduler, of.b.scheduler
    parts = _either_way(change, "job", "finish")
    same = int((change == 0).sum())
    if same:
        parts.append(f"{theme.count(same, 'jobs') if parts else _many(same, 'job', 'finish')} at the same time")
    never = [run.jobs.finish == NONE for run in (of.a, of.b)]
    for only, word in ((~never[0] & never[1], f"only under {a}"), (never[0] & ~never[1], f"only under {b}"), (never[0] & never[1], "under neither")):
        if only.any():
            parts.append(f"{_many(int(only.sum()), 'job', 'finish')} {word}")
    parts += [f"{theme.count(int(run.jobs.failed.sum()), 'jobs')} failed under {run.scheduler}" for run in (of.a, of.b) if run.jobs.failed.any()]
    return f"Under {b}, compared with {a}: {'; '.join(parts)}."


def containers_sentence(of: Difference) -> str:
    """How many containers start earlier, later and elsewhere, and how many have no counterpart."""
    if not len(of.in_a):
        return f"No task finishes under both, so no container can be compared. {_rest(of)}".strip()
    parts = _either_way(of.start_ms, "container", "start")
    same, moved = int((of.start_ms == 0).sum()), int(of.moved.sum())
    if same:
        parts.append(f"{theme.count(same, 'containers') if parts else _many(same, 'container', 'start')} at the same time")
    share = theme.percent(moved / len(of.in_a))
    return f"{'; '.join(parts)}. Of {theme.count(len(of.in_a), 'containers')}, {share} run on another node. {_rest(of)}".strip()


def _either_way(shift: np.ndarray, noun: str, verb: str) -> list[str]:
    """How many of them are earlier and later, and by how much in the mean; shift: in ms."""
    parts = []
    for chosen, word in ((shift[shift < 0], "earlier"), (shift[shift > 0], "later")):
        if len(chosen):
            mean = theme.duration(abs(float(chosen.mean())))
            parts.append(f"{_many(len(chosen), noun, verb)} {word}, {'by' if len(chosen) == 1 else 'on average by'} {mean}")
    return parts


def _many(count: int, noun: str, verb: str) -> str:
    """ "1 job finishes", "2 jobs finish"."""
    ending = ("es" if verb.endswith("sh") else "s") if count == 1 else ""
    return f"{theme.count(count, noun + 's')} {verb}{ending}"


def _rest(of: Difference) -> str:
    counts = [f"{count:,} under {one.scheduler}{_wasted(one)}" for one, count in ((of.a, of.only_a), (of.b, of.only_b)) if count]
    return f"Without a counterpart that finished: {', '.join(counts)}." if counts else ""


def _extremes(of: Difference) -> str:
    """The largest gain and loss by name."""
    jobs = changed(of)
    names, change = of.a.workload.job_names, of.finish_ms
    parts = []
    if change[jobs[0]] < 0:
        parts.append(f"The largest gain: {names[jobs[0]]}, {shift_text(int(change[jobs[0]]))}.")
    if change[jobs[-1]] > 0:
        parts.append(f"The largest loss: {names[jobs[-1]]}, {shift_text(int(change[jobs[-1]]))}.")
    return " ".join(parts)


def _wasted(run: Run) -> str:
    """ " (2 killed, 1 failed)", "" where nothing was wasted."""
    counts = [(int((run.containers.outcome == one).sum()), OUTCOMES[one]) for one in WASTED]
    some = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    return f" ({some})" if some else ""


def pictures(of: Difference, highlighted: np.ndarray | None, dark: bool, width: int, scenes: tuple[Scene, Scene] | None = None) -> list[Picture]:
    """What is shown of two runs that are not alike. scenes: theirs, where they are there already."""
    a, b = of.a.scheduler, of.b.scheduler
    shown = []
    jobs = len(changed(of))
    if jobs:
        story = _extremes(of) + (f" Drawn are the {MOST_ROWS} largest of {jobs:,} changes." if jobs > MOST_ROWS else "")
        figure = gains_figure(of, highlighted=highlighted, dark=dark, width=width)
        shown.append(Picture("difference-jobs", "Which jobs gain and which lose?", GAINS.format(a=a, b=b), story, figure, jobs_table(of, chart_card.MOST_ROWS)))
    verb = lambda run: "takes" if run.status == "finished" else "deadlocked after"
    lengths = "; ".join(f"{run.scheduler} {verb(run)} {theme.duration(run.until_ms - run.first_ms)}" for run in (of.a, of.b))
    scenes = scenes or (Scene(of.a), Scene(of.b))
    figure = strips_figure(*scenes, dark=dark, width=width)
    colours = legend(theme.legend(scenes[0].legend | scenes[1].legend, (*theme.PHASES, *theme.WASTES)), "Colours of the phases")
    shown.append(Picture("difference-runs", "What do both runs look like?", STRIPS.format(a=a, b=b), f"{lengths}.", figure, _runs_table(of), colours))
    if len(of.in_a):
        figure = shifts_figure(of, highlighted=highlighted, dark=dark, width=width)
        exact = figure["layout"]["meta"]["mode"] == "exact"
        title, reading = "Which containers start earlier, later or elsewhere?", (MARKS if exact else SHADES).format(a=a, b=b)
        shown.append(Picture("difference-containers", title, reading, containers_sentence(of), figure, shift_table(of), _legend(of, exact)))
    return shown


def layout() -> html.Section:
    """The choice of both, the sentences, and room for the pictures."""
    first, second = (
        html.Div(
            dmc.Select(id=f"difference-{key}", size="xs", data=[], allowDeselect=False, comboboxProps={"withinPortal": True}, **{"aria-label": title}),
            className="difference-choice",
        )
        for key, title in (("a", "From this scheduler"), ("b", "To this scheduler"))
    )
    return tab(
        "difference",
        "What changed between two schedulers?",
        html.Div(id="difference-says", className="finding"),
        html.Div(id="difference-room", className="wide-pictures"),
        tools=html.Div([html.Span("From"), first, html.Span("to"), second], className="tools difference-pair"),
    )


def register(app: Dash) -> None:
    """Callbacks: which can be chosen, and filling it while it is open."""

    @app.callback(
        Output("difference-a", "data"),
        Output("difference-b", "data"),
        Output("difference-a", "value"),
        Output("difference-b", "value"),
        Input("open-difference", "data"),
        State("difference-a", "value"),
        State("difference-b", "value"),
        prevent_initial_call=True,
    )
    def offer(key: str | None, a: str | None, b: str | None):
        task = opened(key)
        if task is None:
            return [no_update] * 4
        names = list(task.names)
        return names, names, *pair(names, a, b if a != b else None)

    @app.callback(
        Output("difference-says", "children"),
        Output("difference-room", "children"),
        Input("open-difference", "data"),
        Input("difference-a", "value"),
        Input("difference-b", "value"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def fill(key: str | None, a: str | None, b: str | None, highlight: str | None, scheme: str | None, width: float | None):
        task = opened(key)
        if task is None:
            return no_update, no_update
        if len(task.names) < 2:
            return html.P(ONE), []
        a, b = pair(task.names, a, b)
        if a == b:
            return html.P(SAME), []
        of = found(task, a, b)
        if of.alike:
            return html.P(html.Strong(ALIKE)), []
        scenes = tuple(task.outcome(name).scene for name in (a, b))
        drawn = pictures(of, chosen_jobs(of.a, highlight), scheme == "dark", inner(width), scenes)
        sentences = [html.P(html.Strong(jobs_sentence(of))), *([] if len(of.in_a) else [html.P(containers_sentence(of))])]
        return sentences, [card(one) for one in drawn]


def pair(names: list[str] | tuple[str, ...], a: str | None, b: str | None) -> tuple[str, str]:
    """The two that are compared: what was chosen, if both were run, else the first and the second."""
    if a in names and b in names:
        return a, b
    return names[0], names[min(1, len(names) - 1)]


def _legend(of: Difference, exact: bool) -> html.Ul:
    """What the marks, or the colours, mean."""
    if exact:
        marks = [*(("◀▶●"[place], shift.key, shift.title) for place, shift in enumerate(theme.SHIFTS)), ("◁▷", "alike", "Hollow: on another node")]
    else:
        most = f"the fuller the more, up to {theme.duration(strongest_ms(of))}"
        marks = [("■", shift.key, shift.title if shift is theme.ALIKE else f"{shift.title}, {most}") for shift in theme.SHIFTS]
    items = [html.Li([html.Span(mark, className=f"shift shift-{key}", **{"aria-hidden": "true"}), title]) for mark, key, title in marks]
    return html.Ul(items, className="legend", **{"aria-label": "Marks of earlier and later"})


def _runs_table(of: Difference) -> list[dict]:
    facts = (
        ("Length (s)", lambda run: (run.until_ms - run.first_ms) / 1000),
        ("Jobs finished", lambda run: int(((run.jobs.finish != NONE) & ~run.jobs.failed.astype(bool)).sum())),
        ("Jobs failed", lambda run: int(run.jobs.failed.sum())),
        ("Containers started", lambda run: len(run.containers.job)),
        *((f"Containers {OUTCOMES[one]}", lambda run, one=one: int((run.containers.outcome == one).sum())) for one in WASTED),
    )
    return [{"Of the run": title, of.a.scheduler: number(of.a), of.b.scheduler: number(of.b)} for title, number in facts]
