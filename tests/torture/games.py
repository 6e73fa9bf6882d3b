"""Small games for comparisons: games of the package, and random walks, in which each property of a game is a
parameter."""

import functools
import math
import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gamesearch.algorithms.node.repetition import is_repeated
from gamesearch.game import CAPTURE, CHANCE, FORBIDDEN, IGNORED, NEVER, REPETITION_DRAWS, Game
from gamesearch.optional import Prediction, SelectiveGame, StochasticGame
from gamesearch.registry import load
from gamesearch.specification import construct, format_specification, parse_specification

__all__ = ["FAMILIES", "Position", "Trio", "Walk", "load_game", "random_position"]

LOOPS = {"none": NEVER, "draws": REPETITION_DRAWS, "ignored": IGNORED, "forbidden": FORBIDDEN}
PAYOFFS: Mapping[str, tuple[int, int, bool]] = {
    "ones": (-1, 1, True),
    "bits": (0, 1, True),
    "losses": (-3, 0, True),
    "uneven": (-1, 3, True),
    "high": (5, 7, True),
    "wide": (-150, 150, True),
    "points": (-4, 4, False),
    "costs": (-3, 0, False),
    "gains": (2, 10, False),
}
"""For each name: the lowest and highest payoff, and whether they mean a loss and a win."""
ESTIMATES = ("none", "inside", "wild", "bounded")
TURNS = ("owned", "alternate", "alone")
BOUNDING = ("none", "loose", "good")
NODES = 9
"""The number of places in a random walk."""
STAGES = (3, 4, NODES)
"""The possible numbers of places in a stage; a move never leads back to an earlier stage."""
SECOND, THIRD, FOURTH = 1 << 31, 4097, 5
"""Move numbers that collide with 1 in a table with 31 bits for a move (SECOND) or in a history of 4096 (THIRD)."""
OWNER, DICE, COUNT, FIRST, TARGET, END, PAYOFF, LEAST, GREATEST, GUESS, ORDER, ODDS, STAGE = range(13)
KIND, THREATENED, EVASION, GAIN, ZUGZWANG = range(13, 18)


class Spot(NamedTuple):
    """The seed of the graph, the token's place, the player to move, and the number of consecutive passes."""

    seed: int
    node: int
    side: int
    passes: int


def lot(seed: int, node: int, what: int, number: int) -> int:
    """Return a pseudorandom number from 0 to `number` - 1, which is a hash of the arguments."""
    x = (seed * 7919 + node * 104729 + what * 1299709) & 0x7FFFFFFF
    x = ((x ^ x >> 15) * 739982445) & 0x7FFFFFFF
    x = ((x ^ x >> 12) * 695872825) & 0x7FFFFFFF
    return (x ^ x >> 15) % number


