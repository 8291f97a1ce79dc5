"""Classes without accounts: exercises that were shared, who joined by a class's link, and how far each is.

May import: messages, monitoring, settings, store.
"""
