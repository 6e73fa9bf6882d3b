"""Backgammon with the doubling cube: doubles, takes and drops are moves. A match is a sequence of games."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX
from gamesearch.games.chance.backgammon.equities import CENTERED, GREATEST_CUBE, CubeEquities, CubePosition
from gamesearch.games.chance.backgammon.position import CHECKERS, OPENING, Position, read_cube, read_match_id
from gamesearch.games.chance.backgammon.without_cube import STACK, WITH_MATCH, BackgammonWithoutCube
from gamesearch.optional import CubeGame
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["DOUBLE", "DROP", "OFFERED", "TAKE", "TO_DOUBLE", "BackgammonMatch", "BackgammonWithCube"]

TO_DOUBLE, OFFERED = -2, -3
"""Values of `roll`. TO_DOUBLE: the side to move may double before it rolls. OFFERED: the side to move has doubled, and
the other side must take or drop."""
NO_DOUBLE, DOUBLE = 0, 1
TAKE, DROP = 0, 1
MOVE_NAMES = {TO_DOUBLE: ("roll", "double"), OFFERED: ("take", "drop")}
OTHER_NAMES = {TO_DOUBLE: {"no double": NO_DOUBLE, "redouble": DOUBLE}, OFFERED: {"accept": TAKE, "pass": DROP}}
WORDS = re.compile(
    r"(.*?)(?:\s+(rolls|offered))?(?:\s+cube\s+(\d+)\s+(max|min))?(?:\s+score\s+(\d+)\s*-\s*(\d+)(\s+crawford)?)?",
    re.IGNORECASE,
)
SIDES = ("max", "min")
CUBES = (1, 2, 4, 8, 16, 32, 64)
BAR_COLUMN = 6
"""The column of the bar in the picture."""
WITHOUT_CUBE = BackgammonWithoutCube()
GAMMONS = 0.25
"""If the loser has not borne off a checker, the hand-written evaluation counts this fraction of wins as gammons."""


class BackgammonWithCube(CubeEquities, CubeGame[Any]):
    """One game of backgammon for money with the doubling cube, without the Jacoby rule or beavers.

    Before a side rolls the dice, it may double the points of the game. If the other side takes the cube, it owns the
    cube and may double next. If the other side drops, it loses the value that the cube had before the double. The
    greatest value of the cube is 64. States are of the type `CubePosition`.
    """

    bounds_hold_estimates = False  # if a double is taken, the bounds become wider
    estimate_sees_chance = True  # a cube decision may follow a move, before the dice are rolled
    suggested_depth = 5
    turns_alternate = False
    MINSCORE = -3.0 * GREATEST_CUBE
    MAXSCORE = 3.0 * GREATEST_CUBE
    example = "sOfgEwDg8+AIBg max cube 2 max"
    notation = (
        f"{BackgammonWithoutCube.notation}. Before a roll, the moves are `roll` and `double`. After a double, the "
        "moves are `take` and `drop`. You can add `rolls` if the side does not double, or `offered` if it has doubled. "
        "Then you can add the cube (cube 2 min: 2 points, and Black may double) and the score (score 3-4 crawford)"
    )

    def __init__(self, cube: bool = True) -> None:
        if cube is not True:
            raise GamesearchError(f"cube={cube} is not possible in backgammon: write cube=true, or leave out `cube`")
        super().__init__(0)

    def parameters(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"cube": True}

    def learned_parameters(self) -> dict[str, Any]:
        """Return no parameters, because the chances come from the network that was learned for backgammon without the
        cube."""
        return {}

    # The rules. -----------------------------------------------------------------------------------
    plays = BackgammonWithoutCube.moves
    result_on_board = BackgammonWithoutCube.result
    checkers_are_consistent = BackgammonWithoutCube.consistent
    points_without_cube = BackgammonWithoutCube.evaluate

    def initial(self) -> Any:
        return CubePosition(self.start, self.start, MAX, OPENING, 1, CENTERED, 0, 0, 1 if self.match == 1 else 0)

    def player(self, s: Any) -> int:
        if s.roll == OFFERED:
            return 1 - int(s.turn)
        return CHANCE if s.roll == 0 or s.roll == OPENING else int(s.turn)

    def may_double(self, s: Any) -> bool:
        """Whether the side to move may double before its roll."""
        return (s.owner == CENTERED or s.owner == s.turn) and self.can_gain(s, 1, s.cube)

    def moves(self, s: Any) -> Iterator[int]:
        if s.roll < 0:
            yield 0
            yield 1
        else:
            for m in self.plays(s):
                yield m

    def result(self, s: Any, m: int) -> Any:
        if s.roll == TO_DOUBLE:
            return with_roll(s, OFFERED if m == DOUBLE else 0)
        if s.roll == OFFERED:
            if m == DROP:
                return self.after_game(s, s.turn, s.cube)
            return CubePosition(
                s.mine, s.theirs, s.turn, 0, 2 * s.cube, 1 - s.turn, s.white, s.black, s.crawford
            )  # fmt: skip
        board = self.result_on_board(Position(s.mine, s.theirs, s.turn, s.roll), m)
        after = CubePosition(
            board.mine, board.theirs, board.turn, board.roll, s.cube, s.owner, s.white, s.black, s.crawford
        )  # fmt: skip
        if board.theirs & 15 == CHECKERS:
            points = 1
            if board.mine & 15 == 0:
                points = 3 if board.mine >> 4 * 19 != 0 else 2
            return self.after_game(after, s.turn, points * s.cube)
        return with_roll(after, TO_DOUBLE) if board.roll == 0 and self.may_double(after) else after

    def after_game(self, s: Any, winner: int, points: int) -> CubePosition:
        """The position after a side has won points. This is the start of the next game; if no game follows, the board
        does not change."""
        white, black = s.white, s.black
        if winner == MAX:
            white += points
        else:
            black += points
        if self.match == 0 or max(white, black) >= self.match:
            crawford = 1 if self.match == 1 else 0
            return CubePosition(s.mine, s.theirs, s.turn, 0, s.cube, s.owner, white, black, crawford)
        last = self.match - 1
        crawford = 1 if max(white, black) == last and max(s.white, s.black) < last else 0
        return CubePosition(self.start, self.start, MAX, OPENING, 1, CENTERED, white, black, crawford)

    def terminal(self, s: Any) -> bool:
        return bool(max(s.white, s.black) >= max(1, self.match))

    def utility(self, s: Any) -> float:
        if self.match == 0:
            return float(s.white - s.black)
        return 1.0 if s.white > s.black else -1.0

    def progress(self, s: Any) -> int:
        borne_off = int(s.mine & 15) + int(s.theirs & 15)
        return 10_000 * int(s.white + s.black) + 32 * int(s.cube) + borne_off

    def consistent(self, s: Any) -> bool:
        has_cube = 1 <= s.cube <= GREATEST_CUBE and s.cube & s.cube - 1 == 0 and (s.cube > 1 or s.owner == CENTERED)
        return self.checkers_are_consistent(s) and has_cube and s.white >= 0 and s.black >= 0

    def bounds(self, s: Any) -> tuple[float, float]:
        # A side that drops every double loses at most three times the value of the cube.
        if self.match != 0:
            return -1.0, 1.0
        most = 6.0 * s.cube if s.roll == OFFERED else 3.0 * s.cube
        return -most, most

    def cube_choices(self, s: Any) -> tuple[CubePosition, CubePosition, CubePosition] | None:
        if s.roll != TO_DOUBLE:
            return None
        offered = self.result(s, DOUBLE)
        return self.result(s, NO_DOUBLE), self.result(offered, TAKE), self.result(offered, DROP)

    def value_of_chances(self, s: Any, payoffs: tuple[float, ...], chances: Any) -> float:
        """The equity of the side to move. A side that may double, or that must take or drop, is assumed to choose the
        better action."""
        if s.roll == OPENING:
            return self.worth(s, 0)
        rates = self.rates_of(chances)
        if s.roll != OFFERED:
            kept = self.equity(s, rates, s.cube, s.owner)
            if s.roll != TO_DOUBLE:
                return kept
        doubled = min(self.equity(s, rates, 2 * s.cube, 1 - s.turn), self.worth(s, s.cube))
        return doubled if s.roll == OFFERED else max(kept, doubled)

    def evaluate(self, s: Any) -> float:
        """The equity for Max. The hand-written evaluation is treated as the equity without a cube."""
        estimate = self.points_without_cube(s) * (1.0 if s.turn == MAX else -1.0)
        lost = GAMMONS if s.mine & 15 == 0 else 0.0
        won = GAMMONS if s.theirs & 15 == 0 else 0.0
        win = max(0.0, min(1.0, (estimate + 1 + lost) / (2 + lost + won)))
        value = self.value_of_chances(s, self.network_payoffs, (1.0, 1 - (1 - win) * lost, win, win * won, 0.0))
        return 0.999 * (value if s.turn == MAX else -value)

    # Notation. ------------------------------------------------------------------------------------
    def parse(self, text: str) -> Any:
        both = WITH_MATCH.fullmatch(text.strip())
        words = WORDS.fullmatch(f"{both[1]} {self.words_of_match_id(both[2])}" if both else text.strip())
        assert words is not None  # WORDS matches any text, because all its parts are optional
        rest, phase, cube, owner, white, black, crawford = words.groups()
        board = WITHOUT_CUBE.parse(rest)
        side = CENTERED if cube is None else SIDES.index(owner.casefold())
        is_crawford = 1 if crawford or self.match == 1 else 0
        s = CubePosition(*board, int(cube or 1), side, int(white or 0), int(black or 0), is_crawford)
        name, is_over = self.names[s.turn], self.terminal(s)
        if (s.cube not in CUBES) or (s.cube == 1 and cube is not None):
            raise GamesearchError(f"in {text!r}, the cube is {cube}: it must be 2, 4, ... or 64 and have an owner")
        if is_over and (s.roll or phase or (self.match and min(s.white, s.black) >= self.match)):
            raise GamesearchError(f"in {text!r}, the score is {s.white}-{s.black}, which ends the game")
        if not is_over and s.theirs & 15 == CHECKERS:
            raise GamesearchError(f"in {text!r}, all checkers of {self.names[1 - s.turn]} are off: add the final score")
        if crawford and max(s.white, s.black) != self.match - 1:
            raise GamesearchError(
                f"in {text!r}, neither side needs exactly one point, so this is not the Crawford game"
            )
        if s.roll or is_over:
            return s
        if phase and not self.may_double(s):
            raise GamesearchError(f"in {text!r}, {name} may not double: leave out {phase}")
        if phase:
            return with_roll(s, OFFERED if phase.casefold() == "offered" else 0)
        return with_roll(s, TO_DOUBLE) if self.may_double(s) else s

    def words_of_match_id(self, text: str) -> str:
        """Convert a Match ID of GNU Backgammon to the words at the end of a position text."""
        turn, roll = read_match_id(text)
        length, cube, owner, white, black, crawford, offered = read_cube(text)
        if length != self.match:
            raise GamesearchError(
                f"{text!r} is a position of backgammon({f'match={length}' if length else 'cube=true'}): use this game"
            )
        phase = f" {roll or ''}" + " offered" * offered + (f" cube {cube} {SIDES[owner]}" if cube > 1 else "")
        return SIDES[turn] + phase + f" score {white}-{black}" + " crawford" * crawford

    def format(self, s: Any) -> str:
        roll = 0 if s.roll in MOVE_NAMES else s.roll
        board = WITHOUT_CUBE.format(Position(s.mine, s.theirs, s.turn, roll))
        if s.roll == OFFERED:
            board += " offered"
        elif s.roll == 0 and not self.terminal(s) and self.may_double(s):
            board += " rolls"
        if s.cube > 1:
            board += f" cube {s.cube} {SIDES[s.owner]}"
        if s.white or s.black:
            board += f" score {s.white}-{s.black}" + " crawford" * (s.crawford and self.match > 1)
        return board

    def move_name(self, s: Any, m: int) -> str:
        return MOVE_NAMES[s.roll][m] if s.roll in MOVE_NAMES else super().move_name(s, m)

    def parse_move(self, s: Any, text: str) -> int:
        if s.roll not in MOVE_NAMES:
            return super().parse_move(s, text)
        names = {name: m for m, name in enumerate(MOVE_NAMES[s.roll])} | OTHER_NAMES[s.roll]
        move = names.get(" ".join(text.casefold().split()))
        if move is None:
            raise GamesearchError(f"{text.strip()!r} is not {' or '.join(MOVE_NAMES[s.roll])}")
        return move

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Any) -> Board:
        """The board, with the score, and with the cube on the bar. The cube has the color of its owner."""
        board = super().board(s)
        value, owner = (2 * s.cube, 1 - s.turn) if s.roll == OFFERED else (s.cube, s.owner)
        rows = [list(row) for row in board.rows]
        rows[STACK][BAR_COLUMN] = Cell(str(value), owner=None if owner == CENTERED else owner, label=str(value))
        whose = "in the center" if s.owner == CENTERED else f"owned by {self.names[s.owner]}"
        notes = [*board.notes, f"cube: {s.cube}, {whose}"]
        if self.match:
            white, black = self.names
            game = ", the Crawford game" if s.crawford else ""
            notes.append(f"match to {self.match}: {white} {s.white}, {black} {s.black}{game}")
        return replace(board, rows=rows, notes=notes)

    def turn_text(self, s: Any) -> str:
        if s.roll == TO_DOUBLE:
            return f"{self.names[s.turn]} to roll or double"
        if s.roll == OFFERED:
            return f"{self.names[s.turn]} doubles to {2 * s.cube}: {self.names[1 - s.turn]} to take or drop"
        return super().turn_text(s)


def with_roll(s: CubePosition, roll: int) -> CubePosition:
    """Copy a position, but give `roll` another value."""
    return CubePosition(s.mine, s.theirs, s.turn, roll, s.cube, s.owner, s.white, s.black, s.crawford)


class BackgammonMatch(BackgammonWithCube):
    """A match of backgammon with the doubling cube. The first side with `match` points wins. The payoff is 1 or -1.

    The first game in which a side needs only one point is the Crawford game, in which neither side may double. If the
    present value of the cube is enough for a side to win the match, this side may not double, because it could gain
    nothing.
    """

    win_or_loss = True
    estimates_are_chances = True
    unit = ""
    MINSCORE = -1.0
    MAXSCORE = 1.0
    example = "sOfgEwDg8+AIBg max cube 2 max score 1-0"

    def __init__(self, match: int = 5) -> None:
        CubeEquities.__init__(self, match)
        if match == 0:
            raise GamesearchError(
                "match=0 is impossible, because a match has at least one point: for a single game, "
                "use backgammon(cube=true)"
            )

    def parameters(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"match": self.match}
