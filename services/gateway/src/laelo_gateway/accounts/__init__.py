"""People with accounts: sign-in, sessions, nicknames, export and deletion."""
