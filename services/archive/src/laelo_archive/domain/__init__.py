"""What follows from the log for those who read it later: pure, so that it can be made anew.

No time, chance or I/O: the same commits give the same rows, byte for byte.
"""
