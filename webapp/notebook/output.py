"""The HTML of a value in a notebook: it brings its own style, and follows the notebook's scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, singledispatch
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from engine import METRICS, Comparison, Run, capacity_split, quantities, study_table, summary
from engine.dashboard import (
    MEASURED,
    STUDY_MEASURES,
    UNDONE,
    Explanation,
    Metric,
    Prediction,
    StudyResult,
    contenders,
    display_name,
    estimates,
    replay_sentences,
    replay_text,
    winners,
)
from webapp import theme
from webapp.figures import Scene, describe, full_window, rows
from webapp.figures.timeline import standalone, style
from webapp.messages import msg

STRIPS = {"memory": 30, "vcores": 30}
BEST_MARK = "★ "
NAME = "gantry-output"
# where the notebook says which scheme it has; elsewhere it is the browser's
LIGHT = ('[data-jp-theme-light="true"]', "body.vscode-light", "html[theme=light]")
DARK = ('[data-jp-theme-light="false"]', "body.vscode-dark", "html[theme=dark]")


@singledispatch
def output(value: Any) -> str:
    """Of a Run, a Comparison, a StudyResult, a Prediction or an Explanation."""
    raise TypeError(type(value))


@output.register
def _of_run(run: Run) -> str:
    return _page(*_charts([run], STRIPS), _metrics_table([run]))


@output.register
def _of_comparison(comparison: Comparison) -> str:
    return _page(*_charts(comparison.runs, {}), _metrics_table(comparison.runs))


@output.register
def _of_study(result: StudyResult) -> str:
    study = result.study
    shown = [key for key in study.metrics if key not in UNDONE and np.any(result.of(key))]
    cells, places = [], []
    for metric in (STUDY_MEASURES[key] for key in shown):
        mean, best = estimates(result, metric.key), winners(result, metric.key)
        for point, values in enumerate(study.points):
            places.append((metric.title, *map(str, values)))
            cells.append(
                [
                    (BEST_MARK if best[point].is_clear and best[point].scheduler_index == place else "")
                    + quantities.estimate(float(centre), float(half), metric.unit)
                    for place, (centre, half) in enumerate(zip(mean.mean[point], mean.half[point]))
                ]
            )
    index = pd.MultiIndex.from_tuples(places, names=["", *(parameter.path for parameter in study.vary)])
    table = pd.DataFrame(cells, index=index, columns=[*map(display_name, study.schedulers)])
    return _page(_table(table), _details(msg("notebook.output.answer"), study_table(result, shown)))


@output.register
def _of_prediction(prediction: Prediction) -> str:
    sentences = (f"<p>{escape(sentence)}</p>" for sentence in replay_sentences(prediction))
    return _page(*sentences, _details(msg("notebook.output.job_by_job"), replay_text(prediction)))


@output.register
def _of_explanation(explanation: Explanation) -> str:
    because, _, rest = repr(explanation).partition("\n")
    return _page(f"<p>{escape(because)}</p><pre>{escape(rest)}</pre>")


def _page(*parts: str) -> str:
    """The parts on paper of their own."""
    return f'<div class="{NAME}">{_css()}{style.hatches()}{"".join(parts)}</div>'


@cache
def _css() -> str:
    """All rules are nested in the output's class, so that the rest of the notebook keeps its look."""
    schemes = ((LIGHT, "light"), (DARK, "dark"))
    ink, paper, line = (
        f"light-dark({getattr(theme.LIGHT, key)},{getattr(theme.DARK, key)})"
        for key in ("ink", "paper", "line")
    )
    own = (
        f"color-scheme:light dark;background:{paper};color:{ink};padding:8px;overflow-x:auto;"
        f"font:13px/1.4 {theme.FONT};"
        "svg{display:block;max-width:100%;height:auto;margin:0 0 8px}"
        "table{border-collapse:collapse;font-size:12px;font-variant-numeric:tabular-nums;margin:0}"
        "tr,th,td{background:none!important;color:inherit!important}"
        f"th,td{{padding:2px 10px 2px 0;border:0;border-bottom:1px solid {line};text-align:right}}"
        "tbody th{text-align:left!important}td{white-space:nowrap}"
        "p{margin:4px 0}summary{cursor:pointer}pre{color:inherit;overflow-x:auto}"
    )
    drawing = f"{theme.css().replace(':root', '&')}{style.css()}"
    told = "".join(
        f"{','.join(f'{where} &' for where in notebooks)}{{color-scheme:{scheme}}}"
        for notebooks, scheme in schemes
    )
    painted = "&:has(image){color-scheme:light!important}"  # a picture of a large run has one scheme
    return f"<style>.{NAME}{{{own}{drawing}{told}{painted}}}</style>"


def _charts(runs: Sequence[Run], strips: dict[str, int]) -> Iterable[str]:
    """A chart a run, one under the other, on the same rows and times."""
    scenes = [Scene(run) for run in runs]
    layout, window = standalone.with_full_height(rows(scenes)), full_window(runs)
    for number, (run, scene) in enumerate(zip(runs, scenes), 1):
        if run.because:
            yield f"<p>{escape(describe(run, summary(run)))} {escape(run.because)}</p>"
        yield standalone.draw_run(
            scene,
            capacity_split(run) if strips else None,
            layout,
            window,
            title=display_name(run.scheduler),
            about=describe(run, summary(run)),
            strips=strips,
            legend=number == len(runs),
        )


def _metrics_table(runs: Sequence[Run]) -> str:
    """A row a metric, a column a run; the best are marked where they differ. Of what never happened there is
    no row.
    """
    summaries = [summary(run) for run in runs]
    simulated = [place for place, run in enumerate(runs) if run.scheduler != MEASURED.name]
    shown = [metric for metric in METRICS if any(of_run[metric.key] for of_run in summaries)]
    table = pd.DataFrame(
        [_cells(metric, summaries, simulated) for metric in shown],
        index=[metric.title for metric in shown],
        columns=[display_name(run.scheduler) for run in runs],
    )
    return _table(table)


def _cells(metric: Metric, summaries: Sequence[dict[str, Any]], simulated: Sequence[int]) -> list[str]:
    """One metric's texts; of those at these places the best are marked."""
    values = [of_run[metric.key] for of_run in summaries]
    compared = contenders(summaries, simulated, metric.key)
    known = {values[place] for place in compared if values[place] is not None}
    choose: dict[str | None, Callable[..., Any]] = {"smaller": min, "larger": max}
    best = choose[metric.better](known) if metric.better and len(known) > 1 else None
    return [
        (BEST_MARK if place in compared and value == best else "") + quantities.amount(value, metric.unit)
        for place, value in enumerate(values)
    ]


def _table(table: pd.DataFrame) -> str:
    return table.to_html(border=0)


def _details(title: str, text: str) -> str:
    return f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"
