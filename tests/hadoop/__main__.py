"""`make referee`: asks Hadoop's schedulers again, prints which decisions are others than before, and renews the golden files and the tables.

Decisions on the real workloads stay as they are where their data are not.
"""

from __future__ import annotations

import json
import sys

from tests.hadoop import workloads
from tests.hadoop.referee import GOLDEN, MISSING, NotFetched, can_run, decide, golden
from tests.hadoop.scripts import scripts
from tests.hadoop.table import checked, write


def main() -> int:
    if not can_run():
        print(MISSING, file=sys.stderr)
        return 1
    if not workloads.are_there():
        print(workloads.ABSENT, file=sys.stderr)
    asked = [*scripts(), *(workloads.scripts() if workloads.are_there() else ())]
    try:
        old, new = golden(), decide(asked)
    except NotFetched as error:
        print(error, file=sys.stderr)
        return 1
    changed = [one.id for one in new if old.get(one.id) != one]
    print("\n".join(f"changed: {name}" for name in changed) or "nothing changed")
    files = {one["id"]: "workloads" if one["id"].startswith(workloads.BEGIN) else one["scheduler"] for one in asked}
    for name in dict.fromkeys(files.values()):
        lines = [json.dumps(one, separators=(",", ":")) + "\n" for one in new if files[one.id] == name]
        (GOLDEN / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    print(write(checked(asked, golden())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
