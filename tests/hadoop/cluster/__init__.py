"""A real Hadoop cluster on this machine: its daemons, batches of real jobs on it, and what is collected of
each run. Linux only.
"""
