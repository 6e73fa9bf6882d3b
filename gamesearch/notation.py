"""Legal moves as a list, and positions, moves and players as text.

`Game` calls these functions in the defaults of its methods, so this file cannot import `Game`. Games call some of the
functions in methods such as `parse`.
"""

import itertools
import numbers
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.toolkit.boards import cells_compared
from gamesearch.toolkit.constants import CHANCE, FORBIDDEN, IGNORED, MAX, MOST_MOVES, NEVER

__all__ = [
    "active_players", "line_names", "list_steps", "move_named", "play_moves", "player_name", "positions_before",
    "read_numbers", "read_position", "split_moves", "win_text", "zero_sum_words",
]  # fmt: skip

State = TypeVar("State")
LONGEST_LIST = 10_000
"""The greatest length of a list of moves, in characters."""


# Names. ------------------------------------------------------------------------------------------
def player_name(game: Any, player: int) -> str:
    """The name of a player, such as "player 3" if the game does not name all players."""
    if player == CHANCE:
        return "chance"
    return str(game.names[player]) if len(game.names) >= game.players else f"player {player + 1}"


def active_players(game: Any) -> range:
    """The players that can make moves."""
    return range(1 if game.is_for_one else game.players)


def line_names(game: Any, s: Any, line: Sequence[int]) -> list[str]:
    """The names of successive moves. The first move is made in state s."""
    names = []
    for m in line:
        names.append(game.move_name(s, m))
        s = game.result(s, m)
    return names


def win_text(game: Any, s: Any, player: int, plies: int) -> str:
    """A sentence which says that `player` wins, and counts the winner's moves. The game ends `plies` plies after s."""
    if plies == 0:
        return f"{player_name(game, player)} has won"
    is_late = game.players == 2 and game.player(s) == 1 - player
    moves = plies // 2 if is_late else -(-plies // game.players)
    if not game.turns_alternate or moves == 0:
        return f"{player_name(game, player)} wins after {plies} more {'move' if plies == 1 else 'moves'}"
    return f"{player_name(game, player)} wins in {moves} {'move' if moves == 1 else 'moves'}"


def zero_sum_words(game: Any) -> str:
    """The end of an error message. The command needs two players and zero-sum payoffs. The words say which of these two
    the game lacks."""
    if game.players == 2:
        return f"for zero-sum payoffs, but {game.name} is not zero-sum"
    return f"for two players, but {game.name} has {game.players}"


# Moves. ------------------------------------------------------------------------------------------
def list_steps(game: Any, s: State, past: Sequence[State]) -> list[int]:
    """The legal moves of a state, or the outcomes of a chance node. Moves that repeat a position in `past` are left out
    if superko forbids them."""
    method = "outcomes" if game.player(s) == CHANCE else "moves"
    found: list[Any] = list(itertools.islice(getattr(game, method)(s), MOST_MOVES + 1))
    if len(found) > MOST_MOVES:
        raise GamesearchError(
            f"the method `{method}` of {type(game).__name__} yields more than {MOST_MOVES:,} {method} for "
            f"{game.format(s)!r} (such as {found[-1]!r}) and may never end: check its loop"
        )
    if method == "outcomes":
        return [outcome for outcome, probability in found if probability > 0]
    if game.repetition != FORBIDDEN or not past:
        return found
    present, before = game.arrangement(s), {game.arrangement(each) for each in past}
    after = {m: game.arrangement(game.result(s, m)) for m in found}
    return [m for m, new in after.items() if new == present or new not in before]


def move_named(game: Any, s: Any, text: str) -> int:
    """The legal move with the given name; raises GamesearchError if there is none."""
    wanted = text.strip().casefold()
    names: dict[str, int] = {game.move_name(s, m).casefold(): m for m in game.steps(s)}
    if wanted in names:
        return names[wanted]
    problem = "is taken" if is_taken(game, s, wanted, names) else "is not a legal move here"
    raise GamesearchError(f"{text.strip()!r} {problem}")


def is_taken(game: Any, s: Any, wanted: str, names: Collection[str]) -> bool:
    """Whether the move `wanted` goes to a place that is empty on the initial board, but occupied in `s`. `names` are
    the names of the legal moves in `s`."""
    start = game.initial()
    moves = {} if game.terminal(start) else {game.move_name(start, m).casefold(): m for m in game.steps(start)}
    if wanted not in moves or moves.keys().isdisjoint(names):
        return False
    empty = game.board(start)
    after = cells_compared(empty, game.board(game.result(start, moves[wanted])))
    places = {place for place, old, new in after if old.owner is None and new.owner is not None}
    return any(new.owner is not None for place, _, new in cells_compared(empty, game.board(s)) if place in places)


