"""Histories and replays: what the archive tells, as the page is told it."""
