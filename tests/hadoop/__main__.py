"""`make referee`: asks Hadoop's schedulers again, of scripts and of files of clusters, prints which decisions
are others than before, and renews the golden files and the tables.

NEW=1 asks them only for scripts that the golden files don't hold. Decisions on the real workloads stay as
they are where their data are not.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from tests.hadoop import workloads
from tests.hadoop.converter.hadoop_conversions import write_golden as write_conversions
from tests.hadoop.features import FEATURES
from tests.hadoop.loader.renewal import renew
from tests.hadoop.referee import GOLDEN, MISSING, Decisions, NotFetched, can_run, decide, golden
from tests.hadoop.scripts import digest, scripts
from tests.hadoop.table import check_agreement, write


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.hadoop")
    parser.add_argument("--new", action="store_true", help="only scripts that the golden files don't hold")
    only_new = parser.parse_args().new
    if not can_run():
        print(MISSING, file=sys.stderr)
        return 1
    if not workloads.are_available():
        print(workloads.ABSENT, file=sys.stderr)
    asked = [*scripts(), *(workloads.scripts() if workloads.are_available() else ())]
    try:
        old = golden()
        kept = _unchanged(asked, old) if only_new else {}
        decided = {one.id: one for one in decide(one for one in asked if one["id"] not in kept)}
    except NotFetched as error:
        print(error, file=sys.stderr)
        return 1
    new = [kept.get(one["id"]) or decided[one["id"]] for one in asked]
    changed = [one.id for one in new if old.get(one.id) != one]
    print("\n".join(f"changed: {name}" for name in changed) or "nothing changed")
    _write_golden(asked, new)
    if not only_new:
        write_conversions()
    print(write(check_agreement(asked, golden(), files=renew(only_new=only_new))))
    return 0


def _unchanged(asked: list[dict[str, Any]], old: dict[str, Decisions]) -> dict[str, Decisions]:
    """By id, the golden files' decisions on scripts that are as they were."""
    return {
        one["id"]: old[one["id"]]
        for one in asked
        if one["id"] in old and old[one["id"]].script == digest(one)
    }


def _write_golden(asked: list[dict[str, Any]], decisions: list[Decisions]) -> None:
    files = {one["id"]: _file(one) for one in asked}
    for name in dict.fromkeys(files.values()):
        lines = [
            json.dumps(one if one.kills else one[:-1], separators=(",", ":")) + "\n"
            for one in decisions
            if files[one.id] == name
        ]
        (GOLDEN / f"{name}.jsonl").write_text("".join(lines), "utf-8")


def _file(script: dict[str, Any]) -> str:
    """The golden file that holds Hadoop's decisions on a script."""
    if script["id"].startswith(workloads.BEGIN):
        return "workloads"
    name = script["id"].split("/")[1]
    return (
        next(
            (one.golden for one in FEATURES if one.name == name and script["scheduler"] in one.schedulers), ""
        )
        or script["scheduler"]
    )


if __name__ == "__main__":
    sys.exit(main())
