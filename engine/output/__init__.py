"""Run -> JSON, CSV, Chrome trace, and tables for people: nothing here simulates.

May import: analysis, errors, explanation, scenario, schedulers, simulation, version.
"""
