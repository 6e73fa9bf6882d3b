"""Go: surround more of the board than the opponent; whatever has no liberty left is taken off."""

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, MAX, RECURRENCE_DRAWS, Game
from gamesearch.games._shared.flood import flooded
from gamesearch.games.go.evaluation import GoEvaluation
from gamesearch.games.go.life import GoLife
from gamesearch.games.go.notation import GoNotation
from gamesearch.games.go.playout import PLAYOUTS
from gamesearch.games.go.position import LARGEST, NOWHERE, Position
from gamesearch.games.go.scoring import GoScoring
from gamesearch.toolkit.bits import Wide128, popcount
from gamesearch.toolkit.known import Known

__all__ = ["Go"]

LARGEST_COMPILED = 10
"""The longest side of a board that Wide128 has the bits for."""
CUSTOMARY_KOMI, SMALLEST_WITH_KOMI = 7.5, 9
"""The komi of area scoring (Chinese and AGA rules), and the smallest board on which people play with it."""
SMALLEST_PLAYED_OUT = 5
"""Smaller boards are searched to the end."""
STRONGEST = "mcts(exploration=0, wins=1, rave=300)"
"""Of 300 playouts a move each, this won 20 of 30 games against exploration=0.05, which won 16 of 20 against 0.2."""
TROMP = "John Tromp, tromp.github.io/go.html"


def customary_komi(size: int) -> float:
    """The komi for a size of board if none is set."""
    return CUSTOMARY_KOMI if size >= SMALLEST_WITH_KOMI else 0.0


class Go(GoNotation, GoEvaluation, GoScoring, GoLife):
    """Go with area scoring: the stones on the board and the empty points that only they reach.

    The rules of Tromp and Taylor (tromp.github.io/go.html): Black (X, Max) begins, two passes end the
    game, and nobody may make an arrangement of stones that was there before (positional superko). With
    `superko=false`, only to retake a single stone at once is forbidden, and longer cycles are draws.
    `suicide=true` lets a stone take off its own chain, but not itself alone, for that would be a
    pass. White gets `komi` points: unless set, 7.5 on boards of 9 lines and more, as under Chinese and AGA
    rules, and none on smaller boards. Playouts answer atari and patterns of 3x3 points, or are `uniform`.
    """

    known = (
        Known("counted on grids", perft=(82, 6_643, 531_522)),
        Known("counted on grids", "size=3", perft=(10, 91, 738, 5_281)),
        Known("counted on grids", "size=2", perft=(5, 21, 68, 156, 316, 604, 1_088)),
        Known("counted on grids", "size=2, superko=false", perft=(5, 21, 68, 156, 316, 604, 1_168)),
        Known(TROMP, "size=2", value=1, best=("A1", "A2", "B1", "B2"), method="alphabeta"),
        Known(TROMP, "size=3", value=9, best=("B2",), method="alphabeta"),
    )
    win_or_loss = False

    choices: ClassVar[Mapping[str, Collection[str]]] = {"playouts": PLAYOUTS}

    def __init__(
        self,
        size: int = 9,
        komi: float | None = None,
        superko: bool = True,
        suicide: bool = False,
        playouts: str = "patterns",
    ) -> None:
        super().__init__(size, superko, suicide)
        if playouts not in PLAYOUTS:
            raise GamesearchError(f"playouts is {' or '.join(PLAYOUTS)}, not {playouts!r}")
        self.playouts, self.knows_patterns = playouts, playouts == "patterns"
        if komi is None:
            komi = customary_komi(size)
        if not math.isfinite(komi):
            raise GamesearchError(f"komi is a number of points, not {komi}")
        self.komi = float(komi)
        # With superko, too, they are whole. But there the windows between whole numbers beside an even game are the
        # hardest: 3x3 took them over 30 million nodes, and those that halve the range 11,000.
        self.whole_payoffs = self.komi.is_integer() and not superko
        self.recurrence = FORBIDDEN if superko else RECURRENCE_DRAWS
        self.MAXSCORE = size * size + abs(self.komi)
        self.MINSCORE = -self.MAXSCORE
        if size > LARGEST_COMPILED:
            self.interpreted_because = f"{size} rows do not fit an integer of 128 bits"
        elif size >= SMALLEST_PLAYED_OUT:
            self.suggested_algorithm = STRONGEST
        if size > 2:
            self.suggested_depth = 4 if size < 7 else 3

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(Wide128(0), Wide128(0), MAX, 0, NOWHERE)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        empty = self.full & ~(mine | theirs)
        open_points = empty & self.neighbours(empty)
        for point in self.points_from_centre:
            if empty >> point & 1 and point != s.ko:
                if open_points >> point & 1 or self.may_fill(mine, theirs, Wide128(1) << point):
                    yield point
        yield self.pass_move

    def result(self, s: Position, m: int) -> Position:
        if m == self.pass_move:
            return Position(s.black, s.white, 1 - s.turn, s.passes + 1, NOWHERE)
        stone = Wide128(1) << m
        mine, before = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        mine, theirs = self.after_stone(mine, before, stone)
        black, white = (mine, theirs) if s.turn == MAX else (theirs, mine)
        return Position(black, white, 1 - s.turn, 0, self.ko_after(stone, mine, theirs, before))

    def arrangement(self, s: Position) -> Any:
        # Superko looks at the stones alone. Without it a whole position has to come again: after a pass none has.
        return (s.black, s.white) if self.superko else self.key(s)

    def terminal(self, s: Position) -> bool:
        return s.passes == 2

    def utility(self, s: Position) -> float:
        black, white = self.areas(s)
        return popcount(black) - popcount(white) - self.komi

    # What search may ask to do better. -----------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        # Who can end the game by a second pass gets at least what it pays now, and nobody loses what lives in any case.
        least, greatest = self.MINSCORE, self.MAXSCORE
        if not self.suicide:
            points = self.size * self.size
            least = max(least, 2.0 * self.certain_points(s.black, s.white) - points - self.komi)
            greatest = min(greatest, points - 2.0 * self.certain_points(s.white, s.black) - self.komi)
        if s.passes == 1:
            if s.turn == MAX:
                least = max(least, self.utility(s))
            else:
                greatest = min(greatest, self.utility(s))
        return least, greatest

    def consistent(self, s: Position) -> bool:
        taken = s.black | s.white
        empty = self.full & ~taken
        is_apart = s.black & s.white == 0 and taken & self.full == taken
        return is_apart and s.passes <= 2 and self.all_breathe(s.black, empty) and self.all_breathe(s.white, empty)

    def all_breathe(self, stones: int, empty: int) -> bool:
        """Whether every chain has a liberty."""
        return flooded(self, self.neighbours(empty) & stones, stones) == stones

    # Notation and picture. -----------------------------------------------------------------------
    def setup(self, text: str) -> tuple[Game[Any], Position]:
        # As many rows as are joined by '/' make a board of that size.
        size = text.count("/") + 1
        if size == self.size or not 2 <= size <= LARGEST:
            return self, self.parse(text) if text else self.initial()
        komi = None if self.komi == customary_komi(self.size) else self.komi
        game = Go(size, komi, self.superko, self.suicide, self.playouts)
        return game, game.parse(text)
