"""What the owner sets by environment."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.phrases import phrase
from webapp import settings
from webapp.settings import SettingError


def test_the_limit_of_containers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.max_containers() == 1_000_000
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "5000")
    assert settings.max_containers() == 5000


@pytest.mark.parametrize("name", settings.LIMITS)
@pytest.mark.parametrize("text", ["many", "below", "-5", "1e6", "1.5", "9" * 5000])
def test_a_limit_that_is_no_number_is_a_sentence(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, str(settings.LIMITS[name].minimum - 1) if text == "below" else text)
    with pytest.raises(SettingError, match=phrase("webapp.must_be_whole_number", name, ".*")):
        settings.limit(name)


def test_every_limit_stands_in_the_table_with_its_default() -> None:
    text = (ROOT / "webapp" / "docs" / "reference" / "limits.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", text, re.MULTILINE))
    assert rows.pop("GANTRY_WORKERS") == phrase("webapp.one_process_fewer_than_cores")
    assert rows == {
        name: f"{limit.default:,} {limit.unit}"
        for name, limit in settings.LIMITS.items()
        if name != "GANTRY_WORKERS"
    }


def test_hosts_are_parted_by_commas(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.trusted_hosts() == []
    monkeypatch.setenv("GANTRY_TRUSTED_HOSTS", " gantry.example, .example.org ,")
    assert settings.trusted_hosts() == ["gantry.example", ".example.org"]


def test_sites_that_may_frame_are_parted_by_spaces(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.embed_origins() == ()
    monkeypatch.setenv("GANTRY_EMBED", " https://lms.example.org  http://127.0.0.1:8000 ")
    assert settings.embed_origins() == ("https://lms.example.org", "http://127.0.0.1:8000")
    monkeypatch.setenv("GANTRY_EMBED", "http://[::1]:65535 http://localhost")
    assert settings.embed_origins() == ("http://[::1]:65535", "http://localhost")


def test_a_link_among_the_temporary_files_is_not_followed(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes it first would choose which folder of ours holds the cache, and is made private."""
    (tmp_path / "file").write_text("")
    (tmp_path / "ours").mkdir(mode=0o755)
    (tmp_path / f"gantry-{os.getuid()}").symlink_to(tmp_path / "ours")
    monkeypatch.delenv("GANTRY_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(settings.tempfile, "gettempdir", lambda: str(tmp_path))
    with pytest.raises(SettingError, match="Set GANTRY_DATA to one"):
        settings.data_dir()
    assert (tmp_path / "ours").stat().st_mode & 0o777 == 0o755


def test_the_data_folder_is_private(data: Path) -> None:
    data.mkdir(mode=0o755)
    assert settings.data_dir() == data
    assert data.stat().st_mode & 0o777 == 0o700


def test_a_data_folder_that_can_not_be_made_is_a_sentence(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GANTRY_DATA", str(tmp_path / "file" / "below"))
    with pytest.raises(SettingError, match="GANTRY_DATA"):
        settings.data_dir()


def test_without_a_home_a_private_folder_among_the_temporary_files_serves(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("GANTRY_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(settings.tempfile, "gettempdir", lambda: str(tmp_path))
    assert settings.data_dir().parent == tmp_path
    assert settings.data_dir().stat().st_mode & 0o777 == 0o700


def test_all_processes_sign_with_one_key(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = settings.secret_key()
    assert len(key) >= 32
    assert settings.secret_key() == key
    assert (data / "secret-key").stat().st_mode & 0o077 == 0
    monkeypatch.setenv("SECRET_KEY", "own")
    assert settings.secret_key() == "own"


@pytest.mark.parametrize("damaged", [b"", b"half", b"\xff" * 43])
def test_a_damaged_secret_key_is_made_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, damaged: bytes
) -> None:
    """The old one: with an empty file, of a disk that had been full, no page opened; with other bytes the
    server did not start.
    """
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setenv("GANTRY_DATA", str(tmp_path))
    settings.data_dir.cache_clear()
    (tmp_path / "secret-key").write_bytes(damaged)
    key = settings.secret_key()
    assert len(key) == 43 and settings.secret_key() == key
    (tmp_path / "secret-key").write_text("one that its owner wrote\n".replace(" ", "-"))
    assert settings.secret_key() == "one-that-its-owner-wrote"
    settings.data_dir.cache_clear()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PORT", "99999"),
        ("PORT", "http"),
        ("WEB_CONCURRENCY", "0"),
        ("REDIS_URL", "here"),
        ("REDIS_URL", "redis://here:there"),
        ("DATABASE_URL", "links"),
        ("GANTRY_EMBED", "lms.example.org"),
        ("GANTRY_EMBED", "https://lms.example.org https://lms.example.org/course"),
        ("GANTRY_EMBED", "https://lms.example.org; script-src *"),
        ("GANTRY_EMBED", "*"),
        ("GANTRY_EMBED", "https://lms.example.org:0"),
        ("GANTRY_EMBED", "https://lms.example.org:65536"),
        ("GANTRY_EMBED", "https://."),
        ("GANTRY_EMBED", "https://lms..example.org"),
        ("GANTRY_EMBED", "https://-lms.example.org"),
        ("GANTRY_EMBED", "https://[::::]"),
    ],
)
def test_what_makes_no_sense_is_told_by_its_name_before_the_server_starts(
    data: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(SettingError, match=f"^{name} .*; it must be "):
        settings.check()


def test_a_database_without_its_driver_is_told_with_what_brings_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    monkeypatch.setenv("DATABASE_URL", "postgres://user@host/name")
    with pytest.raises(SettingError, match=re.escape(phrase("webapp.driver_is_missing"))):
        settings.check()


def test_a_folder_of_other_things_is_not_made_private(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one: GANTRY_DATA=/tmp, said by root, took /tmp from everybody."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "theirs").write_text("")
    (tmp_path / "shared").chmod(0o1777)
    monkeypatch.setenv("GANTRY_DATA", str(tmp_path / "shared"))
    with pytest.raises(SettingError, match=phrase("webapp.must_name_one_gantrys_own", "GANTRY_DATA")):
        settings.data_dir()
    assert (tmp_path / "shared").stat().st_mode & 0o7777 == 0o1777
