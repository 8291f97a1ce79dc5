"""Scenario + scheduler -> Run.

May import: codes, errors, java_hash, jit, messages, quantities, scenario, schedulers.
"""
