"""What Hadoop's schedulers compute of the view alone, by their classes; each file names those it follows.

What they do to the state of a run stands in engine/simulation/hadoop/: a policy knows the view and nothing
else, so the two are apart.
"""
