"""The Dockerfile's steps one by one, where no engine of containers runs: in a folder instead of an image, by
this machine's Python and user. What pip would fetch comes from the environment of the tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.conftest import ROOT
from tests.waiting import until
from tests.webapp.deployment.site import HERE
from tests.webapp.live_server import free_port

STEP_S = 300
INSIDE = re.compile(r"(?<![\w.])/(?=(?:opt|var|tmp)/)")  # an image's path; /dev/shm is this machine's
USER = re.compile(r"useradd [^&]*")  # only an image's build is root's
OWNER = " -o gantry -g gantry"
GUNICORN = "#!{python}\nfrom gunicorn.app.wsgiapp import run\nrun()\n"


class Image:
    """A stage: folder is its /, environment what ENV says, place its WORKDIR, check and command how its
    HEALTHCHECK and its CMD call programs.
    """

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder = folder
        self.environment = {"PATH": f"{python.parent}:{os.defpath}", "NUMBA_DISABLE_JIT": "1"}
        self.place = folder
        self.check: list[str] = []
        self.command: list[str] = []

    def take(self, word: str, rest: str) -> None:
        """One instruction."""
        rest = INSIDE.sub(f"{self.folder}/", rest)
        if word == "ENV":
            for name, value in re.findall(r'(\w+)=("[^"]*"|\S+)', rest):
                self.environment[name] = value.strip('"').replace("$PATH", self.environment["PATH"])
        elif word == "WORKDIR":
            self.place = Path(rest)
            self.place.mkdir(parents=True, exist_ok=True)
        elif word == "COPY":
            self._copy(*rest.split())
        elif word == "RUN":
            self._run(rest)
        elif word == "HEALTHCHECK":
            self.check = json.loads(rest[rest.index("[") :])
        elif word == "CMD":
            self.command = json.loads(rest)
        else:
            assert word in ("USER", "VOLUME", "EXPOSE", "STOPSIGNAL"), word

    def start(self, command: list[str], **options) -> subprocess.Popen[str]:
        """A program of it."""
        program = shutil.which(command[0], path=self.environment["PATH"]) or command[0]
        words = [program, *command[1:]]
        return subprocess.Popen(words, cwd=self.place, env=self.environment, text=True, **options)

    def _run(self, text: str) -> None:
        if " -m pip install " in text:
            self._install(Path(text.split()[0]), Path(text.split()[-1]))
            return
        shell = ["/bin/sh", "-c", USER.sub("true ", text).replace(OWNER, "")]
        command = json.loads(text) if text.startswith("[") else shell
        with self.start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            out, _ = process.communicate(timeout=STEP_S)
        assert process.returncode == 0, f"{text}\n{out}"

    def _install(self, python: Path, pinned: Path) -> None:
        assert "--hash=sha256:" in pinned.read_text()
        (site,) = python.parent.parent.glob("lib/python*/site-packages")
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
        gunicorn = python.with_name("gunicorn")
        gunicorn.write_text(GUNICORN.format(python=python))
        gunicorn.chmod(0o755)

    def _copy(self, *words: str) -> None:
        *options, source, target = words
        before = next((option for option in options if option.startswith("--from=")), None)
        of = ROOT / source
        if before:
            of = self.folder.with_name(before.removeprefix("--from=")) / Path(source).relative_to(self.folder)
        to = self.place / target
        to.parent.mkdir(parents=True, exist_ok=True)
        if of.is_dir():
            shutil.copytree(of, to, symlinks=True, ignore=None if before else _not_let_in)
        else:
            shutil.copy(of, to)


def _not_let_in(folder: str, names: list[str]) -> set[str]:
    """What Dockerfile.dockerignore keeps out of a folder of the checkout."""
    lines = (HERE / "Dockerfile.dockerignore").read_text().splitlines()
    out = [line.removeprefix("**/") for line in lines if not line.startswith(("#", "!"))]
    inside = Path(folder).relative_to(ROOT)
    return {name for name in names if name in out or (inside / name).as_posix() in out}


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction's word and the rest of it, on one line."""
    joined = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, map(str.strip, joined.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, " ".join(rest.split())


def build(folder: Path, port: int) -> Image:
    """The last stage, whose paths are within the folder "image"; its port is the one given."""
    python = folder / "python"
    python.symlink_to(Path(sys.executable).resolve())
    stage, name = Image(folder / "image", python), ""
    text = (HERE / "Dockerfile").read_text().replace("0.0.0.0:8050", f"127.0.0.1:{port}")
    for word, rest in instructions(text.replace(":8050", f":{port}")):
        if word != "FROM":
            stage.take(word, rest)
            continue
        if name:  # a stage before: all were built at the same place
            stage.folder.rename(folder / name)
        name = rest.partition(" AS ")[2]
        stage = Image(folder / "image", python)
        stage.folder.mkdir()
    return stage


def test_its_steps_end_in_a_server_that_answers(tmp_path: Path) -> None:
    port = free_port()
    image = build(tmp_path, port)
    image.environment |= {"GANTRY_WORKERS": "1", "WEB_CONCURRENCY": "1"}
    assert not (image.folder / "opt/gantry/webapp/deployment").exists()
    with (tmp_path / "log").open("w") as log, image.start(image.command, stdout=log, stderr=log) as server:
        try:
            until(lambda: server.poll() is not None or _passes(image))
            assert server.poll() is None, (tmp_path / "log").read_text()
            with urlopen(f"http://127.0.0.1:{port}/readyz") as answer:
                assert json.load(answer)["status"] == "ready"
        finally:
            server.terminate()
            server.wait(STEP_S)
    assert (image.folder / "var/lib/gantry/links.sqlite").exists()


@pytest.mark.parametrize("text", ["FROM a\n# no\nRUN b \\\n    && c\n", "FROM a\n\nRUN b && c"])
def test_an_instruction_goes_on_behind_a_backslash(text: str) -> None:
    assert list(instructions(text)) == [("FROM", "a"), ("RUN", "b && c")]


def _passes(image: Image) -> bool:
    """Does it pass its own check of its health?"""
    with image.start(image.check, stderr=subprocess.DEVNULL) as check:
        return check.wait(STEP_S) == 0
