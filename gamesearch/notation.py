"""How positions, moves and players are written, and how a board looks.

Nothing here is ever compiled, and no search calls it. Every method has a default that suits states that are tuples
of whole numbers.
"""

import numbers
from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.toolkit.boards import Board, Palette, Place

__all__ = ["CHANCE", "MAX", "MIN", "Notation"]

MAX = 0
"""The player who maximizes the value; also player 0 of a game with more than two players."""
MIN = 1
"""The player who minimizes the value."""
CHANCE = -1
"""A chance node: dice, or an opponent who moves at random."""

State = TypeVar("State", bound=Hashable)


class Notation(Generic[State]):
    """The part of a game that people type, read and look at: a base class of Game."""

    example: ClassVar[str] = ""
    """A position in this game's notation, for help texts."""
    notation: ClassVar[str] = ""
    """How positions and moves are written, in a sentence or two."""
    names: tuple[str, ...] = ("Max", "Min")
    """The names of the players."""
    numbers_rounds: ClassVar[bool] = False
    """Whether the moves of one round, one of each player, have the same number, as in 1. e4 e5 2. Nf3."""
    turns_alternate: ClassVar[bool] = True
    """Whether the players always move in turn. If a player can move twice, the number of the winner's moves does not
    follow from the plies to the win."""
    shows_captures: ClassVar[bool] = False
    """Whether the board of a game in progress is shown with the number of pieces that each player has captured."""
    unit: ClassVar[str] = ""
    """What values count, such as discs, points or pawns; empty where they count nothing that has a name."""
    estimates_are_chances: ClassVar[bool] = False
    """Whether an estimate lies between a certain loss and a certain win as a chance does, and is told as one."""
    payoffs_tell_how_soon: ClassVar[bool] = False
    """Whether a payoff is greater the sooner a game is won, so that it says no more than the number of moves."""
    palette: ClassVar[Palette] = Palette()
    """The colours of the board and of the sides, and what the board is made of."""
    bottom_player: int | None = None
    """The player whose side of the board is at the bottom; None if no side of the board belongs to a player."""

    if TYPE_CHECKING:  # what it needs of the rules
        name: ClassVar[str]
        players: int
        MINSCORE: float
        MAXSCORE: float

        def initial(self) -> State: ...
        def player(self, s: State) -> int: ...
        def result(self, s: State, m: int) -> State: ...
        def terminal(self, s: State) -> bool: ...
        def steps(self, s: State, past: Sequence[State] = ()) -> list[int]: ...

    def parse(self, text: str) -> State:
        """The state that a text stands for; raises GamesearchError if there is none."""
        fields = text.replace(",", " ").split()
        start = self.initial()
        if not isinstance(start, tuple) or len(fields) != len(start):
            raise GamesearchError(f"cannot read the position {text!r}{self._written(start)}")
        try:
            values = [int(field) for field in fields]
        except ValueError:
            raise GamesearchError(
                f"the position {text!r} is not {len(start)} whole numbers{self._written(start)}"
            ) from None
        if any(not 0 <= value < 1 << 62 for value in values):
            raise GamesearchError(f"the position {text!r} has a number out of range")
        make: Any = getattr(type(start), "_make", type(start))
        state: State = make(values)
        player = MAX if self.terminal(state) else self.player(state)
        if player != CHANCE and player not in range(self.players):
            raise GamesearchError(
                f"in the position {text!r} it is the turn of player {player}: players are 0 to {self.players - 1}"
            )
        return state

    def positions_before(self, text: str) -> list[State]:
        """The earlier positions that a position text tells of by moves, in order, where these matter to a search."""
        return []

    def _written(self, start: State) -> str:
        """How positions are written, as the end of a sentence, for a game without a `notation`."""
        if self.notation:
            return ""
        if isinstance(start, tuple) and all(isinstance(field, numbers.Integral) for field in start):
            return f": {self.name} has no notation of its own, so write one like {self.format(start)}"
        return f": {self.name} has no notation, which its method parse would have to read"

    def format(self, s: State) -> str:
        """The state as text that `parse` reads back."""
        fields = s if isinstance(s, tuple) else (s,)
        return ",".join(str(int(field) if isinstance(field, numbers.Integral) else field) for field in fields)

    def player_name(self, player: int) -> str:
        """The name of a player; a number if the game does not name them all."""
        if player == CHANCE:
            return "chance"
        return self.names[player] if len(self.names) >= self.players else f"player {player + 1}"

    def zero_sum_words(self) -> str:
        """What a game has to be for searches with one payoff and why this one is not, as a part of a sentence."""
        if self.players == 2:
            return f"for zero-sum payoffs and those of {self.name} are not zero-sum"
        return f"for two players and {self.name} has {self.players}"

    def win_text(self, player: int, plies: int) -> str:
        """That a player wins, and how soon, if the game ends in `plies`: by default in how many moves of the winner."""
        if plies == 0:
            return f"{self.player_name(player)} has won"
        if not self.turns_alternate:
            return f"{self.player_name(player)} wins after {plies} more {'move' if plies == 1 else 'moves'}"
        moves = -(-plies // self.players)
        return f"{self.player_name(player)} wins in {moves} {'move' if moves == 1 else 'moves'}"

    def first_number(self, s: State) -> int:
        """The number of the next move in a game that begins with a state: 1, unless the state counts its moves."""
        return 1

    def win_chance(self, estimate: float) -> float | None:
        """Max's chance to win, and half of that to draw, by an estimate; None where estimates say no such thing."""
        if not self.estimates_are_chances:
            return None
        return (estimate - self.MINSCORE) / (self.MAXSCORE - self.MINSCORE)

    def value_words(self, s: State, value: float) -> str:
        """A value that a search found for Max in a position, where the game has other words for it than a number and
        its unit, or a chance; else empty."""
        return ""

    def move_name(self, s: State, m: int) -> str:
        """A move or an outcome as people write it, in the position where it is made."""
        return str(m)

    def outcome_text(self, s: State, m: int) -> str:
        """A sentence that reports an outcome of chance in a game, such as `White rolls 6-3`."""
        return f"chance: {self.move_name(s, m)}"

    def line_names(self, s: State, line: Sequence[int]) -> list[str]:
        """The moves of a line as people write them, beginning at a state."""
        names = []
        for m in line:
            names.append(self.move_name(s, m))
            s = self.result(s, m)
        return names

    def parse_move(self, s: State, text: str) -> int:
        """The legal move that a text stands for; raises GamesearchError if there is none."""
        wanted = text.strip().casefold()
        for m in self.steps(s):
            if self.move_name(s, m).casefold() == wanted:
                return m
        raise GamesearchError(f"{text.strip()!r} is not a legal move here")

    def setup(self, text: str) -> tuple[Any, State]:
        """The game and the state that a position text stands for; in most games, the game is this one."""
        return self, self.parse(text) if text else self.initial()

    def board(self, s: State) -> Board:
        """The position as a picture."""
        return Board(notes=(self.format(s),))

    def cells_of_move(self, s: State, m: int) -> Collection[Place] | None:
        """The places on the board that a move touches, as row and column from the top left.

        None, the default: those are marked in which the boards before and after it differ.
        """
        return None

    def pointing_at(self, s: State, m: int) -> Sequence[Place] | None:
        """The places that somebody points at, one after another, to make a move: where a man is, and where it goes.

        None, the default: the labels of the board tell, where moves are named after them, or the men that come and go.
        """
        return None
