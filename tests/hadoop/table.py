"""What agrees with Hadoop, feature by feature: as data for the page, and as
engine/docs/numbers/against-hadoop.md shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.against_hadoop import (
    FILE,
    Agreement,
    CheckedAgainstHadoop,
    CheckedFeature,
    CheckedFiles,
    KnownDifference,
    agreement_json,
    checked_against_hadoop,
)
from tests.gallery import between
from tests.hadoop import workloads
from tests.hadoop.features import FEATURES, MEMORY_ONLY, NAMES
from tests.hadoop.gantry_decisions import Comparison, compared
from tests.hadoop.referee import PROJECT, Decisions

DOCUMENT = Path(__file__).parents[2] / "engine" / "docs" / "numbers" / "against-hadoop.md"
MARKS = "<!-- decisions: written by make referee -->\n", "<!-- end of decisions -->\n"
FILES_MARKS = "<!-- files: written by make referee -->\n", "<!-- end of files -->\n"
COLUMNS = {
    "fifo": "`fifo`, memory",
    "fair": "`fair`",
    "drf": "`drf`",
    "capacity": "`capacity`, memory",
    "capacity-drc": "`capacity`",
}
REASONS: dict[tuple[str, str], str] = {}  # by feature and scheduler: why decisions there can't be identical
NOT_COMPARED = (
    "What tasks do and when they end: durations, shuffles and the heartbeats of masters are Gantry's on "
    "both sides.",
    "When a master says which of its maps run: at once, also under its own ramp-up; Hadoop's says it at "
    "its next heartbeat, and asks for places in between.",
    "The order of hosts in Hadoop's hash maps: none decides where maps have blocks; continuous scheduling "
    "and rack-locality-full-reset off are not tried.",
    "Killed ApplicationMasters; CapacityScheduler's preemption beside its fair leaves, priorities and "
    "Hadoop's own MapReduce master, and within a queue.",
    "Runs in which queues kill each other's containers for ever, as some settings make them in Hadoop "
    "too: they count as no decision.",
    "Rejected submissions (maximum-applications), node labels and asynchronous scheduling.",
)


def check_agreement(
    scripts: list[dict[str, Any]],
    golden: dict[str, Decisions],
    compare: Callable[[dict[str, Any], Decisions], Comparison] = compared,
    files: list[CheckedFiles] | None = None,
) -> CheckedAgainstHadoop:
    """What was found; where the data of the real workloads are not, what was found on them before. files:
    what was found of the loader, None for what was found of it before.
    """
    abouts = {
        one.name: " ".join(dict.fromkeys(other.about for other in FEATURES if other.name == one.name))
        for one in FEATURES
    }
    features = [
        _feature(name, about, scripts, golden, compare)
        for name, about in {**abouts, **workloads.rows()}.items()
    ]
    before = {} if workloads.are_available() else {one.name: one for one in checked_against_hadoop().features}
    features = [one if one.scripts else before[one.name] for one in features]
    differences = [
        KnownDifference(
            feature.name,
            scheduler,
            one.decisions - one.identical,
            REASONS.get((feature.name, scheduler), "not explained yet"),
        )
        for feature in features
        for scheduler, one in feature.agreement.items()
        if one.identical < one.decisions
    ]
    version = re.search("<hadoop>(.*)</hadoop>", (PROJECT / "pom.xml").read_text("utf-8"))[1]
    schedulers = {key: name + "(resources=memory)" * (key in MEMORY_ONLY) for key, name in NAMES.items()}
    return CheckedAgainstHadoop(
        version,
        schedulers,
        features,
        sum(len(one.reservations) for one in golden.values()),
        differences,
        list(NOT_COMPARED),
        checked_against_hadoop().files if files is None else files,
    )


def _feature(
    name: str,
    about: str,
    scripts: list[dict[str, Any]],
    golden: dict[str, Decisions],
    compare: Callable[[dict[str, Any], Decisions], Comparison],
) -> CheckedFeature:
    own = [script for script in scripts if script["id"].split("/")[1] == name]
    counts = {
        scheduler: [0, 0] for scheduler in NAMES if any(script["scheduler"] == scheduler for script in own)
    }
    for script in own:
        counts[script["scheduler"]][0] += compare(script, golden[script["id"]]).identical
        counts[script["scheduler"]][1] += len(golden[script["id"]].placements)
    return CheckedFeature(
        name, about, len(own), {scheduler: Agreement(*both) for scheduler, both in counts.items()}
    )


def table(agreement: CheckedAgainstHadoop) -> str:
    """Identical decisions before the first that differs, of all, for each feature and scheduler."""
    lines = [f"| decisions | {' | '.join(COLUMNS.values())} |", f"|---|{'---:|' * len(COLUMNS)}"]
    rows = {one.name: one.agreement for one in agreement.features} | {
        "all": {column: agreement.total([column]) for column in COLUMNS}
    }
    lines += [
        f"| {name} | {' | '.join(_cell(row.get(column)) for column in COLUMNS)} |"
        for name, row in rows.items()
    ]
    same, decisions = agreement.total(COLUMNS)
    return (
        f"{same:,} of {decisions:,} decisions on {agreement.scripts:,} scripts are identical.\n\n"
        + "\n".join(lines)
        + "\n"
    )


def files_table(checked: list[CheckedFiles]) -> str:
    """What both make of random files, row by row."""
    kinds = list(dict.fromkeys(kind for one in checked for kind in one.kinds))
    counts = {
        "files of a cluster": [one.cases for one in checked],
        "started by both": [one.started for one in checked],
        "refused by both": [one.refused for one in checked],
        "refused by Hadoop alone": [one.refused_by_hadoop for one in checked],
        "refused by Gantry alone": [one.refused_by_gantry for one in checked],
    }
    agreements = {
        "written back and read by Hadoop the same": [one.written for one in checked],
        **{kind: [one.kinds.get(kind) for one in checked] for kind in kinds},
    }
    lines = [f"| files | {' | '.join(one.scheduler for one in checked)} |", f"|---|{'---:|' * len(checked)}"]
    lines += [f"| {name} | {' | '.join(f'{count:,}' for count in row)} |" for name, row in counts.items()]
    lines += [f"| {name} | {' | '.join(map(_cell, row))} |" for name, row in agreements.items()]
    return "\n".join([*lines, ""])


def write(agreement: CheckedAgainstHadoop) -> str:
    """As data for the page, and the tables into their document, between its marks; the tables."""
    FILE.write_text(agreement_json(agreement), "utf-8")
    text, files_text = table(agreement), files_table(agreement.files)
    document = between(DOCUMENT.read_text("utf-8"), *MARKS, text)
    DOCUMENT.write_text(between(document, *FILES_MARKS, files_text), "utf-8")
    return f"{text}\n{files_text}"


def _cell(one: Agreement | None) -> str:
    return f"{one.identical:,} of {one.decisions:,}" if one else ""
