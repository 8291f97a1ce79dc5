"""Pure functions of a Run: nothing here simulates.

May import: jit, schedulers, simulation.
"""
