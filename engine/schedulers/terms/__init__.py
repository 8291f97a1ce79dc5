"""What several policies compute: fitness, urgency, shares, the knapsack, entropy."""
