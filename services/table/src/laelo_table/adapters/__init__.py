"""Clients of the services that tables need."""
