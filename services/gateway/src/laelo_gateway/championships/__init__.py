"""Championships as people see them here: the queue, calls to matches, brackets, rankings."""
