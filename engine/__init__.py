"""Gantry's engine: how a YARN cluster runs a batch of MapReduce jobs under a scheduler. It knows nothing of the web."""

from engine.capacity import PARTS, CapacitySplit, split
from engine.catalogue import CATALOGUE
from engine.checks import container_count
from engine.errors import Fault, FormatError, GantryError, PolicyError, ScenarioError, SchedulerError, TooLarge
from engine.explain import explain, name_of
from engine.formats import Imported, detect, read
from engine.guide import Case, Guide, Measured, guide, guides, measure
from engine.lanes import pack_lanes
from engine.metrics import METRICS, Metric, per_queue, per_user, summary, turnaround_ms, wait_ms
from engine.phases import PHASES, Phases, phases, shuffle_parts
from engine.policies.policy import Parameter, Policy
from engine.repeat import Estimate, Repeats, repeat
from engine.result import csv_tables, json_text, trace_text
from engine.run import FINISHED, KILLED, KINDS, MAP, MASTER, NONE, OUTCOMES, REDUCE, RUNNING, Containers, Run
from engine.samples import Preset, presets, sample
from engine.scenario import Cluster, Job, NodeGroup, Queue, Scenario
from engine.scheduler import Scheduler, parse
from engine.signals import Signal, signals
from engine.simulate import simulate, warm
from engine.version import VERSION

__all__ = [
    "CATALOGUE", "FINISHED", "KILLED", "KINDS", "MAP", "MASTER", "METRICS", "NONE", "OUTCOMES", "PARTS", "PHASES", "REDUCE", "RUNNING", "VERSION",
    "CapacitySplit", "Case", "Cluster", "Containers", "Estimate", "Fault", "FormatError", "GantryError", "Guide", "Imported", "Job", "Measured", "Metric",
    "NodeGroup", "Parameter", "Phases", "Policy", "PolicyError", "Preset", "Queue", "Repeats", "Run", "Scenario", "ScenarioError", "Scheduler",
    "SchedulerError", "Signal", "TooLarge", "container_count", "csv_tables", "detect", "explain", "guide", "guides", "json_text", "measure", "name_of",
    "pack_lanes", "parse", "per_queue", "per_user", "phases", "presets", "read", "repeat", "sample", "shuffle_parts", "signals", "simulate", "split",
    "summary", "trace_text", "turnaround_ms", "wait_ms", "warm",
]  # fmt: skip
