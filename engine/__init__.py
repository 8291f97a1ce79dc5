"""Gantry's engine: how a YARN cluster runs a batch of MapReduce jobs under a scheduler. It knows nothing of the web."""

from engine.capacity import PARTS, CapacitySplit, split
from engine.catalogue import CATALOGUE
from engine.checks import container_count
from engine.errors import Fault, FormatError, GantryError, PolicyError, ScenarioError, SchedulerError, TooLarge
from engine.explain import explain, name_of
from engine.formats import Imported, detect, read
from engine.goal import ALREADY, FOUND, OUT_OF_REACH, Answer, Goal, reach
from engine.guide import Case, Guide, Measured, guide, guides, measure
from engine.knobs import Knob, knobs
from engine.lanes import pack_lanes
from engine.metrics import METRICS, Metric, per_queue, per_user, summary, turnaround_ms, wait_ms
from engine.policies.policy import Parameter, Policy
from engine.ranges import Range, grid, resolution
from engine.repeat import Estimate, Repeats, repeat
from engine.response import Point, Response, affordable, point_at, response
from engine.result import csv_tables, json_text
from engine.run import FINISHED, KILLED, KINDS, MAP, MASTER, NONE, OUTCOMES, REDUCE, RUNNING, Containers, Run
from engine.samples import Preset, presets, sample
from engine.scenario import Cluster, Job, NodeGroup, Queue, Scenario
from engine.scheduler import Scheduler, parse
from engine.signals import Signal, signals
from engine.simulate import simulate, warm
from engine.vary import vary
from engine.version import VERSION

__all__ = [
    "ALREADY", "CATALOGUE", "FINISHED", "FOUND", "KILLED", "KINDS", "MAP", "MASTER", "METRICS", "NONE", "OUTCOMES", "OUT_OF_REACH", "PARTS", "REDUCE",
    "RUNNING", "VERSION", "Answer", "CapacitySplit", "Case", "Cluster", "Containers", "Estimate", "Fault", "FormatError", "GantryError", "Goal", "Guide",
    "Imported", "Job", "Knob", "Measured", "Metric", "NodeGroup", "Parameter", "Point", "Policy", "PolicyError", "Preset", "Queue", "Range", "Repeats",
    "Response", "Run", "Scenario", "ScenarioError", "Scheduler", "SchedulerError", "Signal", "TooLarge", "affordable", "container_count", "csv_tables",
    "detect", "explain", "grid", "guide", "guides", "json_text", "knobs", "measure", "name_of", "pack_lanes", "parse", "per_queue", "per_user", "point_at",
    "presets", "reach", "read", "repeat", "resolution", "response", "sample", "signals", "simulate", "split", "summary", "turnaround_ms", "vary", "wait_ms",
    "warm",
]  # fmt: skip
