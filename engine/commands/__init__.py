"""Commands of the command line that have a file of their own, and the files and streams of all of them.

May import: analysis, bounds, codes, conversion, errors, exercises, experiments, explanation, jit, messages,
output, papers, prediction, quantities, scenario, schedulers, simulation, studies, version.
"""
