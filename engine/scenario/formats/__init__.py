"""Other tools' files as scenarios, a file a format."""
