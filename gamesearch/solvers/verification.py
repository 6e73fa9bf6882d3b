"""Strategy files and their verification. Verification uses only the rules of the game, not a search or solver.

A strategy file claims the value of a position, and lists moves. Max's moves guarantee at least this value against every
reply. Min's moves guarantee that Max gets no more. If the value is a win, the file needs only the winner's moves.
Verification has two steps:

1. For each side, visit all positions that can arise while that side makes its listed moves. Every move of the other
   side and every outcome of chance is followed.
2. Compute values backwards from the ends of the game: the other side chooses the child that is worst for the strategy,
   and a chance node gets the mean of its outcomes. In games with chance, each unfinished position begins with the worst
   payoff and only improves, so that every intermediate value is guaranteed. In games without chance, an endless game is
   a draw, so a strategy that repeats positions forever does not prove a win.

Two positions with equal keys count as the same position (`gamesearch.game.Game.key`).
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gamesearch.errors import GamesearchError, refuse
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, Game
from gamesearch.notation import zero_sum_words
from gamesearch.optional import GameWithVariants, UserTree
from gamesearch.registry import load, specification_of
from gamesearch.specification import files_named, runs_own_code

__all__ = [
    "MOST_POSITIONS", "Claim", "Moves", "Verdict", "game_of", "read_claim", "read_moves", "refuse_unfit",
    "strategy_text", "verify",
]  # fmt: skip


# Strategy files. ----------------------------------------------------------------------------------
FORMAT = "gamesearch strategy"
VERSION = 1
Moves = dict[Any, tuple[Any, str]]
"""A dictionary of the listed positions. Each entry maps the key of a position to the position and the name of its
move."""


@dataclass(frozen=True)
class Claim:
    """The first line of a strategy file."""

    game: str  # a specification, such as `nim(heaps=3-4-5)`
    position: str
    value: float  # the value of the position for Max
    error: float  # the greatest error of the value; 0 for games without chance, whose values are not rounded
    plies: int | None
    """The greatest number of plies if the winner follows the strategy; None if no number is claimed."""
    moves: int
    """The number of moves in the file. The file has one line for the claim, then one line for each move."""


def read_line(text: str, name: str, number: int) -> dict[str, Any]:
    """Parse a line of a file as a JSON object. Raises GamesearchError if the line is not a JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise GamesearchError(f"line {number} of {name} is damaged: it is not a JSON object")
    return found


def read_claim(text: str, name: str) -> Claim:
    """Read the claim of a strategy file; raises GamesearchError if the file is truncated or not a strategy file."""
    first, *rest = text.splitlines() or [""]
    if not first.startswith("{") or FORMAT not in first:
        raise GamesearchError(f"{name} is not a strategy file: its first line has no {FORMAT!r}")
    found = read_line(first, name, 1)
    if found.get("version") != VERSION:
        raise GamesearchError(
            f"{name} has version {found.get('version')!r}, but this version of gamesearch reads only {VERSION}"
        )
    kinds: dict[str, Any] = {"game": str, "position": str, "value": (int, float), "error": (int, float), "moves": int}
    for key, kind in kinds.items():
        if not isinstance(found.get(key), kind) or isinstance(found[key], bool):
            raise GamesearchError(f"line 1 of {name} is damaged: the value of {key!r} is missing or cannot be read")
    value, error, plies, moves = found["value"], found["error"], found.get("plies"), found["moves"]
    is_finite = abs(value) < 1e300 and 0 <= error < 1e300  # also false for NaN
    refuse(
        (not is_finite, f"line 1 of {name} is damaged: value and error must be finite, and error at least 0"),
        (type(plies) not in (int, type(None)), f"line 1 of {name} is damaged: plies must be a whole number or null"),
        (len(rest) != moves, f"{name} has {len(rest):,} of the {moves:,} moves that its first line promises"),
    )
    return Claim(found["game"], found["position"], float(value), float(error), plies, moves)


def read_moves(text: str, name: str, game: Game) -> Moves:
    """Read a strategy file, and return the move for each position; raises GamesearchError if the file is damaged."""
    moves: Moves = {}
    for number, line in enumerate(text.splitlines()[1:], 2):
        found = read_line(line, name, number)
        position, move = found.get("position"), found.get("move")
        if not isinstance(position, str) or not isinstance(move, str):
            raise GamesearchError(f"line {number} of {name} is damaged: a position or a move is missing")
        try:
            s = game.parse(position)
        except GamesearchError as error:
            raise GamesearchError(f"line {number} of {name} is damaged: {error}") from None
        if game.key(s) in moves:
            raise GamesearchError(f"line {number} of {name} is damaged: its position is already on an earlier line")
        moves[game.key(s)] = s, move
    return moves


