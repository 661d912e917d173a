"""What the gateway decides: names, frames, limits, who sees what. No I/O, time or chance."""
