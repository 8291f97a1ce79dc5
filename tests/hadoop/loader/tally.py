"""How much of what Hadoop's loader says is Gantry's too: by scheduler and kind of value, and the cases that
differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from engine.against_hadoop import Agreement, CheckedFiles, KnownDifference
from tests.hadoop.loader.cases import Case
from tests.hadoop.loader.comparison import REFUSED, Compared, compare
from tests.hadoop.loader.gantry_answers import Answer, gantry_answer
from tests.hadoop.loader.hadoop_answers import golden, golden_cases
from tests.hadoop.loader.known import REASONS
from tests.hadoop.referee import GOLDEN

DIFFERENCES = GOLDEN / "loader" / "differences.json"
SCHEDULERS = {"capacity": "CapacityScheduler", "fair": "FairScheduler"}
Differences = dict[str, dict[str, list[int]]]  # by scheduler and kind, the numbers of the cases


def compared(family: str, case: Case, theirs: Answer) -> list[Compared]:
    """All values of one case."""
    return list(compare(family, theirs, gantry_answer(case.files, case)))


def count(
    family: str, results: Iterable[list[Compared]], written: Agreement
) -> tuple[CheckedFiles, dict[str, list[int]]]:
    """The tally of a scheduler's cases, and which differ. written: of the files that Gantry wrote, those that
    Hadoop reads as the ones that it had read.
    """
    results = list(results)
    kinds: dict[str, list[int]] = {}
    differences: dict[str, list[int]] = {}
    refusals = {(theirs, ours): 0 for theirs in (False, True) for ours in (False, True)}
    for number, values in enumerate(results):
        for value in values:
            if value.kind == REFUSED:
                refusals[value.hadoop, value.gantry] += 1
            else:
                both = kinds.setdefault(value.kind, [0, 0])
                both[0] += value.is_same
                both[1] += 1
        for kind in dict.fromkeys(value.kind for value in values if not value.is_same):
            differences.setdefault(kind, []).append(number)
    checked = CheckedFiles(
        SCHEDULERS[family],
        len(results),
        refusals[False, False],
        refusals[True, True],
        refusals[True, False],
        refusals[False, True],
        {kind: Agreement(*both) for kind, both in sorted(kinds.items())},
        written,
        [
            KnownDifference(
                kind, SCHEDULERS[family], len(numbers), REASONS.get((family, kind), "not explained yet")
            )
            for kind, numbers in sorted(differences.items())
        ],
    )
    return checked, dict(sorted(differences.items()))


def golden_results(family: str, most: int | None = None) -> list[list[Compared]]:
    """Of the golden files, or of so many of their cases."""
    pairs = list(zip(golden_cases(family), golden(family)[1], strict=True))[:most]
    return [compared(family, case, theirs) for case, theirs in pairs]


def differences_json(differences: Differences) -> str:
    """The text of the file of the cases that differ."""
    return json.dumps(differences, indent=1) + "\n"
