"""From what was measured to what so many tables need: docs/scaling.md."""
