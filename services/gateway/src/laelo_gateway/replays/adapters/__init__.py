"""The way to the archive."""
