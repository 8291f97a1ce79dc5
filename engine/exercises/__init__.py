"""Exercises: a scenario with a task whose answer is computed from its runs, and the course of lessons.

May import: analysis, codes, errors, experiments, explanation, messages, quantities, scenario, schedulers,
simulation.
"""
