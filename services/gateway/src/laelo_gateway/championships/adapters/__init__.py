"""The ways to the matchmaking and the tournament service."""
