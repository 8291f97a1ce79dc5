"""A study's figure for print, as SVG or PDF: what it shows stands in a footer, and the same study gives the same bytes.

One parameter: a line a scheduler with its band. Two: a map of the winner. None: the distribution of each scheduler. Text stays text: in SVG as such,
in PDF with its font embedded (Type 42), as publishers ask.
"""

from __future__ import annotations

import io
import textwrap
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from engine.errors import GantryError
from engine.output.study_drawings import LETTER, SMALL_PT, draw
from engine.output.study_files import NotInstalled
from engine.output.study_words import full_names, origin
from engine.studies.measures import MEASURES
from engine.studies.result import StudyResult
from engine.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NARROW_IN, WIDE_IN = 3.4, 7.0  # a column of a paper and both of them
KINDS = ("svg", "pdf", "png")
TEXT_PT, FOOT_PT = 7.5, 5.5
FOOT_LINE = 1.3  # of a letter's size, from one line to the next
MARGIN_IN = 0.04
PLOT_IN, TALLER = 2.3, 0.4  # height of a narrow figure without its footer, and the power of its width with which it grows
DPI = 200  # of PNG
STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same on every machine
    "font.size": TEXT_PT,
    "axes.labelsize": TEXT_PT,
    "axes.linewidth": 0.6,
    "axes.unicode_minus": False,
    "text.parse_math": False,  # a job may be called $1
    "xtick.labelsize": SMALL_PT,
    "ytick.labelsize": SMALL_PT,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.fontsize": SMALL_PT,
    "hatch.linewidth": 0.4,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "gantry",
}


def needs_matplotlib() -> None:
    """NotInstalled without it."""
    if find_spec("matplotlib") is None:
        raise NotInstalled("a figure needs matplotlib: pip install 'gantry[print]'")


def study_figure(found: StudyResult, metric: str, kind: str = "svg", width_in: float = NARROW_IN) -> bytes:
    """The file's bytes. metric: one of the study's; kind: one of KINDS; width_in: in inches. NotInstalled without matplotlib; GantryError without numbers."""
    needs_matplotlib()
    from matplotlib import rc_context, rcParamsDefault

    if not (found.of(metric) == found.of(metric)).any():
        raise GantryError(f"no figure: no run has a number for {MEASURES[metric].title.lower()}")
    with rc_context({**rcParamsDefault, "backend": "agg", **STYLE}):
        figure = _figure(found, metric, width_in)
        stream = io.BytesIO()
        figure.savefig(stream, format=kind, dpi=DPI, metadata=_metadata(found, metric, kind))
    return stream.getvalue()


def _figure(found: StudyResult, metric: str, width_in: float) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width_in, PLOT_IN * (width_in / NARROW_IN) ** TALLER), layout="constrained")
    lines = _footer(found, metric, width_in, draw(figure, found, MEASURES[metric]))
    plot_in = figure.get_figheight()
    foot_in = len(lines) * FOOT_PT * FOOT_LINE / 72 + 2 * MARGIN_IN
    whole_in = plot_in + foot_in
    figure.set_size_inches(width_in, whole_in)
    figure.get_layout_engine().set(rect=(0, foot_in / whole_in, 1, plot_in / whole_in), w_pad=MARGIN_IN, h_pad=MARGIN_IN)
    figure.text(MARGIN_IN / width_in, MARGIN_IN / whole_in, "\n".join(lines), fontsize=FOOT_PT, color="#444444", va="bottom", linespacing=FOOT_LINE)
    return figure


def _footer(found: StudyResult, metric: str, width_in: float, note: str) -> list[str]:
    """What the figure shows, wrapped to its width."""
    of, study = MEASURES[metric], found.study
    better = {"smaller": " Smaller is better.", "larger": " Larger is better."}.get(of.better or "", "")
    full = ", ".join(f"{name} = {full}" for name, full in full_names(study))
    said = [f"{of.title}: {of.formula}{better} {note}", f"In full: {full}." if full else "", origin(study)]
    letters = int((width_in - 2 * MARGIN_IN) * 72 / (FOOT_PT * LETTER))
    return [line for sentence in said if sentence for line in textwrap.wrap(sentence.replace(" %", "\N{NO-BREAK SPACE}%"), letters, break_on_hyphens=False)]


def _metadata(found: StudyResult, metric: str, kind: str) -> dict[str, Any]:
    """Without dates, which would make other bytes each time."""
    title = f"{found.study.name or found.study.scenario.get('name') or 'Study'}: {MEASURES[metric].title}"
    made, of = f"Gantry {VERSION}", f"study {found.study.digest}; {origin(found.study)}"
    if kind == "pdf":
        return {"Title": title, "Creator": made, "Subject": of, "CreationDate": None, "ModDate": None}
    return {"Title": title, "Creator": made, "Description": of, "Date": None} if kind == "svg" else {"Title": title, "Software": made, "Description": of}
