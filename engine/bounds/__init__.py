"""Lower bounds on makespan and mean turnaround that hold for any scheduler, each named.

May import: analysis, child_process, codes, errors, messages, quantities, resource_types, scenario,
schedulers, simulation.
"""
