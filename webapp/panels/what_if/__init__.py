"""Sliders over every number of a scenario, the sweep of one of them, and goal seek."""
