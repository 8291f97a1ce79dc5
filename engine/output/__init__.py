"""Run -> JSON, CSV, Chrome trace, tables for people; study -> JSON, CSV, Parquet, tables, figures; scenario
-> other tools' files: nothing here simulates.

May import: analysis, errors, experiments, explanation, messages, scenario, schedulers, simulation, studies, version.
"""
