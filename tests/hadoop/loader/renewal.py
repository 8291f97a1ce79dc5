"""The golden files of the loader made anew, and what is found with them."""

from __future__ import annotations

from engine.against_hadoop import Agreement, CheckedFiles, checked_against_hadoop
from engine.errors import GantryError
from tests.hadoop.loader.cases import Case
from tests.hadoop.loader.gantry_answers import Answer
from tests.hadoop.loader.hadoop_answers import ask, digest, golden, golden_cases, write_golden
from tests.hadoop.loader.tally import (
    DIFFERENCES,
    SCHEDULERS,
    Differences,
    count,
    differences_json,
    golden_results,
)
from tests.hadoop.loader.written import written


def renew(asks: bool = True, only_new: bool = False) -> list[CheckedFiles]:
    """What is found now. asks: Hadoop is asked, else the golden files stand, and what was found of written
    files; only_new: only about cases that are not those of the golden files.
    """
    found, differences = [], Differences()
    for family, scheduler in SCHEDULERS.items():
        if asks and not (only_new and golden(family)[0] == digest(golden_cases(family))):
            write_golden(family, asked := golden_cases(family), ask(asked))
            golden.cache_clear()
        before = {one.scheduler: one.written for one in checked_against_hadoop().files}
        of_written = check_written(golden_cases(family), golden(family)[1]) if asks else before[scheduler]
        checked, differences[family] = count(family, golden_results(family), of_written)
        found.append(checked)
    DIFFERENCES.write_text(differences_json(differences), "utf-8")
    return found


def check_written(asked: list[Case], answers: list[Answer]) -> Agreement:
    """Of the cases that both start: how many Hadoop reads the same as Gantry writes them."""
    pairs = []
    for case, theirs in zip(asked, answers, strict=True):
        try:
            pairs.append((written(case), theirs))
        except GantryError:
            continue
    pairs = [(case, theirs) for case, theirs in pairs if "refused" not in theirs]
    again = ask(case for case, _ in pairs)
    same = (is_read_the_same(theirs, anew) for (_, theirs), anew in zip(pairs, again, strict=True))
    return Agreement(sum(same), len(pairs))


def is_read_the_same(first: Answer, anew: Answer) -> bool:
    """Are two of Hadoop's answers the same, but for the words in which a job is refused?"""
    if "refused" in anew or any(anew[key] != first[key] for key in ("scheduler", "settings", "queues")):
        return False
    jobs = zip(first["jobs"], anew["jobs"], strict=True)
    return all((queue, bool(why)) == (again, bool(still)) for (queue, why), (again, still) in jobs)
