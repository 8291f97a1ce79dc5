"""Which tests a change reaches: those that import, over any number of files, something that is not as it was when a run last passed."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from tests.conftest import ROOT
from tests.import_graph import CODE, files, needs, short
from tests.suite import HOUSE

ALL = {"pyproject.toml", "requirements.txt", "requirements-test.txt"}  # what these say holds for every test
MADE = {"bench.json"}


def looked_at() -> dict[str, str]:
    """A hash of each file."""
    return {short(path): hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files() if path.name not in MADE}


def changed(before: dict[str, str], now: dict[str, str]) -> set[str]:
    """The files that are new, gone or other than before."""
    return {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}


def uncommitted() -> set[str]:
    """The files that are not as they were committed."""
    asked = (["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"])
    said = [subprocess.run(["git", *one], cwd=ROOT, capture_output=True, text=True, check=True).stdout for one in asked]
    return {name for name in "".join(said).splitlines() if Path(name).name not in MADE}


def tests(changed: set[str]) -> tuple[list[str], list[str]]:
    """The files of tests that are changed or that the fewest imports lead to from a changed file, and all that a change reaches."""
    users: dict[str, set[str]] = defaultdict(set)
    for path in CODE:
        for needed in needs(path):
            users[short(needed)].add(short(path))
    readers = {name for other in changed if not other.endswith(".py") for name in _readers(other)}
    every = {short(path) for path in CODE if path.name.startswith("test_")}
    reached = {*changed, *readers}
    near, edge, closest = every & reached, reached, set[str]()
    while edge:
        edge = {user for name in edge for user in users[name]} - reached
        reached = reached | edge
        closest = closest or every & edge - {HOUSE}
    near |= closest
    found = every if changed & ALL else every & reached | {HOUSE}
    return sorted(found & near | {HOUSE}), sorted(found)


def _readers(name: str) -> set[str]:
    """The Python files that read a file that is none: those that say its name or the name of a folder it is in, and tests beside it."""
    path = Path(name)
    folders = "|".join(re.escape(folder) for folder in path.parts[:-1] if folder not in ("engine", "webapp", "tests"))
    said = re.compile(rf"\b{re.escape(path.name)}\b" + (rf"""|["/](?:{folders})["/]""" if folders else ""))
    return {short(file) for file in CODE if file.parent == ROOT / path.parent or said.search(file.read_text("utf-8"))}
