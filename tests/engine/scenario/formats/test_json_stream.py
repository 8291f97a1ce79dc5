"""Bytes that are cut off, packed, too many or nonsense: a sentence, never a traceback."""

from __future__ import annotations

import gzip
import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError, TooLarge
from engine.scenario.formats import nodes
from engine.scenario.formats.readers import READERS, read
from engine.scenario.formats.time_window import Part
from engine.scenario.presets import sample
from tests.engine.scenario.configuration.files import CAPACITY, FAIR, MAPRED, SITE
from tests.engine.scenario.formats.cluster_traces import ALIBABA, ALIBABA_2017, GOOGLE, GOOGLE_2019
from tests.engine.scenario.formats.helpers import bytes_of
from tests.engine.scenario.formats.rumen_trace import attempt, job
from tests.engine.scenario.history.job_histories import plain_job
from tests.engine.scenario.history.spark.event_logs import plain_log
from tests.phrases import phrase

FILES = {
    "rumen": sample("rumen.json").read_bytes(),
    "sls": sample("sls-jobs.json").read_bytes(),
    "fair-xml": FAIR,
    "capacity-xml": CAPACITY,
    "yarn-site": SITE,
    "mapred-site": MAPRED,
    "swim": sample("swim.tsv").read_bytes(),
    "swf": sample("cluster-log.swf").read_bytes(),
    "google-2011": GOOGLE.encode(),
    "google-2019": GOOGLE_2019.encode(),
    "alibaba-2017": ALIBABA_2017.encode(),
    "alibaba-2018": ALIBABA.encode(),
    "queue-jmx": sample("queue-jmx.jsonl").read_bytes(),
    "queue-prometheus": sample("queue-range.json").read_bytes(),
    "jhist": plain_job().json(),
    "spark": plain_log().data,
    "history": b'{"apps":{"app":[{"id":"application_1_0001","startedTime":1000,"finishedTime":9000,"memorySeconds":8000,"vcoreSeconds":8}]}}',  # noqa: E501
}
OF_LINES = (
    "swim",
    "swf",
    "google-2011",
    "google-2019",
    "alibaba-2017",
    "alibaba-2018",
)  # what is whole of a file that is cut off is read
# of which what stands before a broken place is read, as their own tests show
HISTORIES = (
    "jhist",
    "spark",
    "history",
)
WHOLE = [kind for kind in READERS if kind not in HISTORIES]


def tried(kind: str, data: bytes) -> str | None:
    """The sentence, or None when the file could be read."""
    try:
        read(kind, io.BytesIO(data))
    except FormatError as error:
        assert str(error) and "\n" not in str(error)
        return str(error)
    return None


@pytest.mark.parametrize("kind", WHOLE)
def test_cut_off_anywhere(kind: str) -> None:
    whole = FILES[kind]
    for end in range(0, len(whole), 7):
        output = tried(kind, whole[:end])
        of_lines = (
            kind in OF_LINES
            and output
            and (output.startswith("line ") or output == phrase("formats.file_holds_no_job_can"))
        )
        assert (
            output is None
            or "truncated" in output
            or "not XML" in output
            or output.startswith(phrase("formats.file_empty"))
            or of_lines
        )
    assert tried(kind, whole) is None


@pytest.mark.parametrize("kind", WHOLE)
def test_gzip_is_read_and_cut_off_anywhere(kind: str) -> None:
    packed = gzip.compress(FILES[kind])
    assert tried(kind, packed) is None
    for end in range(2, len(packed), 3):
        assert tried(kind, packed[:end]) is not None
    assert "gzip" in tried(kind, packed[:-1])


@pytest.mark.parametrize("kind", READERS)
@given(data=st.data())
def test_a_changed_byte_anywhere(kind: str, data: st.DataObject) -> None:
    whole = bytearray(FILES[kind])
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    tried(kind, bytes(whole))


