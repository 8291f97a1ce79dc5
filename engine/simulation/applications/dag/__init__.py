"""Stages of an application that come after one another: what Spark and a container a task have in common.

May import: codes, run_records, the kernel's clock, attempts' draws, blocks.
"""
