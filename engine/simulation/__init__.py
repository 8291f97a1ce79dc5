"""Scenario + scheduler -> Run.

May import: codes, errors, java_hash, jit, messages, quantities, resource_types, rich_display, run_records,
scenario, schedulers.
"""
