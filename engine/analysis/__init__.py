"""Pure functions of a Run: nothing here simulates.

May import: jit, messages, schedulers, simulation.
"""
