"""The report's page, put together a section at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from engine import METRICS, VERSION, quantities
from engine.dashboard import NONE, contenders, display_name, names_of, refusal_reasons, tightest
from webapp import theme
from webapp.figures import describe, full_window, rows
from webapp.figures.timeline import standalone, style
from webapp.messages import msg
from webapp.report import optimality_gap, summary_text
from webapp.report.html import Markup, table, tag, text
from webapp.runs.outcome import Outcome
from webapp.runs.task import Task

MAX_GROUPS = 20  # rows of nodes, queues or jobs of the scenario
MAX_JOBS = 40
SHORT_TABLE_ROWS = 16  # rows
STRIP_HEIGHTS = {"memory": 30, "vcores": 30, "capacity": 60}
MAX_PX = 220  # of all rows, so that two charts fit on a page
STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { max-width: 760px; margin: 0 auto; padding: 28px 18px 48px; background: #fff; color: #1f2328; font: 14px/1.45 FONT; overflow-wrap: anywhere; }
h1 { margin: 0 0 6px; font-size: 26px; line-height: 1.2; }
h2 { margin: 30px 0 8px; padding-top: 10px; border-top: 2px solid #1f2328; font-size: 18px; }
h3 { margin: 18px 0 4px; font: 600 15px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p { margin: 6px 0; }
.question { font-size: 16px; }
.verdict { margin: 12px 0; padding: 10px 14px; border-left: 4px solid #2f7ab8; background: #f1f6fb; font-size: 15px; }
.quiet, caption, figcaption, footer { color: #5c636b; font-size: 12.5px; }
.tables { overflow-x: auto; }
table { width: 100%; margin: 8px 0 14px; border-collapse: collapse; font-size: 12.5px; font-variant-numeric: tabular-nums; }
caption { padding: 0 0 3px; text-align: left; }
th, td { padding: 3px 8px 3px 0; border-bottom: 1px solid #d9dde1; text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-bottom: 1.5px solid #5c636b; font-weight: 600; }
thead th:not(.number) { white-space: nowrap; }
.number { padding: 3px 0 3px 8px; text-align: right; }
td.number { white-space: nowrap; }
.best { font-weight: 700; }
figure { margin: 4px 0 18px; }
figure svg { display: block; width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; margin: 0; }
dd { margin: 0; }
a { color: #1d4fa3; }
@page { margin: 12mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2, h3, caption { break-after: avoid; }
  h2 { margin-top: 14px; padding-top: 6px; }
  .verdict { margin: 8px 0; padding: 4px 12px; }
  table { margin: 3px 0 8px; font-size: 8.5pt; }
  th, td, .number { padding-block: 2px; }
  figure svg { width: 90%; }
  .first p { margin: 0; }
  h3 { margin: 0; }
  figure { margin: 0 0 8px; }
  figcaption { font-size: 8pt; line-height: 1.35; }
  .first, figure, tr, .verdict, .short table, footer { break-inside: avoid; }
  .tables { overflow: visible; }
  thead { display: table-header-group; }
}
/* Two charts to a page on Letter too, which is lower than A4. */
@media print and (max-height: 282mm) { figure svg { width: 80%; } }
""".replace("FONT", theme.FONT)  # noqa: E501
CONTENT_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="Gantry {version}">
{title}
<style>{style}</style>
</head>
<body>
<main>
"""


def report(task: Task, made_at: datetime, link: str | None = None, model: str | None = None) -> Iterator[str]:
    """The page in chunks. made: when; link, model: the addresses of the shared result and of the model's
    page, where there are any, with or without the dashboard's own before them."""
    outcomes = task.outcomes()
    title = task.scenario.name or msg("shared.untitled_scenario")
    yield HEAD.format(policy=CONTENT_POLICY, version=VERSION, title=tag("title", title), style=STYLE)
    about = (task.scenario.model_extra or {}).get("x_about")
    yield tag("h1", title) + (_quiet(about) if isinstance(about, str) else "")
    verdict = (tag("p", sentence) for sentence in summary_text.verdict(outcomes))
    yield tag("p", summary_text.question(task), cls="question") + tag("div", *verdict, cls="verdict")
    if task.random:
        yield _quiet(msg("report.page.durations_random_draw_seed_same_for", seed=task.scenario.seed))
    yield from _metrics_section(outcomes)
    yield from _scenario_section(task)
    yield from _charts_section(outcomes)
    yield from _jobs_section(outcomes)
    yield from _meanings_section(task)
    yield f"\n</main>\n{_provenance(task, made_at, link, model)}\n</body>\n</html>\n"


