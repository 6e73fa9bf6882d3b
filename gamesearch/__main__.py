"""`python -m gamesearch`, and the command `gamesearch`."""

import gc
import sys

from gamesearch.support.interrupts import leave

__all__ = ["main"]

UNCOLLECTED = 500_000
"""Python looks for garbage when so many more objects are there than at the last time. As a command starts it makes some
200,000, which stay; to look through them, time and again, took a tenth of the time of `gamesearch analyze chess`."""


def main() -> None:
    """Run the command line and exit with its code."""
    from gamesearch.cli import run
    from gamesearch.cli.ending import guard_process
    from gamesearch.cli.messages import protect_streams

    gc.set_threshold(UNCOLLECTED)
    protect_streams()
    guard_process()
    leave(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
