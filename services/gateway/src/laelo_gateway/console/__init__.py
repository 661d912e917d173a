"""The operators' console: a page on a host of its own, for who was made an operator."""
