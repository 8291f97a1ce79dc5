"""Files of clusters from a seed, what Hadoop's own schedulers make of them, and what Gantry does."""
