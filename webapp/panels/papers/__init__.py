"""The papers' experiments and the schedulers' pages."""
