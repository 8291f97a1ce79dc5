"""Run -> JSON, CSV, Chrome trace, and tables for people: nothing here simulates.

May import: analysis, explanation, scenario, schedulers, simulation, version.
"""
