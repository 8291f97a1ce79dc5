"""Many runs of a scenario: numbers moved, swept, searched for a goal, replicated over seeds.

May import: analysis, errors, messages, rich_display, scenario, schedulers, simulation.
"""
