"""The part of a long file that makes a scenario."""

from __future__ import annotations

import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.scenario.formats.readers import read
from engine.scenario.formats.time_window import Part, fullest_window
from engine.scenario.presets import sample
from tests.engine.scenario.formats.cluster_traces import ALIBABA, GOOGLE
from tests.phrases import phrase

TRACES = {
    "swim": sample("swim.tsv").read_text(),
    "swf": sample("cluster-log.swf").read_text(),
    "rumen": sample("rumen.json").read_text(),
    "google-2011": GOOGLE,
    "alibaba-2018": ALIBABA,
}


@given(st.lists(st.integers(0, 100), min_size=1, max_size=30), st.integers(0, 60))
def test_no_span_has_more_and_none_as_full_is_earlier(times: list[int], span: int) -> None:
    arrivals = sorted(times)
    start, end = fullest_window(arrivals, span)
    counts = [sum(0 <= later - first <= span for later in arrivals[at:]) for at, first in enumerate(arrivals)]
    assert end - start == max(counts) and start == counts.index(max(counts))
    assert arrivals[end - 1] - arrivals[start] <= span


@pytest.mark.parametrize("kind", TRACES)
def test_parts_of_time_are_the_whole_once(kind: str) -> None:
    opened = lambda part: read(kind, io.BytesIO(TRACES[kind].encode()), part=part).scenario.jobs
    whole = opened(Part())
    middle = whole[-1].arrival_s
    before, after = opened(Part(until_s=middle)), opened(Part(since_s=middle))
    assert [job.name for job in (*before, *after)] == [job.name for job in whole]
    assert after[0].arrival_s == 0 and len(before) and len(after)
    assert len(opened(Part(1, until_s=middle)) if len(before) > 1 else before[1:]) == len(before) - 1


def test_what_lies_outside_is_counted_and_none_inside_is_told() -> None:
    google = lambda part: read("google-2011", io.BytesIO(GOOGLE.encode()), part=part)
    assert google(Part(until_s=20)).assumptions[0] == phrase("formats.job_left_out_outside", 1)
    with pytest.raises(FormatError, match=phrase("formats.no_job_in_part", 20)):
        google(Part(since_s=21))


@pytest.mark.parametrize(("since", "until"), [(-1, 5), (5, 5), (math.nan, 5), (0, math.nan)])
def test_a_part_without_time_is_refused(since: float, until: float) -> None:
    with pytest.raises(FormatError, match=phrase("formats.begins_and_ends_after_first_job", since, until)):
        Part(since_s=since, until_s=until)
