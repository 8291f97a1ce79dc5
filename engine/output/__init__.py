"""Run -> JSON, CSV, Chrome trace, tables for people; study -> JSON, CSV, Parquet, tables, figures; scenario
-> other tools' files: nothing here simulates.

May import: analysis, codes, errors, experiments, explanation, messages, quantities, scenario, schedulers,
simulation, studies, version.
"""
