"""The Gantt chart, the curves, and what shares their time axis."""
