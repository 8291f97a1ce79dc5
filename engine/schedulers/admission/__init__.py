"""Admission rules: when a job's ApplicationMaster may start, a file a policy."""
