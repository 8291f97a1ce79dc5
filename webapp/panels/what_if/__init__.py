"""Sliders over every number of a scenario, the sweep of one of them, goal seek, and studies: one or two of
them over many seeds.
"""
