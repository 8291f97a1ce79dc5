"""Which tests a change reaches: those that import, over any number of files, something that is not as it was
when a run last passed.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from tests.conftest import ROOT
from tests.import_graph import CODE, files, needs, short
from tests.suite import HOUSE

# what these say holds for every test
AFFECTS_ALL = {
    "pyproject.toml",
    "requirements.txt",
    "requirements-test.txt",
    "requirements-spark.txt",
}
GENERATED = {"bench.json"}


def file_hashes() -> dict[str, str]:
    """A hash of each file."""
    return {
        short(path): hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in files()
        if path.name not in GENERATED
    }


def changed(before: dict[str, str], now: dict[str, str]) -> set[str]:
    """The files that are new, gone or other than before."""
    return {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}


def uncommitted() -> set[str]:
    """The files that are not as they were committed."""
    commands = (["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"])
    outputs = [
        subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for command in commands
    ]
    return {name for name in "".join(outputs).splitlines() if Path(name).name not in GENERATED}


def tests(changed: set[str]) -> tuple[list[str], list[str]]:
    """The files of tests that are changed or that the fewest imports lead to from a changed file, and all
    that a change reaches.
    """
    users: dict[str, set[str]] = defaultdict(set)
    for path in CODE:
        for needed in needs(path):
            users[short(needed)].add(short(path))
    readers = {name for other in changed if not other.endswith(".py") for name in _readers(other)}
    all_tests = {short(path) for path in CODE if path.name.startswith("test_")}
    reached = {*changed, *readers}
    nearest, edge, closest = all_tests & reached, reached, set[str]()
    while edge:
        edge = {user for name in edge for user in users[name]} - reached
        reached = reached | edge
        closest = closest or all_tests & edge - {HOUSE}
    nearest |= closest
    chosen = all_tests if changed & AFFECTS_ALL else all_tests & reached | {HOUSE}
    return sorted(chosen & nearest | {HOUSE}), sorted(chosen)


def _readers(name: str) -> set[str]:
    """The Python files that read a file that is none: those that say its name or the name of a folder it is
    in, and tests beside it.
    """
    path = Path(name)
    folders = "|".join(
        re.escape(folder) for folder in path.parts[:-1] if folder not in ("engine", "webapp", "tests")
    )
    mentions = re.compile(
        rf"\b{re.escape(path.name)}\b" + (rf"""|["/](?:{folders})["/]""" if folders else "")
    )
    return {
        short(file)
        for file in CODE
        if file.parent == ROOT / path.parent or mentions.search(file.read_text("utf-8"))
    }
