"""Event logs of Spark: of its history server and of a local folder."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from engine.collect.archive_folder import ArchiveFolder
from engine.collect.event_logs import stamp
from engine.collect.gantry_collect import main
from engine.scenario.formats.combined_files import read_files
from tests.engine.collect.archives import files
from tests.engine.collect.fake_server import T0, FakeServer, reply, serve
from tests.engine.scenario.history.spark.event_logs import ID, plain_log
from tests.phrases import phrase

SPAN = ["--from", str(T0), "--to", str(T0 + 3_600_000)]
PATH = "/api/v1/applications"
LOCAL = "local-1700000000000"


def zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def call(server: FakeServer, out: Path, *more: str) -> int:
    options = ["--out", str(out), "--quiet", "--rate", "1000", "--retries", "0"]
    return main(["--spark", server.url, *SPAN, *options, *more])


def server_of() -> dict[str, object]:
    return {
        PATH: [
            {"id": ID, "attempts": [{"attemptId": "1"}, {"attemptId": "../1"}]},
            {"id": LOCAL, "attempts": [{}]},
            {"id": "../etc", "attempts": [{}]},
            7,
        ]
    }


def answer_with(server: FakeServer, path: str, data: bytes) -> None:
    server.instead[path] = lambda handler: reply(handler, 200, data, Content_Type="application/octet-stream")


def test_logs_of_the_history_server(tmp_path: Path) -> None:
    log = plain_log().data
    rolled = {f"eventlog_v2_{LOCAL}/events_{number}_{LOCAL}": log[: 900 * number] for number in (1, 2)}
    out = tmp_path / "out.tar.gz"
    with serve(server_of()) as server:
        answer_with(server, f"{PATH}/{ID}/1/logs", zipped(**{f"{ID}_1": log, "../etc/passwd": b"x"}))
        answer_with(server, f"{PATH}/{LOCAL}/logs", zipped(**rolled))
        assert call(server, out) == 0
        (asked, headers), *others = server.asked
    assert asked == f"{PATH}?minEndDate=2023-11-14T22%3A13%3A20.000GMT&maxDate=2023-11-14T23%3A13%3A20.000GMT"
    assert headers["Accept"] == "application/json"
    assert [(path, own["Accept"]) for path, own in others] == [
        (f"{PATH}/{ID}/1/logs", "*/*"),
        (f"{PATH}/{LOCAL}/logs", "*/*"),
    ]
    names = {f"spark/{ID}_1", f"spark/events_1_{LOCAL}", f"spark/events_2_{LOCAL}"}
    assert set(files(out)) == {"manifest.json", *names}
    assert files(out)[f"spark/{ID}_1"] == log
    with open(out, "rb") as stream:
        assert [job.name for job in read_files([("out.tar.gz", stream)]).scenario.jobs] == ["etl"]


def test_what_cannot_be_had_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.tar.gz"
    with serve(server_of()) as server:
        answer_with(server, f"{PATH}/{ID}/1/logs", b"no zip")
        assert call(server, out) == 1
    assert set(files(out)) == {"manifest.json"}
    told = capsys.readouterr().err
    assert phrase("collect.no_zip_of_event_logs", f"{PATH}/{ID}/1/logs") in told
    assert f"{PATH}/{LOCAL}/logs" in told
    with serve({}) as server:
        assert call(server, tmp_path / "none.tar.gz") == 1


def test_logs_of_a_folder_written_in_the_span_or_later(tmp_path: Path) -> None:
    logs = tmp_path / "logs" / f"eventlog_v2_{ID}"
    logs.mkdir(parents=True)
    times = {f"events_1_{ID}.zstd": 60, f"appstatus_{ID}": 60, "notes.txt": 60, f"{LOCAL}.lz4": -60}
    for name, seconds in times.items():
        (logs / name).write_bytes(b"log")
        os.utime(logs / name, (T0 / 1000 + seconds,) * 2)
    out = tmp_path / "out.tar.gz"
    assert main(["--history", str(tmp_path / "logs"), *SPAN, "--out", str(out), "--quiet"]) == 0
    assert set(files(out)) == {"manifest.json", f"spark/events_1_{ID}.zstd"}


def test_a_log_that_is_there_is_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.tar.gz"
    with serve(server_of()) as server:
        answer_with(server, f"{PATH}/{ID}/1/logs", zipped(**{f"{ID}_1": b"log"}))
        answer_with(server, f"{PATH}/{LOCAL}/logs", zipped(**{LOCAL: b"log"}))
        with monkeypatch.context() as patch:
            patch.setattr(ArchiveFolder, "pack", interrupt)
            assert call(server, out) == 130
        assert call(server, out) == 0
        assert server.paths().count(f"{PATH}/{ID}/1/logs") == 1
    assert set(files(out)) == {"manifest.json", f"spark/{ID}_1", f"spark/{LOCAL}"}


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_times_as_the_history_server_takes_them() -> None:
    assert stamp(1_700_000_000_999) == "2023-11-14T22:13:20.000GMT"
