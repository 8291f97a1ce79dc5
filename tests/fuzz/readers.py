"""What reads bytes or text of others, each as a function that lets nothing out but GantryError; for
hypothesis, and for atheris by coverage.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
from collections.abc import Callable, Container
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine import GantryError, Scenario, parse, read, sample
from engine.dashboard import (
    WORKLOADS,
    Notes,
    container_count,
    course,
    detect,
    expand_0_1,
    read_exercise,
    workload_text,
)
from engine.scenario.formats.combined_files import read_files
from tests.conftest import ROOT
from tests.engine.collect.fake_server import SECRETS, answers, together
from tests.engine.scenario.formats.archives import tar, zipped
from tests.engine.scenario.formats.cluster_traces import (
    ALIBABA,
    ALIBABA_2017,
    GOOGLE,
    GOOGLE_2019,
    MACHINES,
    MACHINES_2019,
)
from tests.engine.scenario.formats.packed_files import PACKERS
from tests.engine.scenario.history.job_histories import conf, plain_job
from tests.engine.scenario.history.spark.event_logs import plain_log
from tests.fuzz import hostile
from tests.fuzz.bases import ASKED, NAMES, SCENARIOS
from tests.fuzz.judged import FuzzReport, at, where
from webapp.http import json_bodies
from webapp.url import url_state

MAX_BYTES, MAX_TASKS = 2**20, 2_000
PIECES = (
    *NAMES,
    "(",
    ")",
    "=",
    ",",
    "+",
    "at",
    "nan",
    "1e400",
    "-1",
    "\0",
    "fair(a=b=c)",
    "reserve",
    "vcores",
    "9" * 400,
    "é",
    " ",
)
TRACES = (
    "rumen.json",
    "sls-jobs.json",
    "sls-nodes.json",
    "rumen-topology.json",
    "swim.tsv",
    "cluster-log.swf",
    "queue-jmx.jsonl",
    "queue-range.json",
)
OF_TRACES = (
    "sls",
    "rumen",
    "swim",
    "swf",
    "google-2011",
    "google-2019",
    "alibaba-2017",
    "alibaba-2018",
    "queue-jmx",
    "queue-prometheus",
)
BESIDE = ROOT.parent / "shared" / "data"  # real traces, where they are


def trace(data: bytes) -> None:
    """A file of another tool: as what it seems to be, and as each kind; with itself as its nodes."""
    detect(data)
    refused: list[GantryError] = []
    for kind in OF_TRACES:
        for nodes in (None, io.BytesIO(data)):
            try:
                read(kind, io.BytesIO(data), nodes, "name", max_bytes=MAX_BYTES, max_tasks=MAX_TASKS)
            except GantryError as error:
                refused.append(error)
    if len(refused) == 2 * len(OF_TRACES):
        raise refused[0]


def packed_trace(data: bytes) -> None:
    """The same, packed: changed bytes of gzip, and gzip of changed bytes."""
    with contextlib.suppress(GantryError):
        trace(b"\x1f\x8b" + data)
    trace(gzip.compress(data, 1))


def history(data: bytes) -> None:
    """Answers of the ResourceManager and the JobHistory server as a scenario."""
    read("history", io.BytesIO(data), None, "name", max_bytes=MAX_BYTES, max_tasks=MAX_TASKS)


def files(data: bytes) -> None:
    """A file of a cluster's history or an archive: alone, and beside a whole one under the names that such
    files have.
    """
    limits = {"max_bytes": MAX_BYTES, "max_tasks": MAX_TASKS}
    for name, beside in (
        ("a.jhist", plain_job().binary()),
        ("job_1699999999999_0001_conf.xml", plain_job().json()),
        ("events_2_application_1699999999999_0001", plain_log().data),
    ):
        with contextlib.suppress(GantryError):
            read_files([(name, io.BytesIO(data)), (plain_job().file, io.BytesIO(beside))], **limits)
    read_files([("a", io.BytesIO(data))], **limits)


def scenario(data: bytes) -> None:
    """A scenario's file, which is then written for other tools."""
    imported = Scenario.read(data)
    if (
        container_count(imported.plain()) <= MAX_TASKS
        and sum(group.count for group in imported.cluster.nodes) <= MAX_TASKS
    ):
        for kind in WORKLOADS:
            notes = Notes()
            "".join(workload_text(imported, kind, notes)).encode()
            notes.sentences()


def exercise(data: bytes) -> None:
    """An exercise's file, which is written and read again."""
    imported = read_exercise(data)
    read_exercise(imported.json())


def body(data: bytes) -> None:
    """What a page sends."""
    json_bodies.loads(data)


def address(data: bytes) -> None:
    """What an address carries."""
    text = data.decode("utf-8", "replace")
    url_state.read(
        {
            "s": text,
            "r": text,
            "t": text,
            "span": text,
            "why": text,
            "drawer": text,
            "x0": text,
            "x1": "5",
            "folded": text,
        }
    )
    url_state.unpack(text)


