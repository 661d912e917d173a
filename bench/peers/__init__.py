"""The same game on other servers, measured as ours is."""
