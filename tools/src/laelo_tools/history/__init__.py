"""What was played at tables: read from the log, told to people, and checked again."""
