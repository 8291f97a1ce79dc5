"""Compiled code is loaded from pickles: only from folders that nobody else may write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import code_cache, presets, simulate
from tests.conftest import ROOT

OTHER = 12_345  # a user's id that is not ours


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files; HOME can't be written, for a file is in its place."""
    (tmp_path / "home").write_text("")
    (tmp_path / "tmp").mkdir(mode=0o777)
    (tmp_path / "tmp").chmod(0o1777)
    for name in ("GANTRY_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(code_cache.tempfile, "tempdir", str(tmp_path / "tmp"))
    code_cache.folder.cache_clear()
    yield tmp_path / "tmp"
    code_cache.folder.cache_clear()


def asked_again() -> Path:
    code_cache.folder.cache_clear()
    return code_cache.folder()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_without_a_home_a_private_folder_of_this_user_serves_all_its_processes(places: Path) -> None:
    folder = asked_again()
    assert folder.parent == places / f"gantry-{os.getuid()}"
    assert mode(folder) == 0o700
    assert asked_again() == folder


@pytest.mark.parametrize("whose", ["base", "inner", "writable", "link", "inner link"])
def test_what_somebody_else_may_write_is_not_loaded(
    places: Path, tmp_path: Path, whose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name can be guessed, so anybody may have made it first: then this process has a new folder of its
    own.
    """
    own = asked_again()
    base = own.parent
    if whose == "writable":
        own.chmod(0o777)
    elif whose == "link":
        base.rename(tmp_path / "elsewhere")
        base.symlink_to(tmp_path / "elsewhere")
    elif whose == "inner link":
        own.rename(tmp_path / "elsewhere")
        own.symlink_to(tmp_path / "elsewhere")
    else:
        theirs = base if whose == "base" else own
        real, real_link = Path.stat, Path.lstat
        other = lambda folder: os.stat_result((*folder[:4], OTHER, *folder[5:]))
        monkeypatch.setattr(
            Path,
            "stat",
            lambda path, **more: other(real(path, **more)) if path == theirs else real(path, **more),
        )
        monkeypatch.setattr(
            Path, "lstat", lambda path: other(real_link(path)) if path == theirs else real_link(path)
        )
    folder = asked_again()
    assert folder.parent == places and folder not in (base, own) and not folder.is_symlink()
    assert mode(folder) == 0o700 and not any(folder.iterdir())


def test_a_named_folder_that_all_may_write_is_no_place_for_it(
    places: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of ours is closed to others; one of root's, which we can't close, counts only where nobody can
    replace what is not theirs.
    """
    named = tmp_path / "named"
    named.mkdir()
    named.chmod(0o775)
    monkeypatch.setenv("GANTRY_CACHE_DIR", str(named))
    assert asked_again().parent == named
    assert mode(named) == 0o755
    real = Path.stat
    for bits, kept in ((0o40777, False), (0o41777, True), (0o40755, True)):
        roots = lambda found, bits=bits: os.stat_result((bits, *found[1:4], 0, *found[5:]))
        with monkeypatch.context() as root:
            root.setattr(code_cache.os, "getuid", lambda: os.geteuid() or OTHER)
            root.setattr(
                Path,
                "stat",
                lambda path, roots=roots, **more: (
                    roots(real(path, **more)) if path == named else real(path, **more)
                ),
            )
            root.setattr(
                Path,
                "lstat",
                lambda path: os.stat_result(
                    (*(found := os.lstat(path))[:4], os.geteuid() or OTHER, *found[5:])
                ),
            )
            assert (asked_again().parent == named) is kept


RUN = """
from engine import presets, simulate
from engine.simulation.kernel import loop

simulate(presets()[0].scenario, "fifo", plain=False)
hits, misses = (dict(getattr(loop.kernel._fast.stats, name)) for name in ("cache_hits", "cache_misses"))
assert sum(hits.values()) == 1 and not misses, (hits, misses)
"""


def test_a_copy_elsewhere_loads_what_was_compiled(tmp_path: Path) -> None:
    """The old one: a server of a copy took its code for compiled, compiled it silently while it served, and
    answered nobody for five minutes.
    """
    simulate(presets()[0].scenario, "fifo", plain=False)
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    for copied in (tmp_path / "engine").rglob("*.py"):
        os.utime(copied, (1, 1))
    subprocess.run([sys.executable, "-c", RUN], cwd=tmp_path, check=True)


def test_a_folder_of_everybody_s_stays_so(
    places: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one: GANTRY_CACHE_DIR=/tmp, said by root, forbade everybody else to write there."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    monkeypatch.setenv("GANTRY_CACHE_DIR", str(tmp_path / "shared"))
    assert mode(asked_again()) == 0o700
    assert (tmp_path / "shared").stat().st_mode & 0o7777 == 0o1777
