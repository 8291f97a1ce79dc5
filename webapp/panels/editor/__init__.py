"""The editor: what the user composes, checked while one types."""
