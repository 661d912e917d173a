"""What is left after a power cut, a flipped bit, a file cut short: `make durability`."""
