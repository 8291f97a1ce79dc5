"""Gantry's engine: how a YARN cluster runs a batch of MapReduce jobs under a scheduler. It knows nothing of the web."""

from engine.capacity import PARTS, CapacitySplit, ResourceSplit, split
from engine.capacity.verdict import Use, Verdict, use_of, verdict
from engine.catalogue import CATALOGUE
from engine.checks import container_count
from engine.difference import Difference, difference
from engine.errors import Fault, FormatError, GantryError, PolicyError, ScenarioError, SchedulerError, TooLarge
from engine.explain import explain, name_of
from engine.formats import Imported, detect, read
from engine.goal import ALREADY, FOUND, OUT_OF_REACH, Answer, Goal, reach
from engine.grid import covered, means
from engine.guide import Case, Guide, Measured, guide, guides, measure
from engine.knobs import Knob, knobs
from engine.lanes import Lanes, pack_lanes
from engine.metrics import METRICS, Metric, per_queue, per_user, summary, turnaround_ms, wait_ms
from engine.occupancy import Occupancy, occupancy
from engine.papers import (
    PAPERS,
    VERDICTS,
    Alike,
    Experiment,
    Finding,
    Fit,
    Ordered,
    Paper,
    Picture,
    Printed,
    Result,
    Series,
    Show,
    claims_text,
    counts,
    experiments,
    fit_lines,
    named_numbers,
    outcome,
    over_seeds_text,
    printed_text,
    recorded,
    reproduce,
    stated,
    verdict_table,
)
from engine.phases import PHASES, Phases, phases, shuffle_parts
from engine.policies.policy import Parameter, Policy
from engine.ranges import Range, grid, resolution
from engine.repeat import Estimate, Repeats, repeat
from engine.response import Point, Response, affordable, point_at, response
from engine.result import csv_tables, json_text, trace_text
from engine.room import FreeRoom, WaitingSize, free_room, most_scattered, waiting_sizes
from engine.run import FINISHED, KILLED, KINDS, MAP, MASTER, NONE, OUTCOMES, REDUCE, RUNNING, Containers, Run
from engine.samples import Preset, presets, sample
from engine.scenario import Cluster, Job, NodeGroup, Queue, Scenario
from engine.scheduler import Scheduler, parse
from engine.shares import Shares, dominant_shares
from engine.signals import Signal, signals
from engine.simulate import simulate, warm
from engine.span import Span, span
from engine.vary import vary
from engine.version import VERSION
from engine.waiting import Levels, distribution, jobs_waiting, mean_level

__all__ = [
    "ALREADY", "CATALOGUE", "FINISHED", "FOUND", "KILLED", "KINDS", "MAP", "MASTER", "METRICS", "NONE", "OUTCOMES", "OUT_OF_REACH", "PAPERS", "PARTS",
    "PHASES", "REDUCE", "RUNNING", "VERDICTS", "VERSION", "Alike", "Answer", "CapacitySplit", "Case", "Cluster", "Containers", "Difference", "Estimate",
    "Experiment", "Fault", "Finding", "Fit", "FormatError", "FreeRoom", "GantryError", "Goal", "Guide", "Imported", "Job", "Knob", "Lanes", "Levels",
    "Measured", "Metric", "NodeGroup", "Occupancy", "Ordered", "Paper", "Parameter", "Phases", "Picture", "Point", "Policy", "PolicyError", "Preset",
    "Printed", "Queue", "Range", "Repeats", "ResourceSplit", "Response", "Result", "Run", "Scenario", "ScenarioError", "Scheduler", "SchedulerError",
    "Series", "Shares", "Show", "Signal", "Span", "TooLarge", "Use", "Verdict", "WaitingSize", "affordable", "claims_text", "container_count", "counts",
    "covered", "csv_tables", "detect", "difference", "distribution", "dominant_shares", "experiments", "explain", "fit_lines", "free_room", "grid", "guide",
    "guides", "jobs_waiting", "json_text", "knobs", "mean_level", "means", "measure", "most_scattered", "name_of", "named_numbers", "occupancy", "outcome",
    "over_seeds_text", "pack_lanes", "parse", "per_queue", "per_user", "phases", "point_at", "presets", "printed_text", "reach", "read", "recorded",
    "repeat", "reproduce", "resolution", "response", "sample", "shuffle_parts", "signals", "simulate", "span", "split", "stated", "summary", "trace_text",
    "turnaround_ms", "use_of", "vary", "verdict", "verdict_table", "wait_ms", "waiting_sizes", "warm",
]  # fmt: skip
