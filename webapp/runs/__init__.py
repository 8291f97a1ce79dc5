"""Scenario -> run, cached by value: the task that a page shows, its outcomes, and where both are kept. The
only room that calls the engine's simulate.

May import: figures, messages, monitoring, settings, store, url.
"""
