"""The gateway's ways to the outside: sockets, table service, PostgreSQL."""
