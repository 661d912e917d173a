"""Is all of it there, and as it should be? What `laelo doctor` asks."""
