"""A study's figure for print, as SVG or PDF: what it shows stands in a footer, and the same study gives the
same bytes.

One parameter: a line a scheduler with its band. Two: a map of the winner. None: the distribution of each
scheduler. Text stays text: in SVG as such, in PDF with its font embedded (Type 42), as publishers ask.
"""

from __future__ import annotations

import io
import textwrap
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from engine.errors import GantryError
from engine.messages import msg
from engine.output.study_files import MissingDependency
from engine.output.study_labels import full_names, provenance
from engine.output.study_plots import LETTER_WIDTH, SMALL_PT, draw_study
from engine.studies.measures import STUDY_MEASURES
from engine.studies.result import StudyResult
from engine.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NARROW_IN, WIDE_IN = 3.4, 7.0  # a column of a paper and both of them
KINDS = ("svg", "pdf", "png")
TEXT_PT, FOOTER_PT = 7.5, 5.5
FOOTER_LINE_HEIGHT = 1.3  # of a letter's size, from one line to the next
MARGIN_IN = 0.04
# height of a narrow figure without its footer, and the power of its width with which it grows
PLOT_IN, HEIGHT_EXPONENT = (
    2.3,
    0.4,
)
DPI = 200  # of PNG
STYLE: dict[str, Any] = {
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


def require_matplotlib() -> None:
    """MissingDependency without it."""
    if find_spec("matplotlib") is None:
        raise MissingDependency(msg("output.study_figure.figure_needs_matplotlib_pip_install_gantry"))


def study_figure(result: StudyResult, metric: str, kind: str = "svg", width_in: float = NARROW_IN) -> bytes:
    """The file's bytes. metric: one of the study's; kind: one of KINDS; width_in: in inches.
    MissingDependency without matplotlib; GantryError without numbers.
    """
    require_matplotlib()
    from matplotlib import rc_context, rcParamsDefault

    if not (result.of(metric) == result.of(metric)).any():
        raise GantryError(
            msg("output.study_figure.no_figure_no_run_has_number", lower=STUDY_MEASURES[metric].title.lower())
        )
    style: Any = {**rcParamsDefault, "backend": "agg", **STYLE}
    with rc_context(style):
        figure = _figure(result, metric, width_in)
        stream = io.BytesIO()
        figure.savefig(stream, format=kind, dpi=DPI, metadata=_metadata(result, metric, kind))
    return stream.getvalue()


def _figure(result: StudyResult, metric: str, width_in: float) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(
        figsize=(width_in, PLOT_IN * (width_in / NARROW_IN) ** HEIGHT_EXPONENT), layout="constrained"
    )
    lines = _footer(result, metric, width_in, draw_study(figure, result, STUDY_MEASURES[metric]))
    plot_in = figure.get_figheight()
    foot_in = len(lines) * FOOTER_PT * FOOTER_LINE_HEIGHT / 72 + 2 * MARGIN_IN
    whole_in = plot_in + foot_in
    figure.set_size_inches(width_in, whole_in)
    layout: Any = figure.get_layout_engine()  # a ConstrainedLayoutEngine
    layout.set(rect=(0, foot_in / whole_in, 1, plot_in / whole_in), w_pad=MARGIN_IN, h_pad=MARGIN_IN)
    figure.text(
        MARGIN_IN / width_in,
        MARGIN_IN / whole_in,
        "\n".join(lines),
        fontsize=FOOTER_PT,
        color="#444444",
        va="bottom",
        linespacing=FOOTER_LINE_HEIGHT,
    )
    return figure


def _footer(result: StudyResult, metric: str, width_in: float, note: str) -> list[str]:
    """What the figure shows, wrapped to its width."""
    measure, study = STUDY_MEASURES[metric], result.study
    better = {
        "smaller": msg("output.study_figure.smaller_better"),
        "larger": msg("output.study_figure.larger_better"),
    }.get(measure.better or "", "")
    full = ", ".join(f"{name} = {full}" for name, full in full_names(study))
    sentences = [
        f"{measure.title}: {measure.formula}{better} {note}",
        msg("output.study_figure.in_full", full=full) if full else "",
        provenance(study),
    ]
    letters = int((width_in - 2 * MARGIN_IN) * 72 / (FOOTER_PT * LETTER_WIDTH))
    return [
        line
        for sentence in sentences
        if sentence
        for line in textwrap.wrap(
            sentence.replace(" %", "\N{NO-BREAK SPACE}%"), letters, break_on_hyphens=False
        )
    ]


def _metadata(result: StudyResult, metric: str, kind: str) -> dict[str, Any]:
    """Without dates, which would make other bytes each time."""
    title = (
        f"{result.study.name or result.study.scenario.get('name') or 'Study'}: {STUDY_MEASURES[metric].title}"
    )
    creator, description = (
        msg("shared.gantry", version=VERSION),
        msg("output.study_figure.study", digest=result.study.digest, provenance=provenance(result.study)),
    )
    if kind == "pdf":
        return {
            "Title": title,
            "Creator": creator,
            "Subject": description,
            "CreationDate": None,
            "ModDate": None,
        }
    return (
        {"Title": title, "Creator": creator, "Description": description, "Date": None}
        if kind == "svg"
        else {"Title": title, "Software": creator, "Description": description}
    )
