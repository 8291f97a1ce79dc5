"""fair-scheduler.xml files, what Hadoop's own fs2cs makes of them, and what Gantry does."""
