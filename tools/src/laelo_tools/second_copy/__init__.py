"""The second copy of the log: the log filled from it, read models made anew, moves checked."""
