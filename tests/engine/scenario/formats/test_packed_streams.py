from __future__ import annotations

import io
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.scenario.formats import packed_streams
from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.json_stream import Source, unpacked
from tests.engine.scenario.formats.packed_files import PACKERS
from tests.engine.scenario.history.spark.event_logs import plain_log
from tests.phrases import phrase

RANDOM = random.Random(1)
TEXT = b"".join(b'{"Event":"SparkListenerTaskEnd","x":%d}\n' % RANDOM.randrange(10**9) for _ in range(9000))


EACH = pytest.mark.parametrize(("name", "pack"), PACKERS.items())


def text(data: bytes) -> tuple[bytes, str]:
    """What can be read, and the sentence that ends it."""
    source, parts = Source(io.BytesIO(data), is_json=False), []
    try:
        while part := source.read():
            parts.append(part)
    except FormatError as error:
        return b"".join(parts), str(error)
    return b"".join(parts), ""


@EACH
def test_what_was_packed_comes_out(name: str, pack: Callable[[bytes], bytes]) -> None:
    assert text(pack(TEXT)) == (TEXT, "")
    assert text(pack(TEXT[:5000]) + pack(TEXT[5000:])) == (TEXT, "")
    head = unpacked(pack(TEXT)[:65_536])
    assert len(head) > 10_000
    assert TEXT.startswith(head)


@EACH
def test_cut_off_anywhere_what_stands_before_is_read(name: str, pack: Callable[[bytes], bytes]) -> None:
    packed = pack(TEXT)
    for end in (12, 40, len(packed) // 3, len(packed) // 2):
        data, sentence = text(packed[:end])
        assert TEXT.startswith(data)
        assert sentence == phrase("formats.packed_file_truncated", name, f"{len(data):,}")
    assert len(text(packed[: len(packed) * 2 // 3])[0]) > len(TEXT) // 3


@EACH
def test_a_log_that_is_cut_off_or_damaged_is_read_until_there(
    name: str, pack: Callable[[bytes], bytes]
) -> None:
    log = plain_log()
    log.lines[-1:] = TEXT.decode().splitlines() + log.lines[-1:]
    packed = pack(log.data)
    half = len(packed) // 2
    damaged = packed[:half] + bytes(byte ^ 0xFF for byte in packed[half : half + 40]) + packed[half + 40 :]
    for data, said in ((packed[:half], "is truncated"), (damaged, "")):
        imported = read_files([("x", io.BytesIO(data))])
        assert [job.name for job in imported.scenario.jobs] == ["etl"]
        told = [note for note in imported.assumptions if note.startswith("x: ")]
        assert told
        assert f"the {name} " in told[0] or not said
        assert said in told[0]


@EACH
def test_a_packed_file_of_which_nothing_can_be_unpacked_is_told(
    name: str, pack: Callable[[bytes], bytes]
) -> None:
    packed = pack(plain_log().data)
    for data in (packed[:14], packed[:14] + b"\xff" * 40 + packed[54:]):
        with pytest.raises(FormatError, match="^x: " + phrase("formats.broken_at_once")):
            read_files([("x", io.BytesIO(data))])
        imported = read_files([("x", io.BytesIO(data)), ("y", io.BytesIO(packed))])
        assert "x: " + phrase("formats.broken_at_once") in imported.assumptions


@EACH
@given(data=st.data())
def test_changed_bytes_give_text_or_a_sentence(
    name: str, pack: Callable[[bytes], bytes], data: st.DataObject
) -> None:
    packed = bytearray(pack(TEXT[:20_000]))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    text(bytes(packed))
    unpacked(bytes(packed))


@pytest.mark.parametrize(
    "data",
    [
        packed_streams.LZ4_HEADER.pack(b"LZ4Block", 0x20, 10, 2**30, 0) + b"x" * 10,
        packed_streams.LZ4_HEADER.pack(b"LZ4Block", 0x20, 10, -1, 0) + b"x" * 10,
        packed_streams.LZ4_HEADER.pack(b"LZ4Block", 0x30, 10, 10, 0) + b"x" * 10,
        packed_streams.LZ4_HEADER.pack(b"LZ4Block", 0x20, 10, 99, 0) + b"x" * 10,
        packed_streams.SNAPPY + bytes(8) + b"\xff\xff\xff\xff" + b"x" * 10,
        packed_streams.SNAPPY + bytes(8) + b"\0\0\0\x05" + b"\xff\xff\xff\xff\x7f",
        packed_streams.ZSTD + b"x" * 40,
    ],
)
def test_lengths_beyond_all_measure_are_damage(data: bytes) -> None:
    read, sentence = text(data)
    assert read == b""
    assert "damaged" in sentence
