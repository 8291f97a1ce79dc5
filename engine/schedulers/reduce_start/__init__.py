"""Reduce-start rules: when a job may ask for its reduces, a file a policy."""
