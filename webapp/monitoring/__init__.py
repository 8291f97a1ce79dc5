"""What a server's processes count, log and note of links that are shared. Other rooms call it; it asks none
of them.

May import: settings.
"""
