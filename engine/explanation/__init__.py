"""Why a container was placed there and then, and what a scheduler computed over time.

May import: analysis, codes, errors, messages, quantities, resource_types, rich_display, scenario,
schedulers, simulation, version.
"""
