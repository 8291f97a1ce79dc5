"""Gantry's engine: how a YARN cluster runs a batch of MapReduce jobs under a scheduler. It knows nothing of
the web.

A public name is loaded when it is first used, so that a small run waits for nothing it does not need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Where each public name comes from.
PUBLIC = {
    "against_hadoop": "Agreement CheckedAgainstHadoop CheckedFeature KnownDifference checked_against_hadoop",
    "analysis.speculative_attempts": "speculative",
    "analysis.capacity.comparison": "CapacityComparison CapacityUse capacity_comparison capacity_use",
    "analysis.capacity.split": "CapacitySplit PARTS ResourceSplit capacity_split ordered_columns",
    "analysis.difference": "Difference difference placement_digest",
    "analysis.fair_shares": "DominantShares dominant_shares",
    "analysis.fragmentation": "FreeResources WaitingSize free_resources most_fragmented waiting_sizes",
    "analysis.grid": "bin_coverage bin_means",
    "analysis.interval_statistics": "IntervalStatistics interval_statistics",
    "analysis.job_profile": "Holder JobLife JobProfile JobWaits QUARTILE_KEYS Quartiles holders job_profile job_waits",
    "analysis.lanes": "Lanes pack_lanes",
    "analysis.metrics": "METRICS Metric per_queue per_user summary turnaround_ms wait_ms",
    "analysis.node_utilization": "NodeUtilization node_utilization",
    "analysis.node_outages": "Outages outages",
    "analysis.phases": "PHASES Phases phases shuffle_parts",
    "analysis.shuffles": "fetching_ms",
    "analysis.queueing": "StepFunction distribution jobs_waiting time_average",
    "bounds.bound_text": "NEGLIGIBLE_GAP above_text percent_above",
    "bounds.lower_bounds": "Bound NoBound above lower_bounds tightest",
    "bounds.optimum.optimum": "Optimum check_optimum find_optimum",
    "bounds.optimum.optimum_text": "progress_text relaxed_sentence",
    "bounds.optimum.plan_order": "OPTIMUM",
    "bounds.optimum.plan_solver": "SearchProgress",
    "code_cache": "everything_is_compiled note_everything_is_compiled one_process_at_a_time",
    "collect.single_file": "single_file_program",
    "errors": "Fault FormatError GantryError RunCancelled PolicyError ScenarioError SchedulerError TooLarge",
    "experiments.goal_seek": "ALREADY FOUND Goal GoalAnswer OUT_OF_REACH goal_seek",
    "experiments.guide.guide": "Case Guide CaseMeasurement guide guides measure",
    "experiments.overrides": "apply_overrides with_overrides",
    "experiments.parameter_sweep": "ParameterSweep SweepPoint max_sweep_values parameter_sweep sweep_point",
    "experiments.parameters": "Tunable tunables",
    "experiments.ranges": "Range range_values resolution",
    "experiments.replications": "Estimate Replications replicate",
    "explanation.explain": "explain name_of",
    "explanation.regret": "CostlyDecision NoRegret Regret costly_decisions",
    "explanation.regret_text": "decision_sentence nothing_sentence tried_sentence",
    "explanation.signals": "Signal signals",
    "jit": "PLAIN compiling_ahead",
    "output.result_format": "csv_tables csv_text json_text",
    "output.hadoop_files": "configuration_scheduler configuration_text",
    "output.study_figure": "require_matplotlib study_figure",
    "output.study_files": "require_pyarrow MissingDependency study_csv study_parquet",
    "output.study_json": "study_plain",
    "output.study_table": "study_table",
    "output.trace_events": "trace_text",
    "output.workloads.workload_files": "WORKLOADS workload_text",
    "papers": (
        "Similar Axis BASES Claim ClaimGrid ClaimMap Conditions Experiment Finding Fit OptimumComparison "
        "ReadingResult SensitivityParameter Ordered PAPERS Paper Picture Point Printed "
        "Reading SEEDS ReadingRecord Recorded Result Series Show VERDICTS judge_at_point band_text "
        "claims_text counts fit_lines holding_claims judge_under sensitivity_parameters headline_maps "
        "named_numbers outcome over_seeds_text experiment_conditions paper_experiments printed_text "
        "recorded recorded_maps recorded_optima reproduce "
        "schedulers_compared order_text verdict_table verdict_text"
    ),
    "messages": "load_messages",
    "prediction.replay_errors": "ReplayErrors JobError replay_errors",
    "prediction.band": "Band band time_words",
    "prediction.fit": "FittedParameter HistoryFit fit",
    "prediction.prediction": "Prediction Variant predict",
    "prediction.replay_report": "fitted_title replay_plain replay_sentences replay_text",
    "prediction.answer": (
        "Answer MetricChange Gain PredictionBaseline answer unvalidated_baseline has_record "
        "validated_baseline"
    ),
    "prediction.answer_text": "answer_plain answer_text change_words cost_text gain_text scope_text",
    "prediction.price": "Price",
    "prediction.question": "QuestionError QuestionField",
    "prediction.questions": "ChangedScenario QUESTIONS apply_question question_fields question_values",
    "prediction.prediction_accuracy": "PredictionAccuracy PredictedBatch prediction_accuracy",
    "scenario.configuration.configured_scenario": "ConfiguredScenario configure_scenario standalone_scenario",
    "scenario.configuration.hadoop_names": "hadoop_names",
    "scenario.configuration.configuration_notes": "ConfigurationNote",
    "scenario.configuration.configuration_reader": "Configuration read_configuration",
    "scenario.field_descriptions": "FieldDescription describe_field",
    "scenario.formats.import_notes": "Notes",
    "scenario.formats.readers": "ImportedScenario READABLE SUFFIXES detect read",
    "scenario.formats.combined_files": "read_files",
    "scenario.measured": "fingerprint",
    "scenario.model": "Cluster Job NodeGroup Queue Scenario",
    "scenario.json_values": "depth_exceeds oversize_faults",
    "scenario.presets": "Preset presets sample",
    "scenario.validation": "container_count",
    "schedulers.catalogue": "CATALOGUE",
    "schedulers.scheduler": "Scheduler parse",
    "schedulers.measured_policy": "MEASURED",
    "schedulers.labels": "differing_rules labels measured_first simulated",
    "schedulers.legacy_names": "expand_0_1",
    "schedulers.policy": "Parameter Policy",
    "schedulers.view": "KINDS MAP MASTER REDUCE",
    "simulation.incremental_run": "IncrementalRun first_difference_ms simulate_incrementally",
    "simulation.cancellation": "CancelToken",
    "simulation.measured_run": "RECORD_OF_OTHER_CLUSTER why_not_measured",
    "simulation.queue_shares": "QueueShare queue_shares",
    "simulation.run": "Containers FAILED FINISHED KILLED LOST NONE OUTCOMES RUNNING Run WASTED",
    "simulation.simulate": "simulate warm",
    "simulation.snapshots": "Snapshot resume snapshots",
    "studies.batches": "DEADLOCK STATES",
    "studies.measures": "MEASURES",
    "studies.process_runner": "ProcessRunner StudyFailed",
    "studies.proposals": "SearchUnavailable",
    "studies.result": "StudyResult",
    "studies.run_search": "Progress run_search",
    "studies.run_study": "Runner run_study",
    "studies.runners": "make_runner",
    "studies.search_result": "ConfirmedTrial Interval SearchResult Trial",
    "studies.search_space": "Dimension SearchSpace",
    "studies.search_text": (
        "answer_words constraint_words curve_words front_table nothing_words search_text setting_words "
        "sure_words tried_words"
    ),
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
    value = getattr(import_module(f"engine.{HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
