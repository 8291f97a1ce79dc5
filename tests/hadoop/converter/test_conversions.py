"""What Gantry converts is what Hadoop's fs2cs writes, but for what is known."""

from __future__ import annotations

import secrets

import pytest

from engine.conversion.conversion_rule import Outcome
from engine.errors import FormatError
from engine.output.hadoop_files import properties_text
from engine.scenario.configuration.configuration_reader import read_configuration
from tests.examples import some
from tests.hadoop.converter.comparison import KNOWN, compare, gantry_conversion
from tests.hadoop.converter.hadoop_conversions import (
    COUNT,
    SEED,
    Answer,
    Conversion,
    ask,
    conversions,
    golden,
)
from tests.hadoop.loader import hadoop_answers as loader
from tests.hadoop.loader.cases import Case
from tests.hadoop.referee import MISSING, NotFetched, can_run

# how fs2cs warns of a setting, and how Gantry's rule of it begins
WARNINGS = {
    "Setting <minResources> is not supported": "minResources",
    "Setting <maxResources> is not supported": "maxResources",
    "Setting <maxChildResources> is not supported": "maxChildResources",
    "will use DRF policy instead of Fair": "schedulingPolicy fair",
    "Placement rules: the policy": "",
    "Placement rules: create=true is enabled": "",
    "Placement rules: rule maps to": "",
}


def converted() -> list[tuple[Conversion, Answer]]:
    pairs = zip(conversions(SEED, COUNT), golden(), strict=True)
    return [(asked, theirs) for asked, theirs in pairs if "refused" not in theirs]


def test_the_same_properties() -> None:
    found = [
        one
        for asked, theirs in zip(conversions(SEED, COUNT), golden(), strict=True)
        for one in compare(asked, theirs)
    ]
    different = [one for one in found if not one.is_same]
    assert not [one for one in different if one.kind not in KNOWN]
    assert len(found) > 3000 and len(different) < 0.01 * len(found)


def test_what_hadoop_warns_of_is_told() -> None:
    count = 0
    for asked, theirs in converted():
        ours = gantry_conversion(asked)
        if isinstance(ours, str):
            continue
        told = [rule.given for rule in ours.rules.sorted() if rule.outcome != Outcome.CONVERTED]
        for warning in theirs["told"]:
            begin = next(begin for words, begin in WARNINGS.items() if words in warning)
            assert any(given.startswith(begin) for given in told), (warning, told)
            count += 1
    assert count > 50


def test_gantry_reads_what_hadoop_starts_with() -> None:
    """What fs2cs writes starts a CapacityScheduler where Gantry's reader takes it, but for mapping rules in
    JSON, which it does not check.
    """
    wrong = []
    for asked, theirs in some(converted(), 60):
        files = {
            name: properties_text(theirs[part]).encode()
            for part, name in (("site", "yarn-site.xml"), ("capacity", "capacity-scheduler.xml"))
        }
        try:
            read_configuration(list(files.items()))
            is_read = True
        except FormatError:
            is_read = False
        if is_read != theirs["starts"]:
            wrong.append((asked.percentages, is_read))
    assert wrong in ([], [(True, True)])


@pytest.mark.parametrize(
    ("most", "seed"), [(20, "fresh"), pytest.param(300, None, marks=pytest.mark.everything)]
)
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_fresh_files_are_converted_the_same(most: int, seed: str | None) -> None:
    seed = seed or secrets.token_hex(4)
    asked = list(conversions(seed, most))
    try:
        answers = ask(asked)
    except NotFetched as error:
        pytest.skip(str(error))
    pairs = zip(asked, answers, strict=True)
    found = [one for pair in pairs for one in compare(*pair) if not one.is_same and one.kind not in KNOWN]
    assert not found, f"seed {seed}"
    written = [_written(pair) for pair in zip(asked, answers, strict=True) if pair[1].get("starts")]
    refused = [one for one in loader.ask(written) if "refused" in one]
    assert written and not refused, f"seed {seed}"


def _written(pair: tuple[Conversion, Answer]) -> Case:
    """What Gantry writes, for Hadoop to start a CapacityScheduler with."""
    ours = gantry_conversion(pair[0])
    assert not isinstance(ours, str)
    files = {
        "yarn-site.xml": properties_text(ours.site).encode(),
        "capacity-scheduler.xml": properties_text(ours.capacity).encode(),
    }
    return Case("written", "capacity", files, [8192, 8], [])
