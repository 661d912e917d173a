"""Sockets, guests and the web page."""
