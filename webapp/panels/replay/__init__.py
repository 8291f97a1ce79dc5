"""Replay: what a cluster did beside the same simulated, how far off that is and why, and what was fitted from
what.
"""
