"""Tez applications: DAGs whose vertices' tasks run one after another in containers that are held.

May import: codes, run_records, scenario, the stages' progress, masters, simulation's kernel and hadoop rooms.
"""
