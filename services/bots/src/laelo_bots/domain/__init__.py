"""Choosing a move from what one seat sees; pure, the seed comes in as an argument."""
