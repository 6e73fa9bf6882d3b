"""Openings of games. They are read from a file, or they consist of random moves and are balanced according to a
search."""

import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from gamesearch.algorithms.catalog import exact_algorithm, load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.errors import GamesearchError
from gamesearch.files.whole import Note, file_path, ignore_note, read_text
from gamesearch.game import CHANCE, Game
from gamesearch.notation import line_names
from gamesearch.play.files import is_record, read_games
from gamesearch.play.match import random_outcome
from gamesearch.play.matches.game_task import Opening

__all__ = ["play_opening", "read_openings"]

CANDIDATES = 8  # the number of random openings that are examined to find the most balanced one
NODES = 500  # the node limit of the search that evaluates an opening
LARGEST = 100_000_000  # the size limit of a file of openings (bytes)


# From files. --------------------------------------------------------------------------------------
def read_openings(name: str, game: Game, plies: int | None = None, note: Note = ignore_note) -> list[Opening]:
    """Read an opening from each line or game in a file: the first `plies` moves, or all moves if `plies` is None.
    `note` gets messages for the user. Raises GamesearchError with the number of a line or game that is not an
    opening."""
    found = []
    for place, opening in (read_recorded if is_record(name) else read_lines)(name, game, plies, note):
        try:
            states, _ = play_opening(game, opening)
            if game.terminal(states[-1]):
                raise GamesearchError("it ends the game")
        except GamesearchError as error:
            raise GamesearchError(f"{place} of {name} is not an opening: {error}") from None
        found.append(opening)
    if not found:
        raise GamesearchError(f"{name} contains no openings: write one per line")
    return found


def read_recorded(name: str, game: Game, plies: int | None, note: Note) -> Iterator[tuple[str, Opening]]:
    """Yield the openings of the games in a file. The text before each opening says which game of the file it comes
    from."""
    for each in read_games(name, game, LARGEST, note):
        names = line_names(game, each.start, each.moves[:plies])
        position = "" if each.start == game.initial() else game.format(each.start)
        yield f"game {each.number}", Opening(position, tuple(names))


def read_lines(name: str, game: Game, plies: int | None, note: Note) -> Iterator[tuple[str, Opening]]:
    """Yield each opening with its line number. A line contains moves or a position; in .epd and .obf files, it contains
    a position."""
    suffix = file_path(name).suffix.casefold()
    text = read_text(name, "a file of openings", LARGEST, note)
    for number, each in enumerate(text.splitlines(), 1):
        if suffix == ".epd":  # only a whole line is a comment, because # is also the sign of mate
            line = "" if each.startswith(("#", "%")) else each.strip()
        else:
            line = each.partition("%" if suffix == ".obf" else "#")[0].strip()
        if not line:
            continue
        try:
            yield f"line {number}", opening_of(line, suffix, game, plies)
        except GamesearchError as error:
            raise GamesearchError(f"line {number} of {name} is not an opening: {error}") from None


def opening_of(line: str, suffix: str, game: Game, plies: int | None) -> Opening:
    """Parse the position or the moves in a line."""
    if suffix in (".epd", ".obf"):
        return Opening(format_position(game, line))
    try:
        return Opening(moves=tuple(read_moves(game, re.split(r"[\s,]+", line))[:plies]))
    except GamesearchError as error:
        if " " not in line or error.args[0].startswith("move 1,"):
            return Opening(format_position(game, line))
        raise


def read_moves(game: Game, words: list[str]) -> list[str]:
    """Parse words as moves from the start of the game. Return the names of the moves, without numbers such as `3.`."""
    state, names = game.initial(), list[str]()
    for word in words:
        if re.fullmatch(r"\d+\.+", word):
            continue
        try:
            if game.terminal(state):
                raise GamesearchError("the game is already over")
            move = game.parse_move(state, re.sub(r"^\d+\.+", "", word))
        except GamesearchError as error:
            raise GamesearchError(f"move {len(names) + 1}, {word!r}, cannot be made: {error}") from None
        names.append(game.move_name(state, move))
        state = game.result(state, move)
    return names


def format_position(game: Game, position: str) -> str:
    """Write a position in the game's notation; raises GamesearchError if the position changes parameters of the
    game."""
    played, state = game.setup(position)
    if played.parameters() != game.parameters():
        raise GamesearchError(f"{position!r} is a position of a game with other rules")
    return game.format(state)


# On the board. ------------------------------------------------------------------------------------
def play_opening(game: Game, opening: Opening, note: Callable[[], None] = lambda: None) -> tuple[list[Any], list[int]]:
    """Return the states and the moves of an opening. `note` is called before each search for a balanced opening."""
    states, moves = [game.setup(opening.position)[1] if opening.position else game.initial()], list[int]()
    for name in opening.moves:
        moves.append(game.parse_move(states[-1], name))
        states.append(game.result(states[-1], moves[-1]))
    if opening.plies and not game.terminal(states[-1]):
        for move in find_balanced(game, states[-1], opening.plies, opening.seed, note):
            moves.append(move)
            states.append(game.result(states[-1], move))
    return states, moves


def find_balanced(
    game: Game, state: Any, plies: int, seed: int, note: Callable[[], None] = lambda: None
) -> tuple[int, ...]:
    """Find a balanced random opening. Of CANDIDATES sequences of random moves, the function returns the one that gives
    the smallest advantage to either side. A search evaluates the position after each sequence.

    If all random games end before `plies` plies, the opening is shorter. The searches are interpreted and have a node
    limit, so the result does not depend on the machine.
    """
    drawing = random.Random(f"opening {seed}")
    found: dict[tuple[int, ...], float] = {}
    for _ in range(CANDIDATES):
        line, end = draw_random_moves(game, state, plies, drawing)
        if line not in found and end is not None:
            note()
            found[line] = advantage(game, end)
    if not found:
        return find_balanced(game, state, plies - 1, seed, note) if plies > 1 else ()
    return min(found, key=lambda line: (found[line], line))


@lru_cache(maxsize=64 * CANDIDATES)
def advantage(game: Game, state: Any) -> float:
    """The distance of a position's value from a draw. The result is cached for both games of a pair."""
    algorithm = load_algorithm(exact_algorithm(game), {"deepen": True})
    value = search_with(game, state, algorithm, Limits(nodes=NODES), speed="interpreted").value
    return abs(value - game.draw_value()) if isinstance(value, float) else float("inf")


def draw_random_moves(game: Game, state: Any, plies: int, drawing: random.Random) -> tuple[tuple[int, ...], Any]:
    """Choose random moves, and random outcomes of chance. Returns the line and the state after it, or None if the game
    is over."""
    line: list[int] = []
    past: list[Any] = []
    while len(line) < plies or game.player(state) == CHANCE:
        if game.player(state) == CHANCE:
            line.append(random_outcome(game, state, drawing))
        else:
            steps = game.steps(state, past)
            if not steps:
                return tuple(line), None
            line.append(drawing.choice(steps))
        past.append(state)
        state = game.result(state, line[-1])
        if game.terminal(state):
            return tuple(line), None
    return tuple(line), state
