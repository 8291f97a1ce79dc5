"""A cluster's FairScheduler turned into a CapacityScheduler, rule by rule as Hadoop's fs2cs does it, and the
other way round by rules of our own.

May import: codes, errors, java_hash, messages, output, scenario, schedulers, simulation.
"""