def name(data: bytes) -> None:
    """The name of a scheduler, of today's and of 0.1's."""
    text = data.decode("utf-8", "replace")
    expand_0_1(text)
    parse(text)


READERS: dict[str, Callable[[bytes], None]] = {
    one.__name__: one
    for one in (trace, packed_trace, history, files, scenario, exercise, body, address, name)
}


def without(value: Any, keys: Container[str]) -> Any:
    """The JSON without what stands under these keys."""
    if isinstance(value, list):
        return [without(one, keys) for one in value]
    return (
        {key: without(one, keys) for key, one in value.items() if key not in keys}
        if isinstance(value, dict)
        else value
    )


def corpus(reader: str) -> list[bytes]:
    """What each begins from."""
    if reader in ("trace", "packed_trace"):
        rows = [sample(one).read_bytes() for one in TRACES]
        real = BESIDE / "2jobs2min-rumen-jh.json"
        rows += [
            one.encode() for one in (GOOGLE, GOOGLE_2019, MACHINES, MACHINES_2019, ALIBABA, ALIBABA_2017)
        ]
        return rows + ([real.read_bytes()[:40_000]] if real.exists() else [])
    if reader == "history":
        small = json.dumps(without(together(answers(1, 1)), SECRETS), separators=(",", ":"))
        return [small.encode(), b"\n".join(json.dumps(one).encode() for one in answers(2, 1).values())]
    if reader == "files":
        whole = plain_job()
        short = b"Avro-Json\n{}\n" + whole.json().partition(b"\n")[2].partition(b"\n")[2]
        packed = {whole.file: short, f"job_{whole.id}_conf.xml": conf()}
        return [
            short,
            whole.binary(),
            conf(),
            gzip.compress(short),
            tar(packed),
            gzip.compress(tar(packed)),
            zipped(packed),
            plain_log().data,
            *(pack(plain_log().data) for pack in PACKERS.values()),
        ]
    if reader == "exercise":
        return [one.json().encode() for lesson in course() for one in lesson.exercises.values()]
    if reader in ("scenario", "body"):
        return [json.dumps(one).encode() for one in SCENARIOS]
    if reader == "address":
        return [
            url_state.pack(url_state.RunRequest(one["scenario"], tuple(one["schedulers"]))).encode()
            for one in ASKED
        ] + [b"1-2", b"0:5", b"300", b"0,1"]
    return [one.encode() for one in NAMES]


def answer(reader: str, data: bytes) -> str:
    """The kind of answer: read, or the error's own name. Whatever is no GantryError comes out."""
    try:
        READERS[reader](data)
    except GantryError as error:
        return type(error).__name__
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        if reader == "body":  # Flask answers what is no JSON
            return type(error).__name__
        raise
    return "read"


def _rows(rng: Random) -> bytes:
    """Lines of columns, numbers and others, by tabs or blanks."""
    between = rng.choice(("\t", " ", "\t\t"))
    column = lambda: str(
        rng.choice(
            (
                rng.randrange(-2, 10 ** rng.randrange(1, 18)),
                "x",
                "-1",
                "",
                "\0",
                "1e9",
                "; MaxNodes: 0",
                hostile.value(rng),
            )
        )
    )[:300]
    lines = (
        between.join(column() for _ in range(rng.choice((1, 5, 6, 7, 17, 18, 18, 19))))
        for _ in range(rng.randrange(1, 6))
    )
    return "\n".join(lines).encode("utf-8", "replace")


class Files:
    """Valid files that are changed as JSON and as bytes."""

    def __init__(self) -> None:
        self._known = {reader: tuple(corpus(reader)) for reader in READERS}
        self._json = {
            reader: tuple(json.loads(one) for one in self._known[reader][:4])
            for reader in ("scenario", "exercise", "body")
        }
        self._json["history"] = (json.loads(self._known["history"][0]),)
        # the first of several values
        self._json["trace"] = tuple(
            json.JSONDecoder().raw_decode(one.decode())[0] for one in self._known["trace"][:4]
        )

    def inputs(self) -> SearchStrategy[tuple[str, bytes]]:
        """A reader and what it reads."""
        return st.builds(self._of, st.sampled_from(sorted(READERS)), hostile.rng())

    def _of(self, reader: str, rng: Random) -> tuple[str, bytes]:
        if reader == "name" and rng.random() < 0.7:
            return reader, "".join(rng.choice(PIECES) for _ in range(rng.randrange(8))).encode()
        if reader == "trace" and rng.random() < 0.2:
            return reader, _rows(rng)
        if reader in self._json and rng.random() < 0.6:
            return reader, hostile.body(self._json[reader], rng)
        return reader, hostile.cut(rng.choice(self._known[reader]), rng)

    def ask(self, tried: FuzzReport, one: tuple[str, bytes]) -> None:
        """Try it."""
        tried.inputs += 1
        at(repr(one))
        try:
            tried.answers[answer(*one)] += 1
        except Exception as error:
            tried.fault(f"{one[0]}: {where(error)}", repr(one[1][:600]))
