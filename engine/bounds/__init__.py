"""What no scheduler can beat: lower bounds on makespan and mean turnaround, each named.

May import: analysis, errors, scenario, schedulers, simulation.
"""