class Walk(StochasticGame[Spot]):
    """A token moves on a random graph. Each place belongs to the player who moves there, and some places end the game.

    The state contains the seed of the graph, so one game, compiled once, contains as many graphs as there are seeds.
    The key omits the seed: if a table entry were kept for the next search, this search would find a wrong value.
    """

    players = 2

    def __init__(
        self,
        loops: str = "none",
        payoffs: str = "ones",
        estimates: str = "inside",
        turns: str = "owned",
        bounding: str = "none",
        chance: bool = False,
    ) -> None:
        self.loops, self.payoffs, self.estimates, self.turns = loops, payoffs, estimates, turns
        self.bounding, self.chance = bounding, chance
        self.repetition = LOOPS[loops]
        self.MINSCORE, self.MAXSCORE, self.win_or_loss = PAYOFFS[payoffs]
        self.least, self.greatest, _ = PAYOFFS[payoffs]
        self.guesses = ESTIMATES.index(estimates)
        self.taking_turns = TURNS.index(turns)
        self.wider = 1 if bounding == "loose" else 0
        self.is_bounded = bounding != "none"
        self.bounds_hold_estimates = self.is_bounded and estimates == "bounded" and not self.win_or_loss

    def initial(self) -> Spot:
        return Spot(0, 0, 0, 0)

    def player(self, s: Spot) -> int:
        if self.chance and lot(s.seed, s.node, DICE, 3) == 0:
            return CHANCE
        if self.taking_turns == 0:
            return lot(s.seed, s.node, OWNER, self.players)
        return s.side if self.taking_turns == 1 else s.seed % self.players

    def moves(self, s: Spot) -> Iterator[int]:
        count = 1 + (lot(s.seed, s.node, COUNT, 6) + 1) // 2
        first = lot(s.seed, s.node, FIRST, count)
        for i in range(count):
            index = (first + i) % count
            if index < 2:
                yield index
            else:
                yield SECOND if index == 2 else THIRD

    def outcomes(self, s: Spot) -> Iterator[tuple[int, float]]:
        odds = lot(s.seed, s.node, ODDS, 4)
        if odds == 0:
            yield 0, 1.0
        elif odds == 1:
            yield 1, 0.75
            yield 0, 0.25
        elif odds == 2:
            yield 0, 0.5
            yield SECOND, 0.0
            yield 1, 0.5
        else:
            yield 0, 0.25
            yield SECOND, 0.25
            yield 1, 0.5

    def result(self, s: Spot, m: int) -> Spot:
        index = m if m < 2 else 2 if m == SECOND else 3
        if self.repetition == NEVER:
            node = s.node + 1 + lot(s.seed, s.node * 4 + index, TARGET, min(3, NODES - 1 - s.node))
        else:
            size = self.stage_size(s.seed)
            first = s.node // size * size
            node = first + lot(s.seed, s.node * 4 + index, TARGET, NODES - first)
        side = (s.side + 1) % self.players if self.taking_turns == 1 else 0
        is_pass = self.repetition == FORBIDDEN and node == s.node
        return Spot(s.seed, node, side, s.passes + 1 if is_pass else 0)

    def terminal(self, s: Spot) -> bool:
        if s.passes == 2 or (self.repetition == NEVER and s.node == NODES - 1):
            return True
        return s.node > 0 and lot(s.seed, s.node, END, 6) == 0

    def utility(self, s: Spot) -> Any:
        return self.payoff(s, 0)

    def evaluate(self, s: Spot) -> Any:
        if not self.bounds_hold_estimates:
            return self.guess(s, 0)
        least, greatest = self.bounds(s)
        return max(least, min(greatest, self.guess(s, 0)))

    def bounds(self, s: Spot) -> tuple[float, float]:
        if not self.is_bounded:
            return self.MINSCORE, self.MAXSCORE
        least, greatest = self.interval(s.seed, max(0, self.stage(s) - self.wider))
        return float(least), float(greatest)

    def order(self, s: Spot, m: int) -> float:
        return lot(s.seed, s.node * 4 + (m & 3), ORDER, 5) - 2.0

    def key(self, s: Spot) -> int:
        return (s.node * 3 + s.side) * 3 + s.passes

    def arrangement(self, s: Spot) -> int:
        # If repetition is a draw, some seeds also count a position with another player to move as a repetition.
        if self.repetition == FORBIDDEN or (self.repetition == REPETITION_DRAWS and s.seed % 4 == 0):
            return s.node
        return (s.node * 3 + s.side) * 3 + s.passes

    def progress(self, s: Spot) -> int:
        return self.stage(s)

    def stage_size(self, seed: int) -> int:
        return STAGES[lot(seed, 0, STAGE, 3)]

    def stage(self, s: Spot) -> int:
        return s.node // self.stage_size(s.seed)

    def interval(self, seed: int, stage: int) -> tuple[int, int]:
        """Return the lowest and highest payoff that places of this stage and later stages can have."""
        least, greatest = self.least, self.greatest
        may_draw = self.repetition == REPETITION_DRAWS or self.repetition == FORBIDDEN
        draw_least, draw_greatest = (least + greatest) // 2, (least + greatest + 1) // 2
        for each in range(1, stage + 1):
            most = min(greatest, draw_least) if may_draw else greatest
            least += lot(seed, each, LEAST, most - least + 1)
            fewest = max(least, draw_greatest) if may_draw else least
            greatest = fewest + lot(seed, each, GREATEST, greatest - fewest + 1)
        return least, greatest

    def payoff(self, s: Spot, player: int) -> float:
        least, greatest = self.interval(s.seed, self.stage(s))
        return float(least + lot(s.seed, s.node + NODES * player, PAYOFF, greatest - least + 1))

    def guess(self, s: Spot, player: int) -> float:
        if self.guesses == 0:
            return 0.0
        size = float(self.greatest - self.least)
        number = lot(s.seed, s.node * 3 + s.side + 3 * NODES * player, GUESS, 16)
        if self.guesses == 1 or self.guesses == 3 or number < 8:
            return self.least + size * (number % 9) / 8
        if number < 12:
            return self.least - 0.25 if number < 10 else self.greatest + 0.25
        if number < 14:
            return self.least - 1000 * size if number == 12 else self.greatest + 1000 * size
        return -math.inf if number == 14 else math.inf


