"""Presets and sample files of our own making: the papers' workloads, a random batch and mixed ones to start
from, and small traces to try the formats with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.messages import msg
from engine.scenario.model import Scenario

SAMPLES_FOLDER = Path(__file__).parent / "samples"
PRESET_KEYS = (
    "wordcount",
    "dynamic-priority",
    "omo-terasort",
    "autoadmin-burst",
    "random-durations",
    "spark-beside-mapreduce",
    "spark-with-maximum",
    "spark-measured",
    "dag-beside-demand",
    "tez-session",
)


@dataclass(frozen=True)
class Preset:
    """A scenario to start from. `about`: where it comes from and what to look at; `ours`: JSON paths of what
    the paper omits and we chose; `schedulers`: those to run it under, where it matters; `beside`: the key of
    the one that it is compared with.
    """

    key: str
    title: str
    about: str
    ours: tuple[str, ...]
    scenario: Scenario
    schedulers: tuple[str, ...] = ()
    beside: str | None = None


def presets() -> list[Preset]:
    """All presets, in the order the page offers them."""
    return list(_all())


def sample(name: str) -> Path:
    """The path of a file of this folder, such as "rumen.json". FileNotFoundError when there is none of that
    name.
    """
    path = SAMPLES_FOLDER / name
    if path.parent != SAMPLES_FOLDER or not path.is_file():
        raise FileNotFoundError(msg("scenario.presets.no_sample_named", name=name))
    return path


@cache
def _all() -> tuple[Preset, ...]:
    """Read and checked once: each page that is opened asks for them several times."""
    return tuple(_preset(key) for key in PRESET_KEYS)


def _preset(key: str) -> Preset:
    scenario = Scenario.read(sample(f"{key}.json").read_bytes())
    extra = scenario.model_extra or {}
    ours, schedulers = extra["x_ours"], extra.get("x_schedulers", ())
    more = tuple(schedulers), extra.get("x_beside")
    return Preset(key, scenario.name, extra["x_about"], tuple(ours), scenario, *more)