def split_moves(text: str, move: re.Pattern[str] | None = None) -> list[str]:
    """Split a list of moves into the names of the moves, and drop the move numbers. `move` is a pattern that matches
    one move. If this pattern is given, the moves need no separators."""
    if len(text) > LONGEST_LIST:
        raise GamesearchError(f"{text!r} is too long to be a list of moves")
    text = move.sub(r"\g<0> ", text) if move is not None else text
    return re.sub(r"(?:^|(?<=[\s,]))\d+\.+", " ", text).replace(",", " ").split()


def play_moves(game: Any, start: State, text: str, move: re.Pattern[str] | None = None) -> list[State]:
    """Play the moves in a text (see `split_moves`). Returns the position `start` and the position after each move."""
    states = [start]
    names = split_moves(text, move)
    for number, name in enumerate(names, 1):
        s = states[-1]
        if game.terminal(s):
            raise GamesearchError(f"{text!r} continues after the end of the game, at {name}")
        try:
            m = game.parse_move(s, name)
        except GamesearchError as error:
            is_round = game.numbers_rounds and not game.chance
            which = f"{-(-number // 2)} of {player_name(game, game.player(s))}" if is_round else f"{number}"
            place = f"move {which} in {text!r}: " if len(names) > 1 else ""
            raise GamesearchError(f"{place}{error}") from None
        if game.repetition == FORBIDDEN and m not in game.steps(s, states[:-1]):
            raise GamesearchError(f"in {text!r}, {name} repeats an earlier position")
        states.append(game.result(s, m))
    return states


# Positions. --------------------------------------------------------------------------------------
def read_position(game: Any, text: str, *, reads_numbers: bool) -> Any:
    """The state that a text describes by itself or as a list of moves. `reads_numbers` is whether the game has the
    default method `parse`, which only reads numbers."""
    try:
        return game.parse(text) if text else game.initial()
    except GamesearchError as error:
        if not begins_with_move(game, text):
            if not reads_numbers:
                raise
            first = text.replace(",", " ").split()[:1]
            raise GamesearchError(f"{error}; {''.join(first)!r} is not a legal first move") from None
    return play_moves(game, game.initial(), text)[-1]


def begins_with_move(game: Any, text: str) -> bool:
    """Whether the first word of a text is a legal move in the initial position."""
    with suppress(GamesearchError):
        for name in split_moves(text)[:1]:
            game.parse_move(game.initial(), name)
            return True
    return False


def positions_before(game: Any, text: str) -> list[Any]:
    """If a text gives a position as a list of moves, return the position before each move. The result is empty if the
    text contains no moves, or if repetition has no effect in the game."""
    if not text or game.repetition in (NEVER, IGNORED):
        return []
    try:
        game.parse(text)
    except GamesearchError:
        return play_moves(game, game.initial(), text)[:-1]
    return []


def read_numbers(game: Any, start: State, text: str) -> State:
    """The state that consists of the whole numbers in a text. It has as many fields as the state `start`. Raises
    GamesearchError if the numbers are not a state."""
    fields = text.replace(",", " ").split()
    if not isinstance(start, tuple) or len(fields) != len(start):
        raise GamesearchError(f"cannot read the position {text!r}{how_to_write(game, start)}")
    try:
        values = [int(field) for field in fields]
    except ValueError:
        raise GamesearchError(f"{text!r} is not {len(start)} whole numbers{how_to_write(game, start)}") from None
    if any(not 0 <= value < 1 << 62 for value in values):
        raise GamesearchError(f"the position {text!r} contains a number that is negative or too large")
    make: Any = getattr(type(start), "_make", type(start))
    state: State = make(values)
    player = MAX if game.terminal(state) else game.player(state)
    if player != CHANCE and player not in range(game.players):
        raise GamesearchError(f"in {text!r}, player {player} is to move, but there are only {game.players} players")
    return state


def how_to_write(game: Any, start: Any) -> str:
    """The end of an error message. If the game has no `notation`, the text says how to write a position; otherwise, it
    is empty."""
    if game.notation:
        return ""
    if isinstance(start, tuple) and all(isinstance(field, numbers.Integral) for field in start):
        return f": write a position like {game.format(start)}, or a list of moves"
    return f": {game.name} has no method `parse` to read positions"
