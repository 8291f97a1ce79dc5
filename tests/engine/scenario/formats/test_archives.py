"""Archives as their files: whole, cut off, too large, with links and with paths that lead elsewhere."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError, GantryError, TooLarge
from engine.scenario.formats import archives
from engine.scenario.formats.archives import is_archive, members
from tests.engine.scenario.formats.archives import tar, zipped
from tests.phrases import phrase

FILES = {"a.txt": b"one", "deep/er/b.txt": b"two" * 1000, "../../../etc/passwd": b"three", "/abs": b""}


def unpacked(data: bytes, most: int | None = None) -> tuple[dict[str, bytes], list[str]]:
    notes: list[str] = []
    result = {}
    for name, stream in members("x", io.BytesIO(data), data.startswith(b"PK"), most, notes):
        parts = []
        while part := stream.read(100):
            parts.append(part)
        result[name] = b"".join(parts)
    return result, notes


@pytest.mark.parametrize(
    "data", [tar(FILES), gzip.compress(tar(FILES)), zipped(FILES)], ids=["tar", "tar.gz", "zip"]
)
def test_files_by_their_last_names(data: bytes) -> None:
    assert is_archive(data) and is_archive(data[:600] if data.startswith(b"\x1f") else data[:300])
    assert unpacked(data) == ({"a.txt": b"one", "b.txt": b"two" * 1000, "passwd": b"three", "abs": b""}, [])


def test_links_and_devices_are_told_and_not_followed() -> None:
    link, device = tarfile.TarInfo("link"), tarfile.TarInfo("device")
    link.type, link.linkname, device.type = tarfile.SYMTYPE, "/etc/passwd", tarfile.CHRTYPE
    assert unpacked(tar({"a": b"1"}, link, device)) == (
        {"a": b"1"},
        [phrase("formats.x_links_or_devices_in", 2)],
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert unpacked(out.getvalue()) == ({}, [phrase("formats.x_link_or_device_in")])


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(tar({"a": bytes(10**7)})),
        zipped({"a": bytes(10**7)}),
        zipped({"a": bytes(10**6), "b": bytes(10**6)}),
    ],
)
def test_bombs_are_bounded(data: bytes) -> None:
    with pytest.raises(TooLarge, match="more than 1,500,000 bytes"):
        unpacked(data, 1_500_000)


def test_the_number_of_files_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
    for data in (tar(FILES), zipped(FILES)):
        with pytest.raises(TooLarge, match="^" + phrase("formats.x_holds_more_than_files", 2) + "$"):
            unpacked(data)
    monkeypatch.setattr(archives, "MAX_DIRECTORY_BYTES", 100)
    with pytest.raises(TooLarge, match="^" + phrase("formats.x_lists_more_than_files", 2)):
        unpacked(zipped(FILES))


def test_a_header_is_held_only_up_to_its_bound() -> None:
    """tarfile holds an extended header as a whole, however long it says it is."""
    long = tarfile.TarInfo("././@LongLink")
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 2**30
    data = long.tobuf(tarfile.GNU_FORMAT) + bytes(10**7)
    stream = io.BytesIO(data)
    tracemalloc.start()
    with pytest.raises(
        TooLarge, match="^" + phrase("formats.header_archive_holds_more_than", "1,048,576") + "$"
    ):
        list(members("x", stream, False, None, []))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 2**20


def test_cut_off_what_stands_before_is_read() -> None:
    whole = tar({"a": b"1" * 2000, "b": b"2" * 2000})
    result, notes = unpacked(gzip.compress(whole)[:-20])
    assert result["a"] == b"1" * 2000 and len(notes) <= 1
    with pytest.raises(FormatError, match=phrase("formats.data_in_archive_broken_after")):
        unpacked(whole[:4000])
    with pytest.raises(FormatError, match="^" + phrase("formats.x_zip_broken_or_cut")):
        unpacked(zipped(FILES)[:-30])


def test_a_packed_file_that_can_t_be_unpacked_is_told() -> None:
    data = bytearray(zipped({"a": b"1" * 100, "b": b"2"}))
    at = data.index(b"PK\x01\x02")
    data[at + 8 : at + 10] = struct.pack("<H", 1)  # encrypted
    result, notes = unpacked(bytes(data))
    assert result == {"b": b"2"} and notes[0].startswith(phrase("formats.x_cant_be_unpacked") + " ")


@given(st.sampled_from([tar(FILES), zipped(FILES)]), st.data())
def test_changed_bytes(whole: bytes, data: st.DataObject) -> None:
    changed = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 5))):
        changed[data.draw(st.integers(4, len(changed) - 1))] = data.draw(st.integers(0, 255))
    try:
        unpacked(bytes(changed), 10**6)
    except GantryError as error:
        assert "\n" not in str(error)
