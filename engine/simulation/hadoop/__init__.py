"""What Hadoop's schedulers do beside choosing, by their classes; each file names those it follows.

It stands within the simulation, for it writes to the state of a run. What orders compute of the view alone,
such as CapacityScheduler's walk, stands in engine/schedulers/hadoop/: a policy knows nothing but the view.
"""
