"""Runs files of cases, in the format of the vectors, against a rules service."""
