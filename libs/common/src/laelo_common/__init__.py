"""What all services of Lá e Lô share."""
