"""The paper's figure: each of its kinds, its footer, the same bytes twice, text that stays text."""

from __future__ import annotations

import io
import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from matplotlib import image

from engine.errors import GantryError
from engine.output.study_figure import WIDE_IN, require_matplotlib, study_figure
from engine.output.study_files import MissingDependency
from engine.output.study_plots import COLOURS, line_style
from engine.studies.result import StudyResult
from engine.studies.study import Vary
from engine.version import VERSION
from tests.engine.studies.made_results import SLOW, made
from tests.phrases import phrase

NODES = Vary("cluster.nodes.total", (2, 4, 6))
RNG = np.random.default_rng(1)


def noisy(
    points: int, schedulers: int = 2, vary: tuple[Vary, ...] | None = None, metric: str = "makespan_s"
) -> StudyResult:
    level = 100 + 10 * np.arange(schedulers)[None, :, None] * np.linspace(-1, 2, points)[:, None, None]
    return made(level + RNG.normal(0, 1, (points, schedulers, 8)), metric, vary=vary)


MAP = noisy(6, 3, (Vary(SLOW, (0.1, 0.9)), NODES))
KINDS = {
    "lines": noisy(4, 4),
    "map": MAP,
    "distribution": noisy(1, 3),
    "values": noisy(6, 1, (Vary(SLOW, (0.1, 0.9)), NODES)),
}


def texts(svg: bytes) -> str:
    root = ElementTree.fromstring(svg)
    output = " ".join("".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text"))
    return re.sub(r"\s+", " ", output)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("file", ["svg", "pdf"])
def test_the_same_study_gives_the_same_bytes(kind, file):
    first = study_figure(KINDS[kind], "makespan_s", file)
    assert first == study_figure(KINDS[kind], "makespan_s", file)
    assert (
        first.startswith(b"<?xml" if file == "svg" else b"%PDF")
        and b"CreationDate" not in first
        and b"<dc:date>" not in first
    )


@pytest.mark.parametrize("kind", KINDS)
def test_its_footer_says_what_makes_it_again(kind):
    result = KINDS[kind]
    output = texts(study_figure(result, "makespan_s", "svg", WIDE_IN))
    for part in (
        phrase("output.makespan_last_finish_job_minus"),
        "Seeds 0-7",
        phrase("output.coefficient_variation", 0.1),
        f"Gantry {VERSION}",
        result.study.digest[:12],
    ):
        assert part in output
    assert "fair = fair+ramp-up+am-share" in output


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("lines", ["Makespan (s)", "Slow start", "fair", "fifo", "drf", "haste", "Bands: 95 % interval"]),
        (
            "map",
            [
                "Nodes, total",
                "Slow start",
                phrase("output.best_mean_at_each_point"),
                phrase("output.all_hold_at_once_with", 12, 95),
            ],
        ),
        ("distribution", ["Makespan (s)", "Share of runs", phrase("output.share_runs_one_seed_have", 8)]),
        ("values", ["Makespan (s)", "Nodes, total", phrase("output.mean_under_fair_over_seeds", 8, 95)]),
    ],
)
def test_its_axes_have_names_and_units(kind, parts):
    output = texts(study_figure(KINDS[kind], "makespan_s"))
    assert all(part in output for part in parts), output


def test_a_map_hatches_where_nobody_is_sure_and_only_there():
    # At slow start 0.1 and few nodes the level of all is about 100: the noise decides.
    level = lambda gaps: made(
        np.array(
            [[[100 + gap * place + noise for noise in (0, 1, 2, 3)] for place in range(2)] for gap in gaps]
        ),
        vary=vary,
    )
    vary = (Vary(SLOW, (0.1, 0.9)), Vary("cluster.nodes.total", (2, 4)))
    sure = study_figure(level([5, 5, -5, -5]), "makespan_s")
    assert b"url(#h" not in sure and "not significant" not in texts(sure)
    result = level([5, 5, -5, -5])
    result.values[0, 1, :, 0] = result.values[0, 0, ::-1, 0]
    unsure = study_figure(result, "makespan_s")
    assert b"url(#h" in unsure and "not significant" in texts(unsure)


