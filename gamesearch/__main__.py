"""`python -m gamesearch`, and the command `gamesearch`."""

import sys

from gamesearch.interrupts import leave

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    from gamesearch.cli import run

    leave(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
