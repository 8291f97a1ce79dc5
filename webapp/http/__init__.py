"""What visitors send and are sent: bodies within bounds, clients behind proxies, compressed and bundled
files.

May import: messages, settings.
"""