def game_of(claim: Claim, name: str, given: str = "") -> tuple[Game, Any]:
    """The game and position of a claim. A game that runs code or opens files must be passed as `given`. Raises
    GamesearchError if another game is given or if the position is invalid."""
    own = load(given) if given else None
    if own is not None and specification_of(own) != claim.game:
        raise GamesearchError(f"{name} is a strategy for {claim.game}, not for {given}: omit {given}")
    if own is None and runs_own_code(claim.game):
        raise GamesearchError(
            f"{name} is a strategy for a game that a Python file defines: if you trust this file, add {claim.game} to "
            "the command"
        )
    if own is None and (opened := files_named(claim.game)):
        raise GamesearchError(
            f"{name} is a strategy for {claim.game}, and this game opens the file {opened[0]}: if you "
            f"trust this file, add {claim.game} to the command"
        )
    try:
        game = load(claim.game) if own is None else own
        return game, game.parse(claim.position)
    except GamesearchError as error:
        raise GamesearchError(f"line 1 of {name} is damaged: {error}") from None


def strategy_text(claim: Claim, lines: Sequence[tuple[str, str]]) -> str:
    """Return the text of a strategy file. It contains a claim, and a move for each position."""
    first = {"format": FORMAT, "version": VERSION, **asdict(claim)}
    rest = ({"position": position, "move": move} for position, move in lines)
    return "".join(json.dumps(line) + "\n" for line in (first, *rest))


# Verification. ------------------------------------------------------------------------------------
MOST_POSITIONS = 300_000  # the greatest number of positions that are visited for each side
STILL = 1e-15  # iteration stops if no value changes by more than this number


class UnprovenError(Exception):
    """Raised if a strategy does not prove its claim. The message says why, in a clause without a period."""


@dataclass(frozen=True)
class Verdict:
    """The result of verifying a strategy."""

    reason: str  # why the claim is not proven, as a clause without a period; empty if it is proven
    positions: int
    plies: int | None
    """The greatest number of plies if the winner follows the strategy; None if the game can last forever."""


def verify(game: Game, state: Any, claim: Claim, moves: Moves) -> Verdict:
    """Verify that the moves of a strategy prove its claim about a position."""
    refuse_unfit(game)
    if isinstance(game, GameWithVariants):
        game, state, _ = game.for_solving(state)
    best_for = {MAX: game.MAXSCORE, MIN: game.MINSCORE}
    positions, plies, unused = 0, None, set(moves)
    try:
        for side in (MAX, MIN):
            if claim.value == best_for[1 - side]:  # the worst result for this side is claimed, so it needs no moves
                continue
            play = StrategyGraph(game, state, side, moves)
            play.visit()
            positions, unused = positions + len(play.order), unused - play.used
            play.compare(claim)
            if claim.value == best_for[side] and not game.chance:
                plies = play.longest()
        if unused:
            raise UnprovenError(f"{len(unused):,} of its moves belong to positions that cannot arise")
        if claim.plies is not None and (plies is None or plies > claim.plies):
            known = "the game can last forever" if plies is None else f"the game can last {plies}"
            raise UnprovenError(f"{claim.plies} plies are claimed, but {known}")
    except UnprovenError as error:
        return Verdict(str(error), positions, plies)
    return Verdict("", positions, plies)


def refuse_unfit(game: Game) -> None:
    """Raise GamesearchError if a strategy for this game cannot be a list with one move per position."""
    refuse(
        (game.payoff_count > 1, f"strategies are {zero_sum_words(game)}"),
        (
            game.repetition == FORBIDDEN,
            f"moves of {game.name} depend on earlier positions, so a list of positions is not a strategy",
        ),
        (
            isinstance(game, UserTree) and game.has_unknown,
            "a strategy needs all payoffs: replace each ? in the tree by a number",
        ),
    )


def side_text(side: int) -> str:
    """The name of a side in textbooks: Max or Min."""
    return "Max" if side == MAX else "Min"


