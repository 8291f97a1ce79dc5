"""Pure functions of a Run: nothing here simulates.

May import: codes, jit, messages, quantities, scenario, schedulers, simulation.
"""