def _charts_section(outcomes: Sequence[Outcome]) -> Iterator[str]:
    layout = standalone.with_full_height(rows([outcome.scene for outcome in outcomes]))
    layout = layout._replace(px=min(layout.px, MAX_PX))
    window = full_window([outcome.run for outcome in outcomes])
    yield Markup(f"<style>{theme.css()}{style.css()}</style>{style.hatches()}")
    head = tag("h2", msg("report.page.what_runs_where_and_when"))
    head += _quiet(msg("report.page.bar_container_all_charts_share_one"))
    for number, outcome in enumerate(outcomes):
        gap = optimality_gap.gap_words(outcome, "makespan_s", outcomes)
        description = describe(outcome.run, outcome.metrics, above=gap)
        drawing = standalone.draw_run(
            outcome.scene,
            outcome.split,
            layout,
            window,
            title="",
            about=description,
            strips=STRIP_HEIGHTS,
            legend=number == 0,
        )
        name = tag("h3", _name_markup(outcome))
        figure = tag("figure", name, Markup(drawing), tag("figcaption", description))
        yield figure if number else tag("section", head, figure, cls="first")


def _name_markup(outcome: Outcome) -> Markup:
    """A scheduler's name, with its full text as a tooltip."""
    full_text = outcome.run.scheduler
    name = display_name(full_text)
    return tag("span", name, title=full_text) if name != full_text else text(name)


def _metrics_section(outcomes: Sequence[Outcome]) -> Iterator[str]:
    names = [_name_markup(outcome) for outcome in outcomes]
    yield tag("h2", msg("report.page.numbers"))
    metrics = [outcome.metrics for outcome in outcomes]
    scheduled = [place for place, outcome in enumerate(outcomes) if outcome.is_scheduled]
    table_rows = []
    for metric in METRICS:
        values = [outcome.metrics[metric.key] for outcome in outcomes]
        texts = [quantities.amount(value, metric.unit) for value in values]
        may_win = contenders(metrics, scheduled, metric.key)
        compared = [place in may_win for place in range(len(outcomes))]
        cells = zip(_mark_best(values, texts, compared, metric.better), outcomes)
        gaps = (text(cell) + _gap_markup(outcome, metric.key, outcomes) for cell, outcome in cells)
        table_rows.append([metric.title, *gaps])
    yield _table(msg("report.page.and_bold_best_schedulers_finish_at"), ["Metric", *names], table_rows)


def _gap_markup(outcome: Outcome, metric: str, outcomes: Sequence[Outcome]) -> Markup:
    """On a line of its own how far a time is above the best possible; nothing where it has no bound."""
    if metric not in optimality_gap.BOUNDED_METRICS:
        return Markup("")
    gap = optimality_gap.gap_of(outcome, metric, outcomes)
    return Markup("<br>") + tag("span", gap.sign, cls="quiet", title=gap.about) if gap else Markup("")


def _meanings_section(task: Task) -> Iterator[str]:
    """What no scheduler can beat, the tightest bound of each time by its name, or why that can't be told;
    then the metrics' formulas.
    """
    yield tag("h2", msg("report.page.what_numbers_mean"))
    outcomes = task.outcomes()
    bounds = max((optimality_gap.known_bounds(outcome, outcomes) for outcome in outcomes), key=len)
    names = {metric.key: metric.title for metric in METRICS}
    table_rows = [
        [
            f"{names[bound.metric]}: {bound.title[:1].lower()}{bound.title[1:]}",
            _with_no_break_spaces(quantities.amount(bound.at_least, "s")),
            bound.about,
        ]
        for metric in optimality_gap.BOUNDED_METRICS
        if (bound := tightest(bounds, metric))
    ]
    if table_rows:
        heads = ["Bound", msg("shared.at_least"), msg("shared.what")]
        yield _table(msg("report.page.what_no_scheduler_can_beat_tightest"), heads, table_rows, left=3)
    if because := optimality_gap.why_no_bounds(task):
        yield _quiet(because)
    formulas = (tag("dt", metric.title) + tag("dd", metric.formula) for metric in METRICS)
    yield tag("dl", *formulas, cls="quiet")


