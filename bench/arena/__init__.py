"""The arena: how strong a bot is, measured on duplicate deals (docs/arena.md)."""
