"""The report: a page that needs nothing else, in which names are names and nothing acts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from engine import METRICS, quantities
from engine.dashboard import tightest
from tests.phrases import phrase
from webapp import theme
from webapp.figures.timeline import run_chart
from webapp.report import page, report
from webapp.report.optimality_gap import BOUNDED_METRICS, gap_of, gap_words, known_bounds
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

TITLE = "</title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
EVIL = "<script>alert(1)<img src=x onerror='alert(2)'>"  # names hold no /
WHEN = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
VOID = {"meta", "img", "br", "link"}


class Read(HTMLParser):
    """All elements with their attributes, and the text outside of the style sheet; fails where elements don't
    nest.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += "" if "style" in self.open else data

    def of(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.tags if name == tag]


def task(cache, scenario: dict, schedulers: tuple[str, ...] = ("fair", "fifo")) -> Task:
    return build_task(RunRequest(scenario, schedulers))


def made(what: Task, **given: Any) -> Read:
    return Read("".join(report(what, WHEN, **given)))


def test_each_time_stands_beside_the_best_possible(cache, small: dict) -> None:
    of = task(cache, small)
    result = made(of)
    for outcome in of.outcomes():
        for metric in BOUNDED_METRICS:
            above = gap_of(outcome, metric)
            assert {"class": "quiet", "title": above.about} in result.of("span")
            assert f"{quantities.amount(outcome.metrics[metric], 's')}{above.sign}" in result.text
        assert f"({gap_words(outcome, 'makespan_s')})" in result.text  # below its chart
    words_only = result.text.replace("\N{NO-BREAK SPACE}", " ")
    for metric in BOUNDED_METRICS:
        bound = tightest(known_bounds(of.outcomes()[0]), metric)
        assert f"{bound.title[1:]}{quantities.amount(bound.at_least, 's')}{bound.about}" in words_only
    small["cluster"]["failures"] = {"probability": 0.1}
    failing = made(task(cache, small))
    assert failing.text.count(phrase("report.no_bound_can_be_told")) == 1


def test_a_name_that_is_markup_is_shown_and_does_nothing(cache, small: dict) -> None:
    small |= {"name": TITLE, "x_about": TITLE}
    small["jobs"][0] |= {"name": EVIL, "user": EVIL}
    small["cluster"]["nodes"][0] |= {"name": EVIL, "rack": EVIL}
    result = made(task(cache, small))
    assert not {"script", "img", "iframe", "link", "object"} & {tag for tag, _ in result.tags}
    assert not [name for _, attributes in result.tags for name in attributes if name.startswith("on")]
    assert result.text.count(TITLE) == 3
    assert result.text.count(EVIL) >= 5


def test_the_page_asks_nobody_for_anything(cache, small: dict) -> None:
    result = made(
        task(cache, small),
        link="http://gantry.example/?r=0123456789abcdef",
        model="http://gantry.example/model",
    )
    addresses = [
        value
        for tag, attributes in result.tags
        for name, value in attributes.items()
        if name in ("src", "href") and tag != "a"
    ]
    assert all(address.startswith("data:") for address in addresses)
    assert [one["href"] for one in result.of("a")] == [
        "http://gantry.example/?r=0123456789abcdef",
        "http://gantry.example/model",
    ]
    assert "default-src 'none'" in result.of("meta")[2]["content"]
    assert not re.search(r"@import|url\((?!#)", page.STYLE)


def test_it_says_what_it_is_and_where_it_comes_from(cache, small: dict) -> None:
    what = task(cache, small)
    result = made(what)
    assert result.of("html") == [{"lang": "en"}]
    assert [tag for tag, _ in result.tags if tag in ("h1", "h2", "h3")] == [
        "h1",
        "h2",
        "h2",
        "h2",
        "h3",
        "h3",
        "h2",
        "h2",
        "h2",
    ]
    assert phrase("report.how_does_yarn_run_this", 1) in result.text
    assert "2 January 2026, 03:04 UTC" in result.text
    assert what.scenario.digest in result.text
    assert "Open it" not in result.text
    for metric in METRICS:
        assert metric.formula in result.text


