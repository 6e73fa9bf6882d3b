"""The constants of games: players, effects of a repeated position, and kinds of moves."""

__all__ = [
    "BACKWARD", "CAPTURE", "CHANCE", "FORBIDDEN", "FORWARD", "IGNORED", "MAX", "MIN", "MOST_MOVES", "NEVER",
    "REPETITION_DRAWS", "THREAT",
]  # fmt: skip

MAX = 0
"""The player who maximizes the value; also player 0 of a game with more than two players."""
MIN = 1
"""The player who minimizes the value."""
CHANCE = -1
"""The player at a chance node: dice, or a random opponent."""
NEVER, REPETITION_DRAWS, IGNORED, FORBIDDEN = range(4)
"""The values of `Game.repetition`. NEVER: positions cannot repeat. REPETITION_DRAWS: a repetition is a draw. IGNORED: a
repetition has no effect. FORBIDDEN: a move to an earlier position is illegal (superko). But a move that does not change
the `arrangement`, such as a pass, is legal."""
BACKWARD, FORWARD, THREAT, CAPTURE = range(4)
"""Kinds of moves. Threats and captures are forcing."""
MOST_MOVES = 1 << 16
"""The greatest number of moves in a position. If `moves` yields more moves, the loop in `moves` is assumed to be
endless."""
