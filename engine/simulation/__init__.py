"""Scenario + scheduler -> Run.

May import: errors, jit, messages, scenario, schedulers.
"""
