"""Many runs, and how sure one is of what they say: studies, the processes and machines that run them,
intervals, and the search for the best setting.

May import: analysis, codes, errors, experiments, messages, quantities, rich_display, scenario,
schedulers, simulation, version.
"""
