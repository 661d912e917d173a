"""Training of the bots' policy; nothing of it is needed where they play (docs/bots.md)."""
