"""Faults on purpose, against the Procfile's server with a real browser in front: `python -m tests.faults`."""
