"""Addresses and links: what a page shows as a query, and scenarios kept by a short id.

May import: figures, http, messages, monitoring, settings, store.
"""
