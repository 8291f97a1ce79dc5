"""What comments, tests and documents cite by name is in engine/docs/reference: a rule of the model (KILL-1)
or a paper's formula (HASTE-3).
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT
from tests.documents import rules
from tests.import_graph import files

CITED = re.compile(r"(?<![\w./-])[A-Z][A-Z-]*-\d+(?![\w-])")
# Written so that the patterns do not match themselves.
OLD = re.compile(
    r"\b[Mm]ode[l] \d|\bformula[s] §|\b(?:formula[s]|mode[l]|yar[n])\.md §? "
    r"?\d|\((?:decisio[n]s?|rul[e]s?) \d|engine.s READM[E]"
)
# No rules: standards, data, issues, reports, nodes of tests.
OTHERS = {
    "AS",
    "CVE",
    "DEC-TR",
    "FB",
    "GHSA",
    "HADOOP",
    "HDFS",
    "HMAC",
    "ISO",
    "M",
    "MAPREDUCE",
    "N",
    "PYSEC",
    "RFC",
    "RULE",
    "SHA",
    "UTF",
    "YARN",
}
SUFFIXES = {".py", ".java", ".js", ".css", ".md", ".toml"}
RULES = {**rules("model.md"), **rules("formulas.md")}


def sources() -> list[Path]:
    return [
        path
        for path in files()
        if path.suffix in SUFFIXES
        and "vendor" not in path.parts
        and path.name not in ("gantry.js", "tour.js")
        and path != Path(__file__)
    ]


def test_every_citation_names_a_rule() -> None:
    wrong, cited = [], 0
    for path in sources():
        for name in CITED.findall(path.read_text("utf-8")):
            if name.rpartition("-")[0] not in OTHERS:
                cited += 1
                if name not in RULES:
                    wrong.append(
                        f"{path.relative_to(ROOT)} cites {name}, which is no rule of engine/docs/reference"
                    )
    assert cited > 200
    assert not wrong, "\n".join(["", *wrong])


def test_nothing_is_cited_in_the_old_way() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {line.strip()[:120]}"
        for path in sources()
        for line in path.read_text("utf-8").splitlines()
        if OLD.search(line)
    ]
    assert not wrong, "\n".join(["", *wrong])


def test_rules_have_names_of_their_own() -> None:
    texts = [
        (ROOT / "engine" / "docs" / "reference" / name).read_text("utf-8")
        for name in ("model.md", "formulas.md")
    ]
    count = sum(len(re.findall(r"^### ", text, re.MULTILINE)) for text in texts)
    assert len(RULES) == count, "a name stands twice, or a heading is no name of a rule"
