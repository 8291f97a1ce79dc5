"""Any scenario as any file: it is written, and read again where the format has a reader."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import FormatError, Scenario, presets
from engine.dashboard import WORKLOADS, Notes, workload_text
from engine.scenario.formats.readers import detect
from engine.scenario.formats.swim import MEBIBYTE
from tests.engine.output.workloads.helpers import TASK, job, read_again, scenario, tasks, text_of
from tests.examples import examples
from tests.phrases import phrase
from tests.spark_jobs import MIXED
from tests.strategies import scenarios

MS = st.integers(1, 10**6).map(lambda ms: ms / 1000)
SECONDS = st.integers(0, 10**5)
NAMES = (
    st.text(
        st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="/"), min_size=1, max_size=12
    )
    .map(str.strip)
    .filter(bool)
)


@st.composite
def batches(draw: st.DrawFn) -> Scenario:
    """Jobs of which SLS holds all: tasks with times of their own, sizes, users, queues, arrivals, masters."""

    def stage() -> dict:
        count = draw(st.integers(1, 6))
        times = draw(
            st.one_of(MS, st.lists(MS, min_size=count, max_size=count).map(lambda values: {"values": values}))
        )
        return {
            "count": count,
            "memory_mb": draw(st.integers(1, 4096)),
            "vcores": draw(st.integers(1, 4)),
            "duration_s": times,
        }

    def one(number: int) -> dict:
        own = {
            "name": f"job {number}",
            "user": draw(NAMES),
            "queue": draw(st.sampled_from(["root.default", "root.a.b", "root.c"])),
            "arrival_s": draw(SECONDS),
        }
        own |= {
            "maps": stage(),
            "slowstart": 1.0,
            "am": {"memory_mb": draw(st.integers(1, 2048)), "vcores": 1},
        }
        return own | ({"reduces": stage()} if draw(st.booleans()) else {})

    return scenario(*(one(number) for number in range(draw(st.integers(1, 4)))))


@given(batches())
def test_what_sls_holds_comes_back(given_scenario: Scenario) -> None:
    result = read_again(given_scenario, "sls").scenario
    assert tasks(result) == tasks(given_scenario)
    sizes = lambda one: Counter(
        (job.am.memory_mb, job.maps.memory_mb, job.maps.vcores, job.reduces and job.reduces.memory_mb)
        for job in one.jobs
    )
    assert sizes(result) == sizes(given_scenario)
    assert [(node.count, node.memory_mb, node.vcores, node.rack) for node in result.cluster.nodes] == [
        (1, 8192, 8, "default-rack")
    ] * 2
    lost = text_of(given_scenario, "sls")[1]
    assert len(lost) == 2 and phrase("workloads.plays_rumen_trace_rumen", 3.4) in lost[0]


@given(batches())
def test_what_a_rumen_trace_holds_comes_back(given_scenario: Scenario) -> None:
    first = min(job.arrival_s for job in given_scenario.jobs)
    moved = Scenario.of(
        {
            **given_scenario.plain(),
            "jobs": [
                {**job, "arrival_s": job.get("arrival_s", 0) - first}
                for job in given_scenario.plain()["jobs"]
            ],
        }
    )
    result = read_again(moved, "rumen").scenario
    assert tasks(result) == tasks(moved)
    assert [job.model_extra["x_job_name"] for job in result.jobs] == [
        job.name for job in sorted(moved.jobs, key=lambda job: job.arrival_s)
    ]


BYTES = st.integers(0, 10**12)


@given(st.lists(st.tuples(SECONDS, BYTES, BYTES, BYTES), min_size=1, max_size=5))
def test_a_swim_workload_comes_back_as_it_was(rows: list[tuple[int, int, int, int]]) -> None:
    from engine.scenario.formats.readers import read

    before, lines = 0, []
    for number, (submit, *amounts) in enumerate(sorted(rows)):
        lines.append("\t".join(map(str, (f"job{number}", submit, submit - before, *amounts))) + "\n")
        before = submit
    text = "".join(lines)
    assert text_of(read("swim", io.BytesIO(text.encode())).scenario, "swim")[0] == text


@given(
    st.lists(
        st.tuples(SECONDS, st.integers(1, 50), st.integers(0, 9), st.integers(0, 4096)),
        min_size=1,
        max_size=4,
    )
)
def test_what_swim_holds_of_any_jobs_comes_back(given_jobs: list[tuple[int, int, int, int]]) -> None:
    jobs = [
        job(
            name=f"j{number}",
            arrival_s=at,
            maps={"count": maps, **TASK, "duration_s": 5},
            shuffle_mb_per_map=moved / maps,
            **({"reduces": {"count": reduces, **TASK, "duration_s": 5}} if reduces else {}),
        )
        for number, (at, maps, reduces, moved) in enumerate(given_jobs)
    ]
    one = scenario(*jobs)
    from engine.scenario.formats.readers import read

    result = read("swim", io.BytesIO(text_of(one, "swim")[0].encode())).scenario
    by_name = {own.name: own for own in result.jobs}
    for own in one.jobs:
        back = by_name[own.name]
        assert (back.arrival_s, back.maps.count) == (own.arrival_s, own.maps.count)
        if own.reduces and own.shuffle_mb_per_map:
            assert round(back.shuffle_mb_per_map * back.maps.count * MEBIBYTE) == round(
                own.shuffle_mb_per_map * own.maps.count * MEBIBYTE
            )
            shuffled = own.shuffle_mb_per_map * own.maps.count
            assert (
                back.reduces.count == max(own.reduces.count, round(shuffled / 64))
                or abs(shuffled % 64 - 32) < 1e-6
            )


# on which any job fits
LARGE = b'{"rack": "r", "nodes": [{"node": "n", "memory-mb": 1000000000, "vcores": 1000000}]}'


@pytest.mark.parametrize("kind", WORKLOADS)
@examples(2, 20)
@given(one=scenarios())
def test_any_scenario_is_written(kind: str, one: Scenario) -> None:
    text, lost = text_of(one, kind)
    assert text.endswith("\n") and lost and all(sentence and "\n" not in sentence for sentence in lost)
    copies = sum(job.count for job in one.jobs)
    if kind == "batsim":
        result = json.loads(text)
        assert len(result["jobs"]) == copies
        assert all(
            1 <= one["res"] <= result["nb_res"] and result["profiles"][one["profile"]]["delay"] > 0
            for one in result["jobs"]
        )
    elif kind == "jobs-csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == copies and all(None not in row for row in rows)
    elif kind == "sls-nodes":
        assert sum(len(json.loads(line)["nodes"]) for line in text.splitlines()) == sum(
            group.count for group in one.cluster.nodes
        )
    else:
        assert len(text.splitlines()) == copies
        assert len(read_again(one, kind, LARGE).scenario.jobs) == copies


@pytest.mark.parametrize("kind", ["sls", "sls-nodes", "rumen", "swim"])
def test_what_is_written_is_known_again(kind: str) -> None:
    for preset in presets():
        if not any(job.maps for job in preset.scenario.jobs):
            continue  # only jobs of MapReduce are written
        assert detect(text_of(preset.scenario, kind)[0].encode()) == {"sls-nodes": "nodes"}.get(kind, kind)


def test_a_kind_that_does_not_exist_is_named() -> None:
    with pytest.raises(FormatError, match="^" + phrase("workloads.not_file_can_be_written", "'swift'") + "$"):
        "".join(workload_text(presets()[0].scenario, "swift", Notes()))


@pytest.mark.parametrize("kind", [kind for kind in WORKLOADS if kind not in ("sls-nodes", "jobs-csv")])
def test_applications_are_left_out_and_said_to_be(kind: str) -> None:
    plain = Scenario.of(
        {key: value for key, value in MIXED.items() if key != "jobs"} | {"jobs": MIXED["jobs"][1:]}
    )
    notes, without = Notes(), Notes()
    assert "".join(workload_text(Scenario.of(MIXED), kind, notes)) == "".join(
        workload_text(plain, kind, without)
    )
    assert phrase("workloads.applications_left_out", 1) in notes.sentences()

    alone = Scenario.of({**MIXED, "jobs": MIXED["jobs"][:1]})
    with pytest.raises(FormatError, match="^" + phrase("workloads.no_job_to_write", kind) + "$"):
        "".join(workload_text(alone, kind, Notes()))


def test_a_table_has_a_row_for_an_application() -> None:
    notes = Notes()
    text = "".join(workload_text(Scenario.of(MIXED), "jobs-csv", notes))
    assert [line.partition(",")[0] for line in text.splitlines()[1:]] == ["etl", "mr"]
    assert {"executors, of 1 job", "stages, of 1 job"} <= set(notes.sentences())
