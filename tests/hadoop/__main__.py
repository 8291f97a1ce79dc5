"""`make referee`: asks Hadoop's schedulers again, prints which decisions are others than before, and renews the golden files and the README's table."""

from __future__ import annotations

import json
import sys

from tests.hadoop.referee import GOLDEN, MISSING, NotFetched, can_run, decide, golden
from tests.hadoop.scripts import scripts
from tests.hadoop.table import table, write


def main() -> int:
    if not can_run():
        print(MISSING, file=sys.stderr)
        return 1
    asked = list(scripts())
    try:
        old, new = golden(), decide(asked)
    except NotFetched as error:
        print(error, file=sys.stderr)
        return 1
    changed = [one.id for one in new if old.get(one.id) != one]
    print("\n".join(f"changed: {name}" for name in changed) or "nothing changed")
    for file in GOLDEN.glob("*.jsonl"):
        file.unlink()
    for one, found in zip(asked, new):
        with (GOLDEN / f"{one['scheduler']}.jsonl").open("a", encoding="utf-8") as kept:
            kept.write(json.dumps(found, separators=(",", ":")) + "\n")
    text = table(asked, {one.id: one for one in new})
    write(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
