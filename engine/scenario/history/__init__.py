"""What a real cluster did, read from its own histories, as records and then as a scenario with its measured
times.
"""
