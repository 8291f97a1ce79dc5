"""Links and downloads."""
