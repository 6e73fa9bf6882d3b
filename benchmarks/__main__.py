"""`make bench`: print all figures, or those named: `python -m benchmarks chess -v tictactoe`."""

import sys

from benchmarks import (
    chance,
    checkers_endings,
    chess,
    connect4,
    databases,
    depths,
    ffo,
    fours,
    games,
    hex,
    kalah,
    known,
    othello,
    playouts,
    proofs,
    startup,
    threads,
    tictactoe,
    win_at_chess,
)

PARTS = {
    "tictactoe": tictactoe.main,
    "connect4": connect4.main,
    "chess": chess.main,
    "startup": startup.main,
    "games": games.main,
    "chance": chance.main,
    "othello": othello.main,
    "kalah": kalah.main,
    "hex": hex.main,
    "checkers_endings": checkers_endings.main,
    "known": known.main,
    "databases": databases.main,
    "threads": threads.main,
    "depths": depths.main,
    "win_at_chess": win_at_chess.main,
    "ffo": ffo.main,
    "proofs": proofs.main,
    "fours": fours.main,
    "playouts": playouts.main,
}

for name in [each for each in sys.argv[1:] if each != "-v"] or PARTS:
    print(f"\n== {name} ==", flush=True)
    PARTS[name]()
