"""Why a container was placed there and then, and what a scheduler computed over time.

May import: errors, messages, scenario, schedulers, simulation, version.
"""
