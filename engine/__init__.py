"""Gantry's engine: how a YARN cluster runs a batch of MapReduce jobs under a scheduler. It knows nothing of the web.

A public name is loaded when it is first used, so that a small run waits for nothing it does not need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Where each public name comes from.
PUBLIC = {
    "against_hadoop": "Agreement CheckedAgainstHadoop CheckedFeature KnownDifference checked_against_hadoop",
    "analysis.repeated_tasks": "speculative",
    "analysis.capacity.comparison": "CapacityComparison CapacityUse capacity_comparison capacity_use",
    "analysis.capacity.split": "CapacitySplit PARTS ResourceSplit capacity_split in_order",
    "analysis.difference": "Difference difference placement_digest",
    "analysis.fair_shares": "DominantShares dominant_shares",
    "analysis.fragmentation": "FreeResources WaitingSize free_resources most_fragmented waiting_sizes",
    "analysis.grid": "covered means",
    "analysis.interval_statistics": "IntervalStatistics interval_statistics",
    "analysis.job_profile": "Holder JobLife JobProfile JobWaits SPREADS Spread holders job_profile job_waits",
    "analysis.lanes": "Lanes pack_lanes",
    "analysis.metrics": "METRICS Metric per_queue per_user summary turnaround_ms wait_ms",
    "analysis.node_utilization": "NodeUtilization node_utilization",
    "analysis.node_outages": "Outages outages",
    "analysis.phases": "PHASES Phases phases shuffle_parts",
    "analysis.shuffles": "fetching_ms",
    "analysis.queueing": "Levels distribution jobs_waiting mean_level",
    "bounds.bound_words": "OPTIMAL above_words percent_above",
    "bounds.lower_bounds": "Bound NoBound above lower_bounds tightest",
    "bounds.optimum.optimum": "Optimum check_optimum find_optimum",
    "bounds.optimum.optimum_words": "progress_words relaxed_sentence",
    "bounds.optimum.plan_order": "OPTIMUM",
    "bounds.optimum.plan_solver": "SearchProgress",
    "code_cache": "everything_is_compiled note_everything_is_compiled one_process_at_a_time",
    "collect.one_file": "one_file",
    "errors": "Fault FormatError GantryError Halted PolicyError ScenarioError SchedulerError TooLarge",
    "experiments.goal_seek": "ALREADY FOUND Goal GoalAnswer OUT_OF_REACH goal_seek",
    "experiments.guide.guide": "Case Guide Measured guide guides measure",
    "experiments.overrides": "overridden with_overrides",
    "experiments.parameter_sweep": "ParameterSweep SweepPoint affordable parameter_sweep sweep_point",
    "experiments.parameters": "Tunable tunables",
    "experiments.ranges": "Range range_values resolution",
    "experiments.replications": "Estimate Replications replicate",
    "explanation.explain": "explain name_of",
    "explanation.regret": "CostlyDecision NoRegret Regret costly_decisions",
    "explanation.regret_text": "decision_sentence nothing_sentence tried_sentence",
    "explanation.signals": "Signal signals",
    "jit": "PLAIN ahead_of_time",
    "output.contract": "csv_tables csv_text json_text",
    "output.hadoop_files": "kept_scheduler written",
    "output.study_figure": "needs_matplotlib study_figure",
    "output.study_files": "needs_pyarrow NotInstalled study_csv study_parquet",
    "output.study_numbers": "study_plain",
    "output.study_table": "study_table",
    "output.trace": "trace_text",
    "output.workloads.workload_files": "WORKLOADS workload_text",
    "papers": (
        "Alike Axis BASES Claim ClaimGrid ClaimMap Conditions Experiment Finding Fit FromOptimum Judged Knob Ordered PAPERS Paper Picture Point Printed "
        "Reading SEEDS ReadingRecord Recorded Result Series Show VERDICTS at_point band_text claims_text counts fit_lines held judged_under knobs_of maps "
        "named_numbers outcome over_seeds_text own paper_experiments printed_text recorded recorded_maps recorded_optima reproduce "
        "schedulers_compared stated verdict_table verdict_text"
    ),
    "prediction.against_measured": "Errors JobError replay_errors",
    "prediction.band": "Band band time_words",
    "prediction.fit": "FittedParameter HistoryFit fit",
    "prediction.prediction": "Prediction Variant predict",
    "prediction.replay_report": "fitted_title replay_plain replay_sentences replay_text",
    "prediction.answer": "Answer Compared Gain Ground answer bare_ground has_record judged_ground",
    "prediction.answer_text": "answer_plain answer_text change_words cost_text gain_text scope_text",
    "prediction.price": "Price",
    "prediction.question": "QuestionError QuestionField",
    "prediction.questions": "Changed QUESTIONS changed question_fields question_values",
    "prediction.how_well": "HowWell PredictedBatch how_well",
    "scenario.configuration.applying": "Configured configured stand_in",
    "scenario.configuration.hadoop_names": "hadoop_names",
    "scenario.configuration.notes": "ConfigurationNote",
    "scenario.configuration.reading": "Configuration read_configuration",
    "scenario.field_words": "FieldWords field_words",
    "scenario.formats.assumptions": "Notes",
    "scenario.formats.readers": "Imported OPENED SUFFIXES detect read",
    "scenario.formats.together": "read_together",
    "scenario.measured": "fingerprint",
    "scenario.model": "Cluster Job NodeGroup Queue Scenario",
    "scenario.plain_values": "depth_exceeds oversize_faults",
    "scenario.presets": "Preset presets sample",
    "scenario.validation": "container_count",
    "schedulers.catalogue": "CATALOGUE",
    "schedulers.names": "Scheduler parse",
    "schedulers.measured_policy": "MEASURED",
    "schedulers.names_beside": "differing_rules labels measured_first simulated",
    "schedulers.names_of_0_1": "expand_0_1",
    "schedulers.policy": "Parameter Policy",
    "schedulers.view": "KINDS MAP MASTER REDUCE",
    "simulation.changed_future": "Ahead first_difference_ms simulate_ahead",
    "simulation.halt": "Halt",
    "simulation.measured_run": "OTHERS why_not_measured",
    "simulation.queue_shares": "QueueShare queue_shares",
    "simulation.run": "Containers FAILED FINISHED KILLED LOST NONE OUTCOMES RUNNING Run WASTED",
    "simulation.simulate": "simulate warm",
    "simulation.snapshots": "Snapshot continued snapshots",
    "studies.batches": "DEADLOCK STATES",
    "studies.measures": "MEASURES",
    "studies.processes": "Processes StudyFailed",
    "studies.proposals": "SearchUnavailable",
    "studies.result": "StudyResult",
    "studies.run_search": "Progress run_search",
    "studies.run_study": "Runner run_study",
    "studies.runners": "runner_for",
    "studies.search_result": "Found Interval SearchResult Trial",
    "studies.search_space": "Dimension SearchSpace",
    "studies.search_text": "answer_words constraint_words curve_words front_table nothing_words search_text setting_words sure_words tried_words",
    "studies.setting_search": "Constraint Objective Search",
    "studies.statistics": "Means Winner best_points differences empirical_distribution estimates winners",
    "studies.study": "Study Vary",
    "studies.sweep": "sweep",
    "version": "VERSION",
}
HOME = {name: module for module, names in PUBLIC.items() for name in names.split()}

__all__ = sorted(HOME)


def __getattr__(name: str) -> Any:
    """The public name, from its module. AttributeError for any other."""
    if name not in HOME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    found = getattr(import_module(f"engine.{HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