def _with_no_break_spaces(text: str) -> str:
    """Numbers stay with their units at the end of a line."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _jobs_section(outcomes: Sequence[Outcome]) -> Iterator[str]:
    names = [_name_markup(outcome) for outcome in outcomes]
    jobs = outcomes[0].run.workload.job_names
    refusals = [refusal_reasons(outcome.run) for outcome in outcomes]
    table_rows = []
    for job, name in enumerate(jobs[:MAX_JOBS]):
        times = [int(outcome.run.jobs.finish[job]) for outcome in outcomes]
        refused = [of_run.get(job) for of_run in refusals]
        failed = [bool(outcome.run.jobs.failed[job]) for outcome in outcomes]
        values = [None if ms == NONE else ms / 1000 for ms in times]
        texts = [
            msg("shared.refused", because=because)
            if because
            else quantities.NO_VALUE
            if ms == NONE
            else f"{quantities.moment(ms)}{' (failed)' if fails else ''}"
            for ms, fails, because in zip(times, failed, refused)
        ]
        compared = [not fails and outcome.is_scheduled for fails, outcome in zip(failed, outcomes)]
        table_rows.append([name, *_mark_best(values, texts, compared, "smaller")])
    yield tag("h2", msg("report.page.jobs"))
    yield _table(msg("report.page.when_each_job_finishes_as_charts"), ["Job", *names], table_rows)
    if len(jobs) > MAX_JOBS:
        yield _quiet(msg("report.page.first_jobs_csv_jobs_has_all", max_jobs=MAX_JOBS, jobs=len(jobs)))


def _table(caption: str, heads: Sequence[object], rows: Sequence[Sequence[object]], left: int = 1) -> Markup:
    """A table that scrolls where it is too wide; a short one is never parted between pages."""
    kind = "tables short" if len(rows) <= SHORT_TABLE_ROWS else "tables"
    return tag("div", table(caption, heads, rows, left), cls=kind)


def _quiet(sentence: str) -> Markup:
    return tag("p", sentence, cls="quiet")


def _mark_best(
    values: Sequence[float | None], texts: Sequence[str], compared: Sequence[bool], better: str | None
) -> list[object]:
    """The texts, the best marked where they differ."""
    candidates = {value for value, counts in zip(values, compared) if counts and value is not None}
    best = {"smaller": min, "larger": max}[better](candidates) if better and len(candidates) > 1 else None
    marks = [counts and value is not None and value == best for value, counts in zip(values, compared)]
    return [tag("span", f"★ {text}", cls="best") if mark else text for text, mark in zip(texts, marks)]


def _scenario_section(task: Task) -> Iterator[str]:
    yield tag("h2", msg("report.page.scenario")) + tag("p", summary_text.cluster_sentence(task.scenario))
    for caption, make in (
        (msg("report.page.cluster"), summary_text.node_table),
        (msg("report.page.queues"), summary_text.queue_table),
        (msg("report.page.batch"), summary_text.job_table),
    ):
        heads, rows = make(task.scenario)
        if rows:
            yield _table(caption, heads, rows[:MAX_GROUPS], left=len(heads))
        if len(rows) > MAX_GROUPS:
            most = msg("report.page.first_rows_scenarios_file_has_all", max_groups=MAX_GROUPS, rows=len(rows))
            yield _quiet(most)


def _provenance(task: Task, made_at: datetime, link: str | None, model: str | None) -> Markup:
    made = f"{made_at:%d %B %Y, %H:%M} UTC".lstrip("0") + msg("report.page.by_gantry", version=VERSION)
    rows: list[tuple[str, object]] = [("Made", made), ("Scenario", f"sha256 {task.scenario.digest}")]
    if link and "://" in link:
        rows.append((msg("report.page.open"), tag("a", link, href=link)))
    elif link:
        rows.append((msg("report.page.open"), msg("report.page.behind_dashboards_address", link=link)))
    if model:
        rows.append((msg("shared.limits_model"), tag("a", model, href=model)))
    flags = " ".join(f"--scheduler '{name}'" for name in names_of(task.schedulers))
    rows.append((msg("report.page.run_again"), tag("code", f"python -m engine run scenario.json {flags}")))
    entries = (tag("dt", name) + tag("dd", value) for name, value in rows)
    return tag("footer", tag("h2", msg("report.page.source")), tag("dl", *entries))
