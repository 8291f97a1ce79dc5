"""Which code made a kept value: Gantry's version, and a digest of its sources.

A server that is updated between two releases has the version of before, and its kept runs would be the old
code's.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from engine import VERSION

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "webapp")
SUFFIXES = {".py", ".toml"}  # the sentences too, for runs hold some
DIGITS = 12


@cache
def code_version() -> str:
    """The version and the first hexadecimal digits of sha256 over all sources, by their paths."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix in SUFFIXES:
                content = path.read_bytes()
                digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return f"{VERSION}-{digest.hexdigest()[:DIGITS]}"
