"""Judging tiles that were laid: what the strong bot thinks of each, from what its seat saw."""
