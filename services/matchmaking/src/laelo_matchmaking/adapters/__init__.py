"""Clients of the services that the queue needs."""
