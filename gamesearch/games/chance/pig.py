"""Pig: roll a die as often as you like and hold to keep the points of the turn; if you roll a 1, these points are
lost."""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, IGNORED, MAX, MIN
from gamesearch.notation import play_moves
from gamesearch.optional import NetworkGame
from gamesearch.toolkit.boards import Board, Cell
from gamesearch.toolkit.known import Known

__all__ = ["Pig"]

ROLL, HOLD = 0, 1
FACES = 6
LARGEST_TARGET = 1000
PARTS = 20
"""The points from 0 to the target are divided into this number of parts. For each part, the network has an input."""
SCORE_BITS = 11
NUMBER = "([0-9]{1,4})"
NOTATION = re.compile(rf"{NUMBER}[,\s]+{NUMBER}(?:[,\s]+{NUMBER})?((?:[,\s]+(?:max|min|roll))*)")


class Position(NamedTuple):
    """Both scores, the total of the turn so far, the player to move, and whether the die is being rolled."""

    max_score: int
    min_score: int
    total: int
    turn: int
    rolling: int


class Pig(NetworkGame[Position]):
    """Roll a die until you hold; rolling a 1 loses the points of the turn; the first to reach the target wins.

    A value is the probability that Max wins. Two moves are forbidden: to hold before the first roll of a turn, and to
    roll if holding wins. They would never be better than the allowed move, and would make the number of positions
    infinite.
    """

    notation = (
        "a list of moves and outcomes (roll 4 hold roll 1), or both scores and the points of this turn (57,42,11). "
        "Add `min` if Min is to move, and `roll` if the die is rolling (57,42,11 min roll). A move is `roll` or "
        "`hold`. An outcome is a number from 1 to 6"
    )
    example = "57,42,11 min"
    known = (
        Known("Neller & Presser 2004, Optimal play of the dice game Pig", value=0.530593, method="iteration"),
        Known("counted by hand: two rolls of a six, then hold", "target=12", "0,0,12", value=1, best=("hold",)),
    )
    chance = True
    repetition = IGNORED
    win_or_loss = False
    suggested_depth = 6
    MINSCORE = 0.0
    MAXSCORE = 1.0
    estimates_are_chances = True
    # The weights were fitted by least squares to the log-odds of a win in optimal play to 100 points. The fit used all
    # scores, but only turn totals below 40.
    weights = (4.6, 3.3, 0.2)
    input_count = 4 * PARTS + 2
    network_payoffs = (0.0, 1.0)
    feature_names = ("scores", "the turn's total", "whose turn it is")

    def __init__(self, target: int = 100) -> None:
        if not 1 <= target <= LARGEST_TARGET:
            raise GamesearchError(f"target={target} is not between 1 and {LARGEST_TARGET}")
        self.target = int(target)

    def initial(self) -> Position:
        return Position(0, 0, 0, MAX, 0)

    def player(self, s: Position) -> int:
        return CHANCE if s.rolling == 1 else s.turn

    def moves(self, s: Position) -> Iterator[int]:
        if s.rolling == 1:
            for face in range(1, FACES + 1):
                yield face
        else:
            if self.score_after_hold(s) < self.target:
                yield ROLL
            if s.total > 0:
                yield HOLD

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
        for face in range(1, FACES + 1):
            yield face, 1 / FACES

    def result(self, s: Position, m: int) -> Position:
        if s.rolling == 1:
            if m == 1:
                return Position(s.max_score, s.min_score, 0, 1 - s.turn, 0)
            return Position(s.max_score, s.min_score, s.total + m, s.turn, 0)
        if m == ROLL:
            return Position(s.max_score, s.min_score, s.total, s.turn, 1)
        if s.turn == MAX:
            return Position(s.max_score + s.total, s.min_score, 0, MIN, 0)
        return Position(s.max_score, s.min_score + s.total, 0, MAX, 0)

    def score_after_hold(self, s: Position) -> int:
        """The score that the player to move would have after holding."""
        return (s.max_score if s.turn == MAX else s.min_score) + s.total

    def terminal(self, s: Position) -> bool:
        return s.max_score >= self.target or s.min_score >= self.target

    def utility(self, s: Position) -> float:
        return 1.0 if s.max_score >= self.target else 0.0

    def features(self, s: Position) -> tuple[float, ...]:
        side = 1 if s.turn == MAX else -1
        return (s.max_score - s.min_score) / self.target, side * s.total / self.target, 1.0 * side

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """The network inputs: one-hot codes of both scores and the turn's total, and the score after holding."""
        mine, theirs = (s.max_score, s.min_score) if s.turn == MAX else (s.min_score, s.max_score)
        yield self.part(mine), 1.0
        yield PARTS + self.part(theirs), 1.0
        yield (2 + s.rolling) * PARTS + self.part(s.total), 1.0
        yield 4 * PARTS + s.rolling, self.score_after_hold(s) / self.target

    def part(self, points: int) -> int:
        """The index (0 to PARTS - 1) of the part that contains the given points."""
        return min(PARTS - 1, points * PARTS // self.target)

    def viewer(self, s: Position) -> int:
        return s.turn

    def evaluate(self, s: Position) -> float:
        return 1 / (1 + math.exp(-self.weighted_sum(s)))

    def key(self, s: Position) -> int:
        scores = (s.max_score << SCORE_BITS | s.min_score) << SCORE_BITS | s.total
        return scores << 2 | s.turn << 1 | s.rolling

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        if text.strip()[:1].casefold() in ("r", "h"):
            return play_moves(self, self.initial(), text)[-1]
        match = NOTATION.fullmatch(text.strip().casefold())
        words = match[4].replace(",", " ").split() if match else []
        if match is None or words not in ([], ["max"], ["min"], ["roll"], ["max", "roll"], ["min", "roll"]):
            raise GamesearchError(f"{text!r} is not two scores and a total, such as {self.example}")
        turn = MIN if "min" in words else MAX
        s = Position(int(match[1]), int(match[2]), int(match[3] or 0), turn, int("roll" in words))
        if self.terminal(s) and (s.total or s.rolling or min(s.max_score, s.min_score) >= self.target):
            raise GamesearchError(f"{text!r} continues after the end of the game")
        if s.rolling and self.score_after_hold(s) >= self.target:
            raise GamesearchError(f"in {text!r}, the player has enough points to win and must hold, not roll")
        if max(s.max_score, s.min_score, self.score_after_hold(s)) >= self.target + FACES:
            raise GamesearchError(f"{text!r} has more points than can be reached with the target {self.target}")
        return s

    def format(self, s: Position) -> str:
        words = ["min"] * (s.turn == MIN) + ["roll"] * (s.rolling == 1)
        return " ".join([f"{s.max_score},{s.min_score},{s.total}", *words])

    def move_name(self, s: Position, m: int) -> str:
        return str(m) if s.rolling else ("roll", "hold")[m]

    def outcome_text(self, s: Position, m: int) -> str:
        return f"{self.names[s.turn]} rolls {m}"

    def parse_move(self, s: Position, text: str) -> int:
        wanted = text.strip().casefold()
        return super().parse_move(s, {"r": "roll", "h": "hold"}.get(wanted, wanted))

    def board(self, s: Position) -> Board:
        total = f"+{s.total}" if not self.terminal(s) else " "
        return Board(
            rows=[
                [Cell(str(score), owner=player), Cell(total if player == s.turn else " ", owner=player)]
                for player, score in ((MAX, s.max_score), (MIN, s.min_score))
            ],
            row_labels=self.names,
            notes=["game over"] if self.terminal(s) else ["the die rolls"] if s.rolling else [],
        )
