"""Where the capacity goes, and what made the difference between runs."""
