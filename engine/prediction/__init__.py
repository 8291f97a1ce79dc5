"""How far simulated times are from measured ones, what was fitted to a cluster's record, and what-if questions answered with that error around them.

May import: analysis, errors, experiments, output, scenario, schedulers, simulation.
"""