class StrategyGraph:
    """The graph of all positions that can arise if one side makes its listed moves."""

    def __init__(self, game: Game, state: Any, side: int, moves: Moves) -> None:
        self.game, self.state, self.side, self.moves = game, state, side, moves
        self.after: dict[Any, list[tuple[Any, float]]] = {}
        """The keys of the children of each position, with their probabilities (1 without chance)."""
        self.payoffs: dict[Any, float] = {}
        """Max's payoff in each terminal position, by key."""
        self.takes_worst: set[Any] = set()
        """The keys of the positions in which the other side moves. It chooses the child that is worst for the
        strategy."""
        self.order: dict[Any, int] = {}
        """The keys in postorder: each position comes after its children, except for a child that leads back to the
        position."""
        self.used: set[Any] = set()
        """The keys of the positions in which the side made its listed move."""

    def visit(self) -> None:
        """Visit all positions, depth first."""
        stack = [(self.game.key(self.state), self.state)]
        while stack:
            key, s = stack[-1]
            if key not in self.after:
                if len(self.after) >= MOST_POSITIONS:
                    raise UnprovenError(f"more than {MOST_POSITIONS:,} positions can arise, which is too many to check")
                following = [(self.game.key(after), after, p) for after, p in self.weighted_children(key, s)]
                self.after[key] = [(each, p) for each, _, p in following]
                stack += [(each, after) for each, after, _ in following if each not in self.after]
            else:
                stack.pop()
                self.order.setdefault(key, len(self.order))

    def weighted_children(self, key: Any, s: Any) -> Iterator[tuple[Any, float]]:
        """Yield the children of a position, each with its probability."""
        game = self.game
        if game.terminal(s):
            self.payoffs[key] = float(game.utility(s))
        elif game.player(s) == CHANCE:
            for outcome, probability in game.outcomes(s):
                if probability > 0:
                    yield game.result(s, outcome), probability
        elif game.player(s) == self.side:
            yield self.after_listed(key, s), 1.0
        else:
            self.takes_worst.add(key)
            for move in game.steps(s):
                yield game.result(s, move), 1.0

    def after_listed(self, key: Any, s: Any) -> Any:
        """Play the move that is listed for a position, and return the position after it."""
        game = self.game
        if key not in self.moves:
            raise UnprovenError(f"no move is listed for {side_text(self.side)} in {game.format(s)!r}")
        s, name = self.moves[key]  # use the listed state, because the name of the move may depend on the state
        found = [move for move in game.steps(s) if game.move_name(s, move) == name]
        if len(found) != 1:
            raise UnprovenError(f"{name!r} is not a legal move in {game.format(s)!r}")
        self.used.add(key)
        return game.result(s, found[0])

    def compare(self, claim: Claim) -> None:
        """Raise UnprovenError if the strategy guarantees less for its side than the claimed value."""
        value = self.value()
        missing = claim.value - value if self.side == MAX else value - claim.value
        if not missing <= claim.error:
            shown = f"{side_text(self.side)} guarantee {'at least' if self.side == MAX else 'at most'} {value:.12g}"
            raise UnprovenError(f"the moves of {shown}, but the claim is {claim.value:.12g}")

    def value(self) -> float:
        """The result that the moves guarantee for the side, as a value for Max."""
        game, worst = self.game, min if self.side == MAX else max
        unknown = float(game.draw_value())
        if game.chance:
            unknown = float(game.MINSCORE if self.side == MAX else game.MAXSCORE)
        values = {key: self.payoffs.get(key, unknown) for key in self.order}
        change = math.inf
        while change > STILL:
            change = 0.0
            for key in self.order:
                if key in self.payoffs:
                    continue
                if key in self.takes_worst:
                    value = worst(values[each] for each, _ in self.after[key])
                else:
                    value = math.fsum(p * values[each] for each, p in self.after[key])
                change = max(change, abs(value - values[key]))
                values[key] = value
        return values[game.key(self.state)]

    def longest(self) -> int | None:
        """The greatest number of plies of the game; None if the game can last forever, because positions can repeat."""
        plies: dict[Any, int] = {}
        for key, number in self.order.items():
            if any(self.order[each] >= number for each, _ in self.after[key]):
                return None
            plies[key] = max((1 + plies[each] for each, _ in self.after[key]), default=0)
        return plies[self.game.key(self.state)]
