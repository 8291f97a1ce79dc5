"""FairScheduler: shares, updates, starvation, and whom FSPreemptionThread kills for whom."""
