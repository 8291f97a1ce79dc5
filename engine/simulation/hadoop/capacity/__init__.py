"""CapacityScheduler: users of leaves, which masters a leaf lets start, and what its preemption monitor
takes back.
"""
