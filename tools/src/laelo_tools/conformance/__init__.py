"""Runs files of cases, in the format of the vectors, against the rules service and the domains."""