def test_every_chart_and_table_can_be_read_without_seeing_it(cache, small: dict) -> None:
    result = made(task(cache, small))
    drawings = [one for one in result.of("svg") if "role" in one]
    assert [drawing["aria-label"].split(":")[0] for drawing in drawings] == ["fair", "fifo"]
    assert all("aria-hidden" in one for one in result.of("svg") if one not in drawings)
    assert len(result.of("caption")) == len(result.of("table")) > 3
    assert all(one["scope"] in ("row", "col") for one in result.of("th"))


def test_the_best_is_marked_where_schedulers_differ(cache, small: dict) -> None:
    # Two maps of one job side by side under both: nothing differs, so nothing is best.
    assert "★" not in made(task(cache, small)).text.replace("★ and bold", "")
    # Two jobs of 4 maps of 10 s, two at a time, the second 1 s after the first for the beat: fifo runs the
    # jobs one after the other and ends them at 21 and 41 s, a mean of 31 s; fair gives each of them one place
    # and ends them at 40 and 41 s.
    jobs = [
        {"name": name, "maps": {"count": 4, "memory_mb": 1024, "vcores": 2, "duration_s": 10}}
        for name in ("a", "b")
    ]
    result = made(task(cache, small | {"jobs": jobs}))
    # 8 maps that take half of the one node's vcores for 10 s, one job whole after the other: 20 and 40 s
    # (less 1 ms of rounding), a mean of 30 s.
    assert "Mean turnaround40.5 s≤ 36 %★ 31 s≤ 3.4 %Memory" in result.text
    assert "a0:40★ 0:21b0:410:41" in result.text  # when they finish, as the axis has it


def test_more_schedulers_than_fit_on_paper_stand_in_a_further_table(cache, small: dict) -> None:
    result = made(task(cache, small, ("fair", "fifo", "drf", "capacity", "haste", "saf")))
    assert result.text.count("(continued)") == 2
    assert len(result.of("figure")) == 6


def test_many_jobs_are_cut_with_a_sentence(cache, small: dict) -> None:
    small["jobs"][0] |= {"count": page.MAX_JOBS + 1}
    assert phrase("common.first_jobs", page.MAX_JOBS, page.MAX_JOBS + 1) in made(task(cache, small)).text


def test_many_slices_are_a_picture(cache, small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_chart, "MAX_BARS", 100)
    small["jobs"][0]["maps"] |= {"count": 200}
    result = made(task(cache, small, ("fair+admit-all",)))
    assert [one["href"][:22] for one in result.of("image")] == ["data:image/png;base64,"]


def test_colours_are_the_light_ones(cache, small: dict) -> None:
    """Of a pair of colours the page's scheme chooses; the report has one scheme, on paper and on every
    screen.
    """
    text = "".join(report(task(cache, small), WHEN))
    assert re.findall(r"color-scheme: ?(\w+)", text) == ["light"]
    chosen = re.sub(r"light-dark\((#\w+),#\w+\)", r"\1", text)
    dark = {phase.dark for phase in theme.LEGEND} - {phase.light for phase in theme.LEGEND}
    assert not [colour for colour in dark if colour in chosen]
    assert theme.PHASES[theme.MAP_PHASE].light in chosen


def test_a_deadlock_is_told(cache, small: dict) -> None:
    # Masters alone fill the node: none can start a map.
    small["jobs"][0] |= {"count": 4, "am": {"memory_mb": 1024, "vcores": 1}}
    result = made(task(cache, small, ("fair+admit-all",)))
    assert phrase("report.and_never_finishes_batch") in result.text
    assert "deadlocks at" in result.text


def test_a_refused_job_stands_among_the_jobs_with_its_reason(cache, small: dict) -> None:
    small["jobs"].append(small["jobs"][0] | {"name": "y", "rejected": "unwanted"})
    read = made(task(cache, small))
    assert read.text.count("refused: unwanted") == 2
