"""Long work: its queue, the processes that do it and who keeps them alive, and a module for each kind of
work.

May import: classroom, figures, messages, monitoring, runs, settings, store, url.
"""
