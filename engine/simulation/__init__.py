"""Scenario + scheduler -> Run.

May import: codes, errors, jit, messages, quantities, scenario, schedulers.
"""
