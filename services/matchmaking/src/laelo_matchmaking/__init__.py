"""The queue for championships."""
