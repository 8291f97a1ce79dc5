"""What Spark applications did, read from their event logs, as records and then as jobs of a scenario."""
