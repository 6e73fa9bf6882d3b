"""The notation of positions, moves and players, and the picture of a board.

Searches never call the methods in this module, and these methods are never compiled. Every method has a default that
works for states that are tuples of whole numbers.
"""

import numbers
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from gamesearch.errors import GamesearchError
from gamesearch.toolkit.boards import Board, Palette, Place

__all__ = ["CHANCE", "MAX", "MIN", "Notation", "State"]

MAX = 0
"""The player who maximizes the value; also player 0 of a game with more than two players."""
MIN = 1
"""The player who minimizes the value."""
CHANCE = -1
"""The player at a chance node: dice, or a random opponent."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    State = TypeVar("State", bound=Hashable, default=Any)
else:
    from typing import TypeVar

    State = TypeVar("State", bound=Hashable)  # a default would need Python 3.13


class Notation(Generic[State]):
    """The base class of `Game` with everything that people type, read and look at."""

    name: ClassVar[str] = ""
    """The name in specifications: by default, the name of the module in this package, otherwise of the class."""
    summary: ClassVar[str] = ""
    """One line for `gamesearch games`: by default, the first line of the docstring."""
    choices: ClassVar[Mapping[str, Collection[Any]]] = {}
    """For each parameter with a fixed set of values, the allowed values."""
    example: ClassVar[str] = ""
    """A position in this game's notation, for help texts."""
    notation: ClassVar[str] = ""
    """A description of the notation of positions and moves, in a sentence or two."""
    names: tuple[str, ...] = ("Max", "Min")
    """The names of the players."""
    numbers_rounds: ClassVar[bool] = False
    """Whether a move number stands for a round, in which each player moves once, as in 1. e4 e5 2. Nf3."""
    turns_alternate: ClassVar[bool] = True
    """Whether the players always move in turn. If not, texts count plies to a win instead of the winner's moves."""
    shows_captures: ClassVar[bool] = False
    """Whether the board of a game in progress is shown with the number of pieces that each player has captured."""
    unit: ClassVar[str] = ""
    """The unit of values, such as discs, points or pawns; empty if values have no unit."""
    estimates_are_chances: ClassVar[bool] = False
    """Whether estimates can be read as chances to win, with MINSCORE as 0 % and MAXSCORE as 100 %."""
    payoffs_tell_how_soon: ClassVar[bool] = False
    """Whether faster wins have greater payoffs. If so, texts with the number of moves to a win omit the payoff."""
    palette: ClassVar[Palette] = Palette()
    """The colors of the board and of the sides, and the layout of the board."""
    bottom_player: int | None = None
    """The player whose side of the board is at the bottom; None if no side of the board belongs to a player."""

    if TYPE_CHECKING:  # attributes of `Game` that the following methods use
        players: int
        MINSCORE: float
        MAXSCORE: float

        def initial(self) -> State: ...
        def player(self, s: State) -> int: ...
        def result(self, s: State, m: int) -> State: ...
        def terminal(self, s: State) -> bool: ...
        def steps(self, s: State, past: Sequence[State] = ()) -> list[int]: ...

    def parse(self, text: str) -> State:
        """The state that a text describes; raises GamesearchError if the text describes no state."""
        fields = text.replace(",", " ").split()
        start = self.initial()
        if not isinstance(start, tuple) or len(fields) != len(start):
            raise GamesearchError(f"cannot read the position {text!r}{self._written(start)}")
        try:
            values = [int(field) for field in fields]
        except ValueError:
            raise GamesearchError(f"{text!r} is not {len(start)} whole numbers{self._written(start)}") from None
        if any(not 0 <= value < 1 << 62 for value in values):
            raise GamesearchError(f"the position {text!r} contains a number that is negative or too large")
        make: Any = getattr(type(start), "_make", type(start))
        state: State = make(values)
        player = MAX if self.terminal(state) else self.player(state)
        if player != CHANCE and player not in range(self.players):
            raise GamesearchError(f"in {text!r}, player {player} is to move, but there are only {self.players} players")
        return state

    def positions_before(self, text: str) -> list[State]:
        """The positions before the last one, if a text gives a position by the moves that lead to it. The list is empty
        if the text contains no moves, or if repetition has no effect in this game."""
        return []

    def _written(self, start: State) -> str:
        """The end of an error message: how to write a position if the game has no `notation`, otherwise empty."""
        if self.notation:
            return ""
        if isinstance(start, tuple) and all(isinstance(field, numbers.Integral) for field in start):
            return f": {self.name} does not define a notation for positions: write a position like {self.format(start)}"
        return f": {self.name} has no method `parse` to read positions"

    def format(self, s: State) -> str:
        """Convert a state to text that `parse` reads back."""
        fields = s if isinstance(s, tuple) else (s,)
        return ",".join(str(int(field) if isinstance(field, numbers.Integral) else field) for field in fields)

    def player_name(self, player: int) -> str:
        """The name of a player, or a number if the game does not name all players."""
        if player == CHANCE:
            return "chance"
        return self.names[player] if len(self.names) >= self.players else f"player {player + 1}"

    def zero_sum_words(self) -> str:
        """The condition of searches for two players and zero-sum payoffs that this game does not satisfy."""
        if self.players == 2:
            return f"for zero-sum payoffs and {self.name} is not zero-sum"
        return f"for two players and {self.name} has {self.players}"

    def plies_to_win(self, s: State, payoff: float) -> int | None:
        """The number of plies to a win with this payoff; None for a draw, or unless `payoffs_tell_how_soon`."""
        return None

    def win_text(self, player: int, plies: int) -> str:
        """A sentence which says that a player wins in `plies` plies: by default, in moves of the winner."""
        if plies == 0:
            return f"{self.player_name(player)} has won"
        if not self.turns_alternate:
            return f"{self.player_name(player)} wins after {plies} more {'move' if plies == 1 else 'moves'}"
        moves = -(-plies // self.players)
        return f"{self.player_name(player)} wins in {moves} {'move' if moves == 1 else 'moves'}"

    def first_number(self, s: State) -> int:
        """The number of the next move in a game that starts in s: 1, unless the state counts moves."""
        return 1

    def win_chance(self, estimate: float) -> float | None:
        """Convert an estimate to Max's chance to win plus half the chance of a draw; None if this is not possible."""
        if not self.estimates_are_chances:
            return None
        return (estimate - self.MINSCORE) / (self.MAXSCORE - self.MINSCORE)

    def value_words(self, s: State, value: float) -> str:
        """Describe a value in the game's own terms. If the text is empty, callers show a number or a chance to win."""
        return ""

    def move_name(self, s: State, m: int) -> str:
        """A move or an outcome in a position, as people write it."""
        return str(m)

    def outcome_text(self, s: State, m: int) -> str:
        """A sentence that reports an outcome of a chance node, such as `White rolls 6-3`."""
        return f"chance: {self.move_name(s, m)}"

    def line_names(self, s: State, line: Sequence[int]) -> list[str]:
        """The names of successive moves. The first move is made in state s."""
        names = []
        for m in line:
            names.append(self.move_name(s, m))
            s = self.result(s, m)
        return names

    def parse_move(self, s: State, text: str) -> int:
        """The legal move that a text describes; raises GamesearchError if the text describes no legal move."""
        wanted = text.strip().casefold()
        for m in self.steps(s):
            if self.move_name(s, m).casefold() == wanted:
                return m
        raise GamesearchError(f"{text.strip()!r} is not a legal move here")

    def setup(self, text: str) -> tuple[Any, State]:
        """The game and the state that a position text describes. A text can choose a variant of this game."""
        return self, self.parse(text) if text else self.initial()

    def board(self, s: State) -> Board:
        """The position as a picture."""
        return Board(notes=(self.format(s),))

    def cells_of_move(self, s: State, m: int) -> Collection[Place] | None:
        """The rows and columns of the places that a move changes. If None, callers compare the boards."""
        return None

    def pointing_at(self, s: State, m: int) -> Sequence[Place] | None:
        """The places at which a user points to make a move, such as the piece's square and its target. If the result is
        None (the default), callers find them in the move's name, or else by the pieces that move."""
        return None
