"""Jobs that recur: the stem of their names, without digits, dates and ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

LONGEST = 180
STAGE = re.compile(r"\(?\bstage-\d+\)?", re.IGNORECASE)  # of a Hive query: its stages are different jobs
CHANGING = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"  # a UUID
    r"|(?:application|job|attempt)_\d+_\d+|(?=[0-9a-f]*\d)[0-9a-f]{12,}|\d+(?:[-_.:/T]\d+)*",
    re.IGNORECASE,
)
AROUND = " \t\n-_.:,;#/=()[]"


def stem(name: str) -> str:
    """What stays of a name when it runs another day: daily-load-2026-11-24 is daily-load; "" where nothing stays."""
    kept = STAGE.findall(name)
    words = CHANGING.sub(" ", STAGE.sub(" ", name))
    found = re.sub(r"[\s\-_.:]{2,}", " ", words).strip(AROUND)
    return " ".join([found, *kept]).strip()[:LONGEST]


def groups(names: Iterable[str]) -> list[str]:
    """The stem of each name where several share it, else ""."""
    stems = [stem(name[:10_000]) for name in names]
    times = Counter(stems)
    return [one if times[one] > 1 else "" for one in stems]
