"""Compare the estimates of `gamesearch solve` with counts, and write docs/reference/estimates.md."""

from pathlib import Path

from gamesearch.commands.solving.solve import round_roughly
from gamesearch.registry import load
from gamesearch.solvers.estimate import estimate_size

COUNTED = (
    "connect4(rows=4, columns=4)",
    "connect4(rows=3, columns=5)",
    "othello(4)",
    "dotsandboxes(2, 3)",
    "nim(5-6-7-8)",
    "nim(3-4-5-6-7)",
    "kalah(pits=3, seeds=3)",
    "pig(target=20)",
)
"""Games whose positions this script counts one by one."""
PUBLISHED = {"connect4(rows=5, columns=5)": 69_763_700, "connect4": 4_531_985_219_092}
"""John Tromp's counts, https://tromp.github.io/c4/c4.html, of games that are too large to count here."""
HEAD = """# Estimates of the number of positions

Before `gamesearch solve` solves a game, it estimates the number of positions from a sample of random games. The table
compares the estimates (with the default seed) with exact counts. The counts of Connect Four on 5x5 and 6x7 boards are
[John Tromp's](https://tromp.github.io/c4/c4.html); gamesearch counted the positions of the other games.

| game | positions | estimate | error |
| --- | ---: | ---: | ---: |
"""
TAIL = """
A *level* of a game contains all positions after the same number of plies. *Very roughly* means that the levels of the
game are so large that random games hardly ever reached the same position twice. Then the number is extrapolated from
earlier levels. An extrapolated estimate can be wrong by several powers of ten, and is usually too small. For such a
game, `solve` prints no estimate of the time.

`solve --estimate` also estimates the number of nodes in the game tree (Knuth 1975) with a standard error. This standard
error does not apply to the number of positions.

## Sizes of games

`gamesearch games --sizes` prints the size of every game with its sources. `gamesearch games NAME --sizes` prints the
size of one game, with any parameters. The sizes are of these kinds:

- Published numbers, mostly by Allis (1994) and van den Herik et al. (2002). Notes below the table name the sources, and
  say which other lists contain the same numbers.
- Exact counts of positions, and of the nodes of the tree, for small games. Counting stops at 100,000 positions or after
  three seconds.
- Upper bounds on the number of positions, for some games without a published number (`study/sizes.py`). For Y, the
  bound is the number of boards that two players can fill in turn.
- The mean number of moves in a position and the mean number of plies in a game, measured in 20 random games, if no such
  numbers are published. Random games are longer than good games.
- The estimate b^d of the size of the tree, if no size is published. Here, b is the mean number of moves, and d is the
  mean number of plies.

`python docs/reference/estimates.py` generates this page.
"""


def count(text: str) -> int:
    """Return the number of different keys of all positions that the moves of a game can reach."""
    game = load(text)
    waiting = [game.initial()]
    met = {game.key(waiting[0])}
    while waiting:
        state = waiting.pop()
        for move in [] if game.terminal(state) else game.steps(state):
            child = game.result(state, move)
            if game.key(child) not in met:
                met.add(game.key(child))
                waiting.append(child)
    return len(met)


def row(text: str, positions: int) -> str:
    """A line of the table."""
    game = load(text)
    found = estimate_size(game, game.initial())
    least = "very roughly " if found.is_extrapolated else ""
    factor = positions / found.positions
    error = f"{found.positions / positions - 1:+.0%}" if factor < 2 else f"{round_roughly(factor)} times too small"
    return f"| `{text}` | {positions:,} | {least}{round_roughly(found.positions)} | {error} |\n"


def main() -> None:
    """Count, estimate, and write the page."""
    sizes = {text: count(text) for text in COUNTED} | PUBLISHED
    rows = "".join(row(text, positions) for text, positions in sizes.items())
    Path(__file__).with_name("estimates.md").write_text(HEAD + rows + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main()
