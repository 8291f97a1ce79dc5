"""The record that each format's file ends with: what the command and the page need to know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

GZIP_SUFFIX = ".gz"  # any file may be compressed


@dataclass(frozen=True)
class FileFormat:
    """One kind of file.

    kind: its name in the command, `--from KIND`; title: for sentences, such as "a Rumen trace"; keys: those
    by which its first object is known, one that ends in a dot stands for all that begin so; suffixes: the
    ends of such files' names, where the page looks for them; looks_like: of a format of lines, whether its
    first ones look like it.
    refusal: of a kind that is known and not read, the sentence that says so.
    read: (source, nodes or None, title) -> Imported, of a format that makes a scenario; FormatError and
    TooLarge as `readers.read` says.
    """

    kind: str
    title: str
    keys: tuple[str, ...]
    suffixes: tuple[str, ...] = (".json",)
    read: Callable[..., Any] | None = None
    looks_like: Callable[[list[bytes]], bool] | None = None
    refusal: str = ""

    def matches_key(self, key: str) -> bool:
        """Whether a file whose first object has this key is of this kind."""
        return any(
            key == own_key or (own_key.endswith(".") and key.startswith(own_key)) for own_key in self.keys
        )
