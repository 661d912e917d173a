"""One module for each subcommand of laelo; see laelo_tools.cli."""
