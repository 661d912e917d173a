"""Championships as the log has them: their stories, and whether all is right."""
