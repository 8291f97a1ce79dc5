"""How well a simulation explains what was measured, what a history doesn't say, and a band for what is predicted.

May import: errors, scenario, schedulers, simulation.
"""
