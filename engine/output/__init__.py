"""Run -> JSON, CSV, Chrome trace, and tables for people; scenario -> other tools' files: nothing here simulates.

May import: analysis, errors, explanation, scenario, schedulers, simulation, version.
"""
