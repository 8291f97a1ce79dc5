"""Run and its progress, the headline of the result, recent and pinned runs."""
