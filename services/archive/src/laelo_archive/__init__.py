"""The archive: the second copy of the log, and what was played, to be read again."""
