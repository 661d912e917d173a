"""Championships: draw, bracket, places, points, ranking."""
