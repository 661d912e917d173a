"""The world outside: tables over gRPC, records in PostgreSQL."""
