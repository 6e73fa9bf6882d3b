"""`make bench`: print all figures, or those named: `python -m benchmarks tictactoe startup`."""

import sys

from benchmarks import chess, connect4, startup, tictactoe

PARTS = {"tictactoe": tictactoe.main, "connect4": connect4.main, "chess": chess.main, "startup": startup.main}

for name in sys.argv[1:] or PARTS:
    print(f"\n== {name} ==", flush=True)
    PARTS[name]()
