"""Writes the tables of docs/scaling.md: `python -m bench.scaling` (`make scaling`)."""

import sys

from bench.scaling.page import write_page

if __name__ == "__main__":
    sys.exit(0 if write_page() else 1)