@pytest.mark.parametrize("kind", READERS)
@given(head=st.binary(max_size=40))
def test_any_bytes(kind: str, head: bytes) -> None:
    assert tried(kind, head) is not None
    assert tried(kind, b"\x1f\x8b" + head) is not None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", phrase("formats.file_empty_rumen_trace_must")),
        (b" \n", phrase("formats.job_file_cut_off", 1)),
        (b"[1]", phrase("formats.job_object_must_stand_here", 1, "{", "}")),
        (b"nonsense", phrase("formats.job_not_json_within_first", 1, 8)),
        (b'{"jobID": NaN}', "job 1: not JSON"),
        (b'{"jobID": "\xff"}', phrase("formats.job_not_json_within_first_bytes", 1, 14, "UTF8")),
        (b'{"x": 1e99999999999999999999}', "job 1: not JSON"),
        (b'{"submitTime": 1e999999999}', phrase("formats.job_submittime_must_be_whole", 1, "1e+999999999")),
        (b'{"submitTime": ' + b"9" * 5000 + b"}", phrase("formats.job_number_more_than_digits", 1, 500, 0)),
        (
            b'{"x":"' + b" " * 65_000 + b'", "submitTime": ' + b"9" * 5000 + b"}",
            phrase("formats.job_number_more_than_digits_2", 1, 500),
        ),
        (b'{"x":' + b"[" * 100_000, phrase("formats.job_file_cut_off", 1)),
        (b'\xef\xbb\xbf{"submitTime":1}', phrase("formats.file_holds_no_job_can")),
        ('{"submitTime":1}'.encode("utf-16"), "job 1: not JSON"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(data: bytes, words: str) -> None:
    assert tried("rumen", data).startswith(words)


def test_a_kind_that_does_not_exist_is_named() -> None:
    with pytest.raises(FormatError, match=phrase("formats.not_format_can_be_read", "'swift'")):
        read("swift", io.BytesIO())


def test_a_bomb_is_refused_before_it_unfolds() -> None:
    bomb = gzip.compress(b'{"x": "' + b" " * 50_000_000 + b'"}')
    assert len(bomb) < 100_000
    tracemalloc.start()
    with pytest.raises(TooLarge, match="more than 1,000,000 bytes"):
        read("rumen", io.BytesIO(bomb), max_bytes=1_000_000)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_bomb_of_counts_is_refused_before_it_unfolds() -> None:
    tasks = '{"count": 9000000, "duration.ms": 1}, {"count": 900000, "duration.ms": 2}'
    one = f'{{"job.queue.name": "a", "job.tasks": [{tasks}]}}'
    with pytest.raises(TooLarge, match=phrase("formats.more_than_tasks_one_kind", "10,000,000")):
        read("sls", io.BytesIO(one.replace("900000,", "1000001,").encode()))
    with pytest.raises(TooLarge, match=phrase("formats.more_than_tasks_with_durations", "10,000,000")):
        read("sls", io.BytesIO((one.replace("9000000", "900000") * 6).encode()))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"num.nodes":900000,"num.racks":900000}', "more than 100,000 racks"),
        (
            bytes_of(
                {
                    "job.tasks": [
                        {"container.host": str(number), "duration.ms": 1} for number in range(100_001)
                    ]
                }
            ),
            phrase("formats.more_than_different_nodes", "100,000"),
        ),
    ],
    ids=["racks", "nodes"],
)
def test_so_many_that_each_would_cost_kilobytes_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(TooLarge, match=words):
        read("sls", io.BytesIO(data))


def test_memory_stays_with_the_tasks_not_with_the_bytes() -> None:
    """8 MB of numbers nobody asks for, in one job: what is held is the events of one piece of the file."""
    data = bytes_of(job([attempt(clockSplits=[123_456] * 100_000)] * 10))
    assert len(data) > 8_000_000
    tracemalloc.start()
    read("rumen", io.BytesIO(data))
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_a_limit_of_tasks_counts_copies() -> None:
    one = bytes_of(
        {"num.nodes": 1},
        {"job.queue.name": "a", "job.count": 5, "job.tasks": [{"count": 100, "duration.ms": 1}]},
    )
    assert read("sls", io.BytesIO(one), max_tasks=500).scenario.jobs[0].count == 5
    with pytest.raises(TooLarge, match=phrase("formats.more_than_tasks_which_limit", 499)):
        read("sls", io.BytesIO(one), max_tasks=499)
    attempt = {"attempts": [{"startTime": 0, "finishTime": 1, "hostName": "/r/h"}]}
    jobs = bytes_of(*({"submitTime": at, "mapTasks": [attempt] * at} for at in (3, 1, 3, 1)))
    with pytest.raises(TooLarge, match="more than 2 tasks"):
        read("rumen", io.BytesIO(jobs), max_tasks=2)
    first, rest = (read("rumen", io.BytesIO(jobs), max_tasks=4, part=Part(skip)) for skip in (0, 2))
    assert [[job.maps.count for job in part.scenario.jobs] for part in (first, rest)] == [[1, 3], [1, 3]]
    assert first.assumptions[0] == phrase("formats.jobs_left_out_after_first", 2, 2, 2)


TRACE = bytes_of({"submitTime": 0, "mapTasks": [{"attempts": [{"startTime": 0, "finishTime": 1}]}]})


def test_a_topology_of_a_cluster_is_read_and_a_chain_refused() -> None:
    """It took 60 s and 7.7 GB: the path of each level was made of all above it."""
    chain = lambda levels: b'{"name":"x","children":[' * levels + b'{"name":"h"}' + b"]}" * levels
    assert read("rumen", io.BytesIO(TRACE), io.BytesIO(chain(30))).scenario.cluster.nodes[0].name == "h"
    with pytest.raises(FormatError, match=phrase("formats.nodes_file_object_nested_more", 1, 100)):
        read("rumen", io.BytesIO(TRACE), io.BytesIO(chain(20_000)))


def test_a_rack_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "MAX_VALUES", 1000)
    many = b'{"rack":"r","nodes":[' + b"{}," * 1000 + b"{}]}"
    with pytest.raises(TooLarge, match=phrase("formats.holds_more_than_values", "1,000")):
        read("rumen", io.BytesIO(TRACE), io.BytesIO(many))
    racks = bytes_of(*({"rack": f"r{number}", "nodes": [{"node": f"h{number}"}]} for number in range(500)))
    assert len(read("rumen", io.BytesIO(TRACE), io.BytesIO(racks)).scenario.cluster.nodes) == 500
