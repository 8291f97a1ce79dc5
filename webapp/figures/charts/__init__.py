"""Charts with axes of their own: comparison, distributions, shares, the papers'."""
