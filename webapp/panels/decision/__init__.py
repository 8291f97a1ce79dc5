"""The decision that placed a container."""
