"""Strategies in files: one line that claims a value, then one for each position, with the move to make in it.

Each line is a JSON object of texts and numbers, so that a file can be read by people and by programs, and reading it
runs nothing. `gamesearch.solvers.verification` says whether a strategy shows what it claims.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gamesearch.errors import GamesearchError, refuse
from gamesearch.game import Game
from gamesearch.registry import load, specification_of
from gamesearch.specification import files_named, runs_own_code

__all__ = ["Claim", "Moves", "game_of", "read_claim", "read_moves", "strategy_text"]

FORMAT = "gamesearch strategy"
VERSION = 1
Moves = dict[Any, tuple[Any, str]]
"""By the key of a position: the position as it is listed, and the name of the move to make in it."""


@dataclass(frozen=True)
class Claim:
    """The first line of a strategy file."""

    game: str
    """A specification, such as `nim(heaps=3-4-5)`."""
    position: str
    """In the game's notation."""
    value: float
    """What the position is worth to Max."""
    error: float
    """By how much the value may be wrong: 0 without chance, where numbers are not rounded."""
    plies: int | None
    """How long the game lasts at most where the winner follows the strategy; None where that is not claimed."""
    moves: int
    """How many lines follow."""


def read_line(text: str, name: str, number: int) -> dict[str, Any]:
    """A line of a file as a dictionary; raises GamesearchError for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise GamesearchError(f"line {number} of {name} is damaged: it is no JSON object")
    return found


def read_claim(text: str, name: str) -> Claim:
    """The claim in the text of a strategy file; raises GamesearchError for a file that is none, or is cut off."""
    first, *rest = text.splitlines() or [""]
    if not first.startswith("{") or FORMAT not in first:
        raise GamesearchError(f"{name} is not a strategy: its first line does not say {FORMAT!r}")
    found = read_line(first, name, 1)
    if found.get("version") != VERSION:
        raise GamesearchError(f"{name} is of version {found.get('version')!r}, and this gamesearch reads {VERSION}")
    kinds: dict[str, Any] = {"game": str, "position": str, "value": (int, float), "error": (int, float), "moves": int}
    for key, kind in kinds.items():
        if not isinstance(found.get(key), kind) or isinstance(found[key], bool):
            raise GamesearchError(f"line 1 of {name} is damaged: it has no {key} that can be read")
    value, error, plies, moves = found["value"], found["error"], found.get("plies"), found["moves"]
    is_finite = abs(value) < 1e300 and 0 <= error < 1e300  # refuses NaN, too
    refuse(
        (not is_finite, f"line 1 of {name} is damaged: value and error are finite numbers, the error not below 0"),
        (type(plies) not in (int, type(None)), f"line 1 of {name} is damaged: plies are a whole number, or null"),
        (len(rest) != moves, f"{name} has {len(rest):,} of the {moves:,} moves that its first line announces"),
    )
    return Claim(found["game"], found["position"], float(value), float(error), plies, moves)


def read_moves(text: str, name: str, game: Game[Any]) -> Moves:
    """The moves in the text of a strategy file by position; raises GamesearchError for a damaged one."""
    moves: Moves = {}
    for number, line in enumerate(text.splitlines()[1:], 2):
        found = read_line(line, name, number)
        position, move = found.get("position"), found.get("move")
        if not isinstance(position, str) or not isinstance(move, str):
            raise GamesearchError(f"line {number} of {name} is damaged: it has no position and move")
        try:
            s = game.parse(position)
        except GamesearchError as error:
            raise GamesearchError(f"line {number} of {name} is damaged: {error}") from None
        if game.key(s) in moves:
            raise GamesearchError(f"line {number} of {name} is damaged: it has a position for the second time")
        moves[game.key(s)] = s, move
    return moves


def game_of(claim: Claim, name: str, given: str = "") -> tuple[Game[Any], Any]:
    """The game and the position of a claim; a game in a Python file must be `given`, too, because loading it runs it.

    Raises GamesearchError where another game is given, and for a position that is none.
    """
    own = load(given) if given else None
    if own is not None and specification_of(own) != claim.game:
        raise GamesearchError(f"{name} is a strategy for {claim.game}, not for {given}: leave the game out")
    if own is None and runs_own_code(claim.game):
        raise GamesearchError(f"{name} is for the game in a Python file, {claim.game}: name it, too, if you trust it")
    if own is None and (opened := files_named(claim.game)):
        raise GamesearchError(f"{name} is for {claim.game}, which opens {opened[0]}: name it, too, if you trust it")
    try:
        game = load(claim.game) if own is None else own
        return game, game.parse(claim.position)
    except GamesearchError as error:
        raise GamesearchError(f"line 1 of {name} is damaged: {error}") from None


def strategy_text(claim: Claim, lines: Sequence[tuple[str, str]]) -> str:
    """The text of a strategy file, from the positions and the moves to make in them."""
    first = {"format": FORMAT, "version": VERSION, **asdict(claim)}
    rest = ({"position": position, "move": move} for position, move in lines)
    return "".join(json.dumps(line) + "\n" for line in (first, *rest))
