"""Jobs that recur: the stem of their names, without digits, dates and ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

MAX_STEM_LENGTH = 180
STAGE = re.compile(r"\(?\bstage-\d+\)?", re.IGNORECASE)  # of a Hive query: its stages are different jobs
CHANGING = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"  # a UUID
    r"|(?:application|job|attempt)_\d+_\d+|(?=[0-9a-f]*\d)[0-9a-f]{12,}|\d+(?:[-_.:/T]\d+)*",
    re.IGNORECASE,
)
AROUND = " \t\n-_.:,;#/=()[]"


def stem(name: str) -> str:
    """What stays of a name when it runs another day: daily-load-2026-11-24 is daily-load; "" where nothing
    stays.
    """
    stages = STAGE.findall(name)
    unnumbered = CHANGING.sub(" ", STAGE.sub(" ", name))
    base = re.sub(r"[\s\-_.:]{2,}", " ", unnumbered).strip(AROUND)
    return " ".join([base, *stages]).strip()[:MAX_STEM_LENGTH]


def recurring_groups(names: Iterable[str]) -> list[str]:
    """The stem of each name where several share it, else ""."""
    stems = [stem(name[:10_000]) for name in names]
    counts = Counter(stems)
    return [each_stem if counts[each_stem] > 1 else "" for each_stem in stems]
