"""Scenario + scheduler -> Run.

May import: codes, errors, java_hash, jit, messages, quantities, rich_display, run_records, scenario,
schedulers.
"""
