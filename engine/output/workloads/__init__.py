"""A scenario's jobs as other tools' files, a file a format; what a format can't hold is told."""
