"""What the console's pages show, as markup; nothing here asks anybody anything."""
