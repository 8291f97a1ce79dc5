"""Many runs of a scenario: numbers moved, swept, searched for a goal, replicated over seeds.

May import: analysis, errors, jit, messages, rich_display, scenario, schedulers, simulation.
"""
