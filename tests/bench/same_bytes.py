"""`python -m tests.bench.same_bytes BASE`: does this checkout give the same results as a git revision, byte
for byte?

Every sample, every preset and 1,000 random scenarios, under every order and rule, the random ones under three
random schedulers too, as the contract's JSON; but for the sentence that says why a run is a deadlock, which
is for people.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.bench.compare import checkout
from tests.browser.server import ROOT
from tests.strategies import BUSY, named_schedulers, scenarios

RANDOM = 1000
RULES = (
    "slowstart(at=0.8)",
    "lazy-start",
    "ramp-up",
    "am-share",
    "reserve(fraction=0.2)",
    "autoadmin",
    "ramp-up+am-share",
)
# Runs in either checkout with the public names that both have.
PRINT = """
import hashlib, json, re, sys
import engine
for line in open(sys.argv[1]):
    name, scenario, schedulers = json.loads(line)
    one = engine.Scenario.of(scenario)
    for scheduler in schedulers:
        text = re.sub(r'"because": *"(\\\\.|[^"\\\\])*"', "", "".join(engine.json_text(one, [engine.simulate(one, scheduler)])))
        print(name, scheduler, hashlib.sha256(text.encode()).hexdigest(), sep="\\t")
"""  # noqa: E501


def main() -> int:
    """Prints what differs and how many were the same; 1 when anything differs."""
    with tempfile.TemporaryDirectory() as folder:
        base, cases = Path(folder, "base"), Path(folder, "cases.jsonl")
        checkout(sys.argv[1], base)
        cases.write_text("".join(json.dumps(case) + "\n" for case in (*_known(), *_random())))
        before, after = (_hashes(place, cases) for place in (base, ROOT))
    differing = [one for one, other in zip(before, after, strict=True) if one != other]
    for one in differing:
        print("differs:", *one.split("\t")[:2])
    print(f"{len(before) - len(differing)} of {len(before)} results are the same bytes as at {sys.argv[1]}.")
    return bool(differing)


def _hashes(place: Path, cases: Path) -> list[str]:
    return subprocess.run(
        [sys.executable, "-c", PRINT, str(cases)], cwd=place, check=True, capture_output=True, text=True
    ).stdout.splitlines()


def _known() -> list[tuple[str, dict, list[str]]]:
    """The samples (the presets are among them, traces are converted)."""
    import engine

    scenarios = {preset.key: preset.scenario for preset in engine.presets()}
    for kind, jobs, nodes in (
        ("rumen", "rumen.json", "rumen-topology.json"),
        ("sls", "sls-jobs.json", "sls-nodes.json"),
    ):
        with engine.sample(jobs).open("rb") as trace, engine.sample(nodes).open("rb") as hosts:
            scenarios[kind] = engine.read(kind, trace, hosts).scenario
    return [(name, scenario.plain(), _every_scheduler()) for name, scenario in scenarios.items()]


def _every_scheduler() -> list[str]:
    from engine.schedulers.catalogue import CATALOGUE

    return [
        *CATALOGUE["order"],
        *(f"fair+{rule}" for rule in RULES),
        "fair(resources=memory)",
        "fair(shares=kind)",
    ]


def _random() -> list[tuple[str, dict, list[str]]]:
    rows: list[tuple[str, dict, list[str]]] = []
    every = _every_scheduler()

    @settings(
        max_examples=RANDOM // 2,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(scenarios(), scenarios(BUSY), st.lists(named_schedulers(), min_size=3, max_size=3))
    def gather(small, busy, names):
        rows.extend(
            (f"random {len(rows) + place}", scenario.plain(), [*every, *names])
            for place, scenario in enumerate((small, busy))
        )

    gather()
    return rows[:RANDOM]


if __name__ == "__main__":
    sys.exit(main())