class Trio(Walk):
    """A random walk for three players; at its end, each player gets a payoff."""

    players = 3

    def utility(self, s: Spot) -> Any:
        return self.payoff(s, 0), self.payoff(s, 1), self.payoff(s, 2)

    def evaluate(self, s: Spot) -> Any:
        return self.guess(s, 0), self.guess(s, 1), self.guess(s, 2)


class Answering(Walk, SelectiveGame[Spot]):
    """A random walk whose methods for selective search return random answers, which must not lead to wrong proofs."""

    passing_never_helps = True

    def kind_of_move(self, s: Spot, m: int) -> int:
        return lot(s.seed, s.node * 4 + (m & 3), KIND, CAPTURE + 1)

    def is_threatened(self, s: Spot) -> bool:
        return lot(s.seed, s.node, THREATENED, 3) == 0

    def is_evasion(self, s: Spot, m: int) -> bool:
        return lot(s.seed, s.node * 4 + (m & 3), EVASION, 3) > 0

    def most_gain(self, s: Spot, m: int) -> float:
        return 0.25 * lot(s.seed, s.node * 4 + (m & 3), GAIN, 9) * (self.greatest - self.least)

    def make_null_move(self, s: Spot) -> Spot:
        return Spot(s.seed, s.node, (s.side + 1) % self.players if self.taking_turns == 1 else 0, s.passes)

    def predictions(self) -> tuple[Prediction, ...]:
        size = float(self.greatest - self.least)
        return Prediction(2, 1, 0.9, -0.1 * size, 0.05 * size), Prediction(3, 1, 1.1, 0.0, 0.1 * size)

    def is_zugzwang_near(self, s: Spot) -> bool:
        return lot(s.seed, s.node, ZUGZWANG, 3) == 0


OWN: Mapping[str, type[Game]] = {cls.name: cls for cls in (Walk, Trio, Answering)}


@functools.lru_cache(maxsize=256)
def load_game(text: str) -> Game:
    """Return the game of a specification, which is a random walk or a game of the package."""
    specification = parse_specification(text)
    if specification.name in OWN:
        game: Game = construct("the game", OWN[specification.name], specification)
        return game
    return load(text)


class Position(NamedTuple):
    """A position: the game, the game's start, and the moves played from the start."""

    game: str
    start: str
    played: tuple[int, ...]


