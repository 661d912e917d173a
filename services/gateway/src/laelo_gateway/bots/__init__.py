"""Bot accounts: programs that play as somebody's bot, with a token of their own."""
