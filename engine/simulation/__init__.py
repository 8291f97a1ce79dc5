"""Scenario + scheduler -> Run.

May import: errors, jit, scenario, schedulers.
"""
