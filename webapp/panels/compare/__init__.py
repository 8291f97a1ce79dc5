"""Schedulers beside each other: metrics, capacity, differences, variation over seeds, more charts."""
