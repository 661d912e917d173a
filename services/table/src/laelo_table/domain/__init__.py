"""What a table is and does: pure functions over immutable states, events and views.

No clock, no chance, no I/O: time, seeds and the verdicts of the rules come in as arguments.
"""
