"""What the page asks of the engine, without dash: runs, long tasks, the cache, the page as an address.

May import: figures, messages, monitoring, settings, store.
"""
