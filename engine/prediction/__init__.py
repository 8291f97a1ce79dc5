"""How well a simulation explains what was measured, what a history doesn't say, a band for what is predicted,
and what-if questions answered with it.

May import: analysis, codes, conversion, errors, experiments, messages, output, quantities, resource_types,
rich_display, scenario, schedulers, simulation.
"""
