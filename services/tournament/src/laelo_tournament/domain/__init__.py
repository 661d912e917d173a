"""What a championship is and does: pure functions over immutable states, events and views.

No clock, no chance, no I/O: time and the seed of the draw come in as arguments.
"""
