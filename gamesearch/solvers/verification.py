"""Whether a strategy in a file keeps its claim: by the rules of the game alone, for nothing here searches.

A strategy file claims the value of a position, and lists moves: for Max those with which he gets at least that value
whatever Min does, for Min those with which Max gets no more. Where the value is a win, the winner's moves are enough.

1. For each side, all positions are visited that can come about while it makes its moves: after a move of its own the
   one position that the listed move leads to, after the other side's turn and at chance nodes all that there are.
2. Values are computed back from the ends: the worst for the side of what the other side can choose, the mean of
   outcomes. With chance, what is not over counts as the worst payoff until it is shown to be better, so that every
   number on the way is guaranteed. Without chance, a game that goes on for ever is a draw, and so a strategy that
   goes in a circle shows no win.

Equal keys are the same position, as everywhere (`gamesearch.game.Game.key`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gamesearch.errors import refuse
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, Game
from gamesearch.optional import Measured
from gamesearch.solvers.strategy_files import Claim, Moves

__all__ = ["MOST_POSITIONS", "Verdict", "refuse_unfit", "verify"]

MOST_POSITIONS = 300_000
"""No more positions are visited for one side."""
STILL = 1e-15
"""Values stand still when none changes by more."""


class UnshownError(Exception):
    """A strategy does not show what it claims; the message is the end of a sentence that says why."""


@dataclass(frozen=True)
class Verdict:
    """What was found of a strategy."""

    reason: str
    """Why it does not show what it claims, as the end of a sentence; empty where it does."""
    positions: int
    """How many positions were visited."""
    plies: int | None
    """How long the game lasts at most where the winner follows the strategy; None where that is not one number."""


def verify(game: Game[Any], state: Any, claim: Claim, moves: Moves) -> Verdict:
    """Whether the moves of a strategy show what it claims of a position."""
    refuse_unfit(game)
    if isinstance(game, Measured):
        game, state, _ = game.for_solving(state)
    best_for = {MAX: game.MAXSCORE, MIN: game.MINSCORE}
    positions, plies, unused = 0, None, set(moves)
    try:
        for side in (MAX, MIN):
            if claim.value == best_for[1 - side]:  # the worst: it needs no moves
                continue
            play = Play(game, state, side, moves)
            play.visit()
            positions, unused = positions + len(play.order), unused - play.used
            play.compare(claim)
            if claim.value == best_for[side] and not game.chance:
                plies = play.longest()
        if unused:
            raise UnshownError(f"{len(unused):,} of its moves are for positions that cannot come about")
        if claim.plies is not None and (plies is None or plies > claim.plies):
            known = "no number of them can be" if plies is None else f"the game can last {plies}"
            raise UnshownError(f"{claim.plies} plies are claimed, and {known}")
    except UnshownError as error:
        return Verdict(str(error), positions, plies)
    return Verdict("", positions, plies)


def refuse_unfit(game: Game[Any]) -> None:
    """Raise GamesearchError for a game in which a move for each position is no strategy."""
    refuse(
        (game.payoff_count > 1, f"strategies are {game.zero_sum_words()}"),
        (
            game.recurrence == FORBIDDEN,
            f"what {game.name} allows depends on the positions before, so that no list of positions is a strategy",
        ),
    )


def side_text(side: int) -> str:
    """A side by the textbook's name."""
    return "Max" if side == MAX else "Min"


class Play:
    """All games that can come about while one side makes its listed moves."""

    def __init__(self, game: Game[Any], state: Any, side: int, moves: Moves) -> None:
        self.game, self.state, self.side, self.moves = game, state, side, moves
        self.after: dict[Any, list[tuple[Any, float]]] = {}
        """By key, the keys of the positions that follow, each with its probability (1 where there is no chance)."""
        self.payoffs: dict[Any, float] = {}
        """By key, what finished games pay to Max."""
        self.takes_worst: set[Any] = set()
        """The keys of positions where the other side chooses."""
        self.order: dict[Any, int] = {}
        """Keys by number: each comes after those that follow it, unless they lead back to it."""
        self.used: set[Any] = set()
        """The keys of the positions whose moves were made."""

    def visit(self) -> None:
        """Visit all positions, depth first."""
        stack = [(self.game.key(self.state), self.state)]
        while stack:
            key, s = stack[-1]
            if key not in self.after:
                if len(self.after) >= MOST_POSITIONS:
                    raise UnshownError(f"more than {MOST_POSITIONS:,} positions can come about, too many to be checked")
                following = [(self.game.key(after), after, p) for after, p in self.following(key, s)]
                self.after[key] = [(each, p) for each, _, p in following]
                stack += [(each, after) for each, after, _ in following if each not in self.after]
            else:
                stack.pop()
                self.order.setdefault(key, len(self.order))

    def following(self, key: Any, s: Any) -> Iterator[tuple[Any, float]]:
        """The positions that follow one, with their probabilities."""
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
        """The position after the move that is listed for one."""
        game = self.game
        if key not in self.moves:
            raise UnshownError(f"no move is listed for {side_text(self.side)} in {game.format(s)!r}")
        s, name = self.moves[key]  # the same position, as the file has it: only there the name means this move
        found = [move for move in game.steps(s) if game.move_name(s, move) == name]
        if len(found) != 1:
            raise UnshownError(f"{name!r} is not a legal move in {game.format(s)!r}")
        self.used.add(key)
        return game.result(s, found[0])

    def compare(self, claim: Claim) -> None:
        """Raise UnshownError where the side gets less than is claimed."""
        value = self.value()
        missing = claim.value - value if self.side == MAX else value - claim.value
        if not missing <= claim.error:
            shown = f"{side_text(self.side)} show {'at least' if self.side == MAX else 'at most'} {value:.12g}"
            raise UnshownError(f"the moves of {shown}, and {claim.value:.12g} is claimed")

    def value(self) -> float:
        """What the side gets at least, as a value for Max."""
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
        """How many plies the game can last; None where it can go in a circle."""
        plies: dict[Any, int] = {}
        for key, number in self.order.items():
            if any(self.order[each] >= number for each, _ in self.after[key]):
                return None
            plies[key] = max((1 + plies[each] for each, _ in self.after[key]), default=0)
        return plies[self.game.key(self.state)]
