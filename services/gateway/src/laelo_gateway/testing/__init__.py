"""A table service and clients for tests and measurements of the gateway."""
