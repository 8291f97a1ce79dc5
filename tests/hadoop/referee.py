"""Hadoop's decisions: builds the Maven project beside this file, runs scripts through it, and reads the
golden files of its answers.
"""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.hadoop.scripts import digest, script_line

HERE = Path(__file__).parent
PROJECT = HERE / "referee"
BUILT = HERE.parents[1] / "build" / "referee"
GOLDEN = HERE / "golden"
UNFETCHED = re.compile(
    r"Could not (?:transfer|find) artifact (\S+)|Cannot access \S+ .* in offline mode and the artifact (\S+)"
)
MISSING = (
    "Java or Maven is not on this machine, so Hadoop's schedulers can't be run; the golden files hold "
    "what they decided."
)


# a HashSet that hashes addresses then lists what is in it as it was put in
SAME_ORDER = (
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
)


NO_KILLS = ()  # as golden files without any are read


class Decisions(NamedTuple):
    """What Hadoop decided on one script. placements: [ms, node, job, kind]; reservations: [ms, node, job or
    -1], each heartbeat that changed one.

    kills: [ms, node, job, kind] of what ran and was killed for other jobs, in that order.
    """

    id: str
    script: str  # digest
    status: str
    placements: list[list[int]]
    reservations: list[list[int]]
    kills: Sequence[list[int]] = NO_KILLS


class NotFetched(RuntimeError):
    """A library of Hadoop's is not on this machine, and can't be fetched."""

    def __init__(self, library: str) -> None:
        super().__init__(
            f"Maven can't fetch {library} now; the golden files hold what Hadoop's schedulers decided."
        )
        self.library = library


def can_run() -> bool:
    """Are Java and Maven there?"""
    return bool(shutil.which("java") and shutil.which("mvn"))


def decide(asked: Iterable[dict[str, Any]]) -> list[Decisions]:
    """Hadoop's decisions on scripts; NotFetched without its libraries, RuntimeError with the tool's words
    when it can't be built or fails.
    """
    asked = list(asked)
    answers = java_answers("Main", map(script_line, asked), *SAME_ORDER)
    return [
        Decisions(
            answer["id"],
            digest(one),
            answer["status"],
            answer["placements"],
            answer["reservations"],
            sorted(answer["kills"]) or NO_KILLS,
        )
        for one, answer in zip(asked, answers, strict=True)
    ]


def java_answers(program: str, questions: Iterable[str], *options: str) -> list[Any]:
    """What a program of the referee answers, a line of JSON to each line; raises as `decide`."""
    build(PROJECT)
    with tempfile.TemporaryDirectory() as folder:
        asked, answers = Path(folder, "questions.jsonl"), Path(folder, "answers.jsonl")
        asked.write_text("".join(f"{question}\n" for question in questions), "utf-8")
        libraries = f"{BUILT / 'referee.jar'}:{BUILT / 'lib' / '*'}"
        run(["java", *options, "-cp", libraries, f"gantry.referee.{program}", str(asked), str(answers)])
        return [json.loads(text) for text in answers.read_text("utf-8").splitlines()]


@cache
def golden() -> dict[str, Decisions]:
    """The kept decisions by the script's id."""
    lines = [text for file in sorted(GOLDEN.glob("*.jsonl")) for text in file.read_text("utf-8").splitlines()]
    return {one.id: one for one in (Decisions(*json.loads(text)) for text in lines)}


def build(project: Path, *more: str) -> None:
    """A Maven project, into build/, one at a time; more: words for Maven. Raises as `run` does."""
    BUILT.parent.mkdir(exist_ok=True)
    with (BUILT.parent / "referee.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(["mvn", "--quiet", "--batch-mode", *more, "--file", str(project / "pom.xml"), "package"])


def run(command: list[str], timeout_s: float | None = None) -> None:
    """It ends when this process is interrupted. NotFetched, RuntimeError with its last words when it fails,
    subprocess.TimeoutExpired after timeout_s.
    """
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s)
    output = done.stdout + done.stderr
    if done.returncode and (unfetched := UNFETCHED.search(output)):
        raise NotFetched(unfetched[1] or unfetched[2])
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{output[-4000:]}")
