"""`make bench` runs all benchmarks; `python -m benchmarks chess -v tictactoe` runs the named modules."""

import importlib
import sys

PARTS = (
    *("tictactoe", "connect4", "chess", "startup", "games", "chance", "othello", "kalah", "hex", "checkers_endings"),
    *(
        "known",
        "databases",
        "threads",
        "depths",
        "win_at_chess",
        "ffo",
        "proofs",
        "fours",
        "tsumego",
        "playouts",
        "spiel",
    ),
)

named = [each for each in sys.argv[1:] if not each.startswith("-")]
if not {*named} <= {*PARTS}:
    sys.exit(f"benchmarks: {', '.join(PARTS)}; run other modules directly, as in python -m benchmarks.levels")
for name in named or PARTS:
    print(f"\n== {name} ==", flush=True)
    importlib.import_module(f"benchmarks.{name}").main()
