"""Spark applications: a driver that asks for executors, and stages whose tasks run in their slots.

May import: codes, run_records, scenario, schedulers, simulation's kernel and hadoop rooms.
"""