def test_text_in_pdf_is_a_font_that_is_embedded():
    pdf = study_figure(KINDS["lines"], "makespan_s", "pdf")
    assert b"/CIDFontType2" in pdf and b"/FontFile2" in pdf and b"/Type3" not in pdf
    assert VERSION.encode() in pdf and KINDS["lines"].study.digest.encode() in pdf


def test_a_size_is_a_column_s():
    width = lambda svg: float(re.search(rb'<svg [^>]*width="([\d.]+)pt"', svg)[1])
    assert width(study_figure(KINDS["lines"], "makespan_s")) == pytest.approx(3.4 * 72)
    assert width(study_figure(KINDS["lines"], "makespan_s", width_in=WIDE_IN)) == pytest.approx(7 * 72)


def test_choices_stand_side_by_side():
    vary = (Vary("schedulers[0].saf.entropy", ("shannon", "min", "hartley")),)
    result = made(100 + RNG.normal(0, 1, (3, 1, 6)), vary=None)
    study = type(result.study)(result.study.scenario, ("saf",), vary, 6, metrics=("makespan_s",))
    output = texts(study_figure(StudyResult(study, result.values, result.state), "makespan_s"))
    assert all(word in output for word in ("shannon", "min", "hartley", "Bars: 95 % interval"))


def test_long_names_stay_within_the_page():
    """A legend that is too wide would be cut at both sides."""
    result = noisy(2, 3)
    names = (
        "saf(entropy=renyi, alpha=2, cooling=linear)",
        "saf(entropy=tsallis, q=2, cooling=logarithmic)",
        "haste-a(w_memory=2, w_vcores=3)+lazy-start",
    )
    study = type(result.study)(result.study.scenario, names, result.study.vary, 8, metrics=("makespan_s",))
    pixels = image.imread(
        io.BytesIO(study_figure(StudyResult(study, result.values, result.state), "makespan_s", "png"))
    )
    assert (pixels[:, :3] == 1).all() and (pixels[:, -3:] == 1).all(), "something touches the page's edge"
    assert (pixels[:3] == 1).all() and (pixels[-3:] == 1).all()


def luminance(colour: str) -> float:
    """WCAG 2's relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_schedulers_differ_in_dash_and_symbol_and_neighbours_in_grey():
    looks = [line_style(place) for place in range(20)]
    assert len(set(looks)) == 20 and len({one[1:] for one in looks}) == 20
    for one, other in zip(COLOURS[:4], COLOURS[1:4]):
        assert abs(luminance(one) - luminance(other)) > 0.08


@pytest.mark.parametrize("name", ["$x$ 100%", "<job>&", "作业"])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_a_job_may_be_called_anything(name):
    result = noisy(2, 2, (Vary("jobs[0].slowstart", (0.1, 0.9)),))
    plain = {
        **result.study.scenario,
        "jobs": [{**result.study.scenario["jobs"][0], "name": name}],
        "name": name,
    }
    study = type(result.study)(
        plain, result.study.schedulers, result.study.vary, 8, metrics=("makespan_s",), jitter=0.1
    )
    named = StudyResult(study, result.values, result.state)
    assert name in texts(study_figure(named, "makespan_s")) and study_figure(named, "makespan_s", "pdf")


def test_without_numbers_or_without_matplotlib_it_says_so(monkeypatch):
    with pytest.raises(GantryError, match="^" + phrase("output.no_figure_no_run_has") + "$"):
        study_figure(made([[[float("nan")] * 2] * 2]), "makespan_s")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        MissingDependency,
        match="^" + phrase("output.figure_needs_matplotlib_pip_install", r"'gantry-yarn\[print\]'") + "$",
    ):
        require_matplotlib()
