"""What keeps a waiting request from being placed.

May import: codes, messages, quantities, schedulers, simulation.
"""
