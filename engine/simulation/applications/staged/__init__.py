"""Applications of stages, and demand: a container a task.

May import: codes, run_records, the stages' progress, masters, simulation's kernel.
"""
