"""The charts on one time axis: cards, zoom, rows, interval statistics, signals, play."""
