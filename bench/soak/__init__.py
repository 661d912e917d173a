"""Hours of load, and what is left behind by tables that have ended."""
