"""What the archive needs of the world outside: PostgreSQL."""
