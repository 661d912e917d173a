"""Pictures of what was measured: SVG files that need nothing else, legible on light and dark."""