FAMILIES: Mapping[str, tuple[str, Mapping[str, Any]] | str] = {
    "acyclic": ("walk", {"loops": "none", "chance": False}),
    "draws": ("walk", {"loops": "draws", "chance": False}),
    "superko": ("walk", {"loops": "forbidden", "chance": False}),
    "ignored": ("walk", {"loops": "ignored", "chance": False}),
    "dice": ("walk", {"loops": "none", "chance": True}),
    "dice and draws": ("walk", {"loops": "draws", "chance": True}),
    "dice and superko": ("walk", {"loops": "forbidden", "chance": True}),
    "dice ignored": ("walk", {"loops": "ignored", "chance": True}),
    "three": ("trio", {"loops": "none", "bounding": "none", "chance": False}),
    "three and draws": ("trio", {"loops": "draws", "bounding": "none", "chance": False}),
    "three and superko": ("trio", {"loops": "forbidden", "bounding": "none", "chance": False}),
    "three with dice": ("trio", {"loops": "none", "bounding": "none", "chance": True}),
    "answering": ("answering", {"loops": "none", "chance": False}),
    "answering and draws": ("answering", {"loops": "draws", "chance": False}),
    "answering and superko": ("answering", {"loops": "forbidden", "chance": False}),
    "answering, compiled": "answering(loops=draws, estimates=wild, turns=alternate, bounding=loose)",
    "draws, compiled": "walk(loops=draws, estimates=wild, turns=alternate, bounding=loose)",
    "bits, compiled": "walk(payoffs=bits, bounding=good)",
    "superko, compiled": "walk(loops=forbidden, payoffs=points, turns=alternate, bounding=good)",
    "dice, compiled": "walk(payoffs=losses, estimates=wild, chance=true)",
    "three, compiled": "trio(loops=ignored, payoffs=gains)",
    "tictactoe": "tictactoe",
    "connect4": "connect4(rows=4, columns=4, connect=3)",
    "nim": "nim(heaps=1-2-3)",
    "misere": "nim(heaps=9, misere=true, max_take=3)",
    "checkers": "checkers(size=4)",
    "kalah": "kalah(pits=2, seeds=2)",
    "go": "go(size=2)",
    "pig": "pig(target=6)",
    "yavalath": "yavalath(side=3)",
    "dots": "dotsandboxes(rows=1, columns=2)",
    "othello": "othello(size=4)",
    "random tree": "random_tree(branching=2, depth=5)",
    "random tree with chance": "random_tree(branching=2, depth=5, chance=true)",
}
"""For each family of positions: a game of the package, or `walk` with its fixed parameters; the others are random."""
DRAWN: Mapping[str, tuple[str, ...]] = {
    "payoffs": tuple(PAYOFFS),
    "estimates": ESTIMATES,
    "turns": TURNS,
    "bounding": BOUNDING,
}


def random_position(family: str, source: random.Random) -> Position:
    """Return a nonterminal position of a family, reached by random moves."""
    kind = FAMILIES[family]
    if isinstance(kind, str):
        text = kind
    else:
        name, given = kind
        text = format_specification(name, {key: source.choice(values) for key, values in DRAWN.items()} | dict(given))
    game = load_game(text)
    is_own = isinstance(game, Walk)
    s = Spot(source.randrange(1 << 16), 0, 0, 0) if is_own else game.initial()
    start = game.format(s)
    played: list[int] = []
    past: list[Any] = []
    longest = 12 if is_own else 60
    while not (game.terminal(s) or is_repeated(game, (*past, s))) and len(played) < longest:
        if not (steps := game.steps(s, past)):
            break
        played.append(source.choice(steps))
        past.append(s)
        s = game.result(s, played[-1])
    # Positions of walks are near the start, so that much can follow; those of other games are near the end.
    #
    # The last state is kept even if it has no legal move.
    last = len(played) - (1 if game.terminal(s) or is_repeated(game, (*past, s)) else 0)
    first = 0 if is_own else max(0, last - 6)
    if is_own and source.random() < 0.8:
        last = min(last, 3)
    return Position(text, start, tuple(played[: source.randint(first, last)]))
