"""What jobs are: what their masters ask for, and what their containers do, a folder a framework."""
