"""gantry-collect: one file of the standard library alone, taken to where a cluster is; it fetches the history
that Gantry opens.

May import: nothing.
"""
