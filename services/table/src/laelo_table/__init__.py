"""Tables: seats, matches, the log of each table, views per seat."""
