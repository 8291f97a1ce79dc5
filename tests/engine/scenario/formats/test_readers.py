"""What a file seems to be, and the sentence when it is read as something else."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.scenario.formats import readers
from engine.scenario.formats.readers import FORMATS, READABLE, READERS, SUFFIXES, detect, read
from engine.scenario.presets import presets, sample
from tests.engine.scenario.configuration.files import CAPACITY, FAIR, SITE
from tests.engine.scenario.history.job_histories import conf, plain_job
from tests.phrases import phrase

SAMPLES = {
    "rumen.json": "rumen",
    "sls-jobs.json": "sls",
    "sls-nodes.json": "nodes",
    "rumen-topology.json": "nodes",
    "queue-jmx.jsonl": "queue-jmx",
}
LINES = {"swim.tsv": "swim", "cluster-log.swf": "swf", "queue-range.json": "queue-prometheus"}
XML = {"fair-xml": FAIR, "capacity-xml": CAPACITY, "yarn-site": SITE}
KINDS = SAMPLES | LINES | {f"{preset.key}.json": "scenario" for preset in presets()}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_every_sample_is_known_by_its_first_bytes(name: str, kind: str) -> None:
    whole = sample(name).read_bytes()
    assert detect(whole) == detect(whole[:100]) == kind
    assert detect(gzip.compress(whole)) == detect(gzip.compress(whole)[:300]) == kind
    assert detect(b"\xef\xbb\xbf\n" + whole) == kind
    assert name in LINES or detect(b"\xef\xbb\xbf\n " + whole) == kind


@pytest.mark.parametrize("kind", XML)
def test_configurations_are_known_by_their_first_bytes(kind: str) -> None:
    licence = b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a <configuration> -->\n\n<!-- b -->\n'
    assert (
        detect(XML[kind])
        == detect(gzip.compress(XML[kind]))
        == detect(licence + XML[kind].partition(b"?>")[2])
        == kind
    )
    assert (
        read(kind, io.BytesIO(XML[kind])).scheduler
        == {"fair-xml": "drf", "capacity-xml": "capacity", "yarn-site": "fair(update_ms=100)"}[kind]
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"x":1e99999999999999999999}',
        b'{"x":' + b"9" * 9999,
        b"[]",
        b"{}",
        b"[{}]",
        b'{"a":{"version":1}}',
        b"<xml/>",
        b"\x00\xff",
        b'"version"',
        b"1,2,3",
    ],
)
def test_what_is_not_known(data: bytes) -> None:
    assert detect(data) is None


def test_a_document_type_and_utf_16_do_not_hide_what_a_file_is() -> None:
    queues = '<allocations><queue name="a"/></allocations>'
    assert detect(f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]>\n{queues}'.encode()) == "fair-xml"
    assert detect(f'<!DOCTYPE a SYSTEM "http://example.org/a.dtd">{queues}'.encode()) == "fair-xml"
    assert detect(queues.encode("utf-16")) == "fair-xml"


def test_histories_and_archives_are_known_by_their_first_bytes_and_a_job_s_configuration_by_its_name_too() -> (  # noqa: E501
    None
):
    for whole in (plain_job().json(), plain_job().binary()):
        assert detect(whole) == detect(whole[:20]) == detect(gzip.compress(whole)) == "jhist"
    assert detect(b'{"apps":{"app":[]}}') == detect(b'{"jobs": null}') == "history"
    assert detect(conf()) == detect(gzip.compress(conf())) == "job-conf"
    bare = b"<configuration><property><name>a</name><value>1</value></property></configuration>"
    assert (detect(bare), detect(bare, "job_1_0001_conf.xml"), detect(bare, "mapred-site.xml")) == (
        "yarn-site",
        "job-conf",
        "yarn-site",
    )
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a"))
    assert (
        detect(packed.getvalue())
        == detect(gzip.compress(packed.getvalue()))
        == detect(b"PK\x03\x04")
        == "archive"
    )


@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    assert detect(data) in {None, *readers.ALL_FORMATS}


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(("name", "own"), KINDS.items())
def test_another_kind_is_named(kind: str, name: str, own: str) -> None:
    words = {one.kind: one.title for one in readers.ALL_FORMATS.values()}
    if own != kind:
        with pytest.raises(
            FormatError, match="^" + phrase("formats.this_looks_like_not", words[own], words[kind]) + "$"
        ):
            read(kind, io.BytesIO(sample(name).read_bytes()))


def test_what_is_said_of_formats_comes_from_their_records() -> None:
    assert (
        phrase(
            "formats.scenario_sls_jobs_file_rumen",
            "fair-scheduler.xml",
            "capacity-scheduler.xml",
            "yarn-site.xml",
            "mapred-site.xml",
        )
    ) == READABLE
    assert SUFFIXES == (
        ".csv",
        ".gz",
        ".inprogress",
        ".jhist",
        ".json",
        ".jsonl",
        ".lz4",
        ".sls",
        ".snappy",
        ".swf",
        ".tar",
        ".tar.gz",
        ".tgz",
        ".trace",
        ".tsv",
        ".txt",
        ".xml",
        ".zip",
        ".zstd",
    )
    assert (
        list(READERS)
        == [one.kind for one in FORMATS]
        == [
            "sls",
            "rumen",
            "swim",
            "swf",
            "google-2011",
            "google-2019",
            "alibaba-2017",
            "alibaba-2018",
            "jhist",
            "spark",
            "history",
            "queue-jmx",
            "queue-prometheus",
            "fair-xml",
            "capacity-xml",
            "yarn-site",
            "mapred-site",
        ]
    )


def test_no_key_is_of_two_kinds() -> None:
    for one in readers.ALL_FORMATS.values():
        for key in one.keys:
            assert [
                other.kind
                for other in readers.ALL_FORMATS.values()
                if other.matches_key(key + "x" * key.endswith("."))
            ] == [one.kind]
