"""Pure: state, events, decisions."""
