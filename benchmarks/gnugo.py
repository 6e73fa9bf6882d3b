"""Compare GNU Go's scores of the games of Go in a match journal with gamesearch's scores.

`python -m benchmarks.gnugo JOURNAL` replays each game in GNU Go, which scores it by Chinese rules without the stones
that GNU Go considers dead (`final_score`). gamesearch scores each game twice: with all stones, and without the stones
that are dead according to random games. The benchmark lists the games in which these scores differ from GNU Go's, and
counts the wins by GNU Go's scores.
"""

import argparse
import json
import math
import subprocess
from pathlib import Path
from typing import Any

import gamesearch
from gamesearch.study.final_status import status_at_end

__all__ = ["main"]

COMMAND = ("gnugo", "--mode", "gtp", "--chinese-rules", "--positional-superko")


def score_by_gnugo(game: Any, moves: list[str]) -> float:
    """GNU Go's score of a game for Black; 0 for a draw."""
    lines = [f"boardsize {game.size}", f"komi {game.komi}", "clear_board"]
    lines += [f"play {'BW'[number % 2]} {move}" for number, move in enumerate(moves)]
    asked = "\n".join([*lines, "final_score", "quit"]) + "\n"
    answers = subprocess.run(COMMAND, input=asked, text=True, capture_output=True, check=True).stdout.split("\n\n")
    refused = [answer for answer in answers if answer.startswith("?")]
    if refused:
        raise SystemExit(f"GNU Go refuses a move: {refused[0]}")
    said = answers[len(lines)].removeprefix("= ").strip()
    return 0.0 if said == "0" else math.copysign(float(said[2:]), 1 if said[0] == "B" else -1)


def main() -> None:
    """Print both scores of each finished game, and the players' results by GNU Go's scores."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("journal", type=Path)
    options.add_argument("--komi", type=float, default=6.5)
    chosen = options.parse_args()
    game = gamesearch.load(f"go(komi={chosen.komi})")
    won: dict[str, float] = {}
    count = differing = differing_without = 0
    for line in chosen.journal.read_text().splitlines():
        record = json.loads(line)
        if "moves" not in record or record.get("failed") is not None:
            continue
        s, moves = game.initial(), [*record["opening"], *record["moves"]]
        for name in moves:
            s = game.result(s, game.parse_move(s, name))
        status = status_at_end(game, s)
        if status is None:
            continue
        ours, without, theirs = status.utility, status.utility_without, score_by_gnugo(game, moves)
        count += 1
        for side, player in enumerate(record["players"]):
            won[player] = won.get(player, 0.0) + (0.5 if theirs == 0 else float((theirs > 0) == (side == 0)))
        differing += ours != theirs
        differing_without += without != theirs
        if {ours, without} != {theirs}:
            said = f"{ours:+g} with all stones, {without:+g} without dead stones, {theirs:+g} by GNU Go"
            print(f"game {record['number']}: {said}")
    print(f"{count} finished games; GNU Go's score differs from the score with all stones in {differing} games,")
    print(f"and from the score without dead stones in {differing_without} games; points by GNU Go's scores:")
    for player, points in won.items():
        print(f"  {points:g} {player}")


if __name__ == "__main__":
    main()
