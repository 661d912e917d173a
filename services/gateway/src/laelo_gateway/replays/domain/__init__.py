"""Pure: what the archive tells, spelled as clients read it."""
