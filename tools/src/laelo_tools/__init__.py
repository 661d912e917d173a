"""The laelo command: local run, log, conformance, load."""
