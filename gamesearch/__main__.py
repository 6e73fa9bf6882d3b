"""Entry point of `python -m gamesearch` and of the command `gamesearch`."""

import gc
import sys
import warnings

from gamesearch.support.interrupts import leave

__all__ = ["main"]

UNCOLLECTED = 500_000
"""The number of new objects after which Python's garbage collector runs. A command creates about 200,000 objects when
it starts. These objects stay alive, so the collector would scan them several times for nothing."""


def main() -> None:
    """Run the command line and exit with its code."""
    from gamesearch.cli import run
    from gamesearch.cli.ending import guard_process
    from gamesearch.cli.messages import protect_streams

    gc.set_threshold(UNCOLLECTED)
    warnings.formatwarning = lambda message, *_, **__: f"{message}\n"
    protect_streams()
    guard_process()
    leave(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
