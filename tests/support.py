"""Helpers for several tests: textbook searches as reference implementations, small games, and random play."""

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from gamesearch.algorithms.engine.result import Observer, SearchResult
from gamesearch.game import CHANCE, FORBIDDEN, MAX, REPETITION_DRAWS, Game
from gamesearch.registry import load
from gamesearch.specification import format_specification


# Reference implementations that are not in gamesearch.textbook. ------------------------------------
def textbook_on_paths(game: Game, s: Any, depth: int, past: tuple[Any, ...] = ()) -> float:
    """Return the minimax value in a game with repetition; `past` contains the positions before s in the game."""
    if game.terminal(s):
        return float(game.utility(s))
    before = [game.arrangement(each) for each in past]
    if game.repetition == REPETITION_DRAWS and game.arrangement(s) in before:
        return game.draw_value()
    if depth == 0:
        return float(game.evaluate(s))
    moves = game.steps(s, past)
    choose = max if game.player(s) == MAX else min
    values = (textbook_on_paths(game, game.result(s, m), depth - 1, (*past, s)) for m in moves)
    return choose(values, default=game.draw_value())


def random_play(game: Game, state: Any, plies: int = 60) -> tuple[tuple[float, float], ...]:
    """Return, for each player, the exact mean of the payoff and of its square in random games."""

    @functools.cache
    def moments(s: Any, left: int) -> tuple[tuple[float, float], ...]:
        if game.terminal(s) or left == 0:
            paid = game.utility(s) if left else 0.0
            return tuple((float(x), float(x) ** 2) for x in (paid if isinstance(paid, tuple) else (paid,)))
        steps = game.steps(s)
        odds = game.outcomes(s) if game.player(s) == CHANCE else [(move, 1 / len(steps)) for move in steps]
        parts = [(p, moments(game.result(s, move), left - 1)) for move, p in odds]
        weighted = [[(p * mean, p * square) for mean, square in each] for p, each in parts]
        return tuple((sum(x for x, _ in each), sum(y for _, y in each)) for each in zip(*weighted, strict=True))

    return moments(state, plies)


def subtree(game: Game, s: Any, most: int) -> int:
    """Count the nodes in the subtree of s, including s; stop counting when there are more than `most` nodes."""
    count, waiting = 0, [s]
    while waiting and count <= most:
        s = waiting.pop()
        count += 1
        if not game.terminal(s):
            waiting += [game.result(s, m) for m in game.steps(s)]
    return count


class Watcher(Observer):
    """An observer that records the events it receives."""

    def __init__(self) -> None:
        self.entered: list[tuple[Any, float | None, float | None]] = []
        self.left: list[Any] = []
        self.cutoffs = self.table_hits = self.repetitions = self.probes = 0
        self.iterations: list[int] = []

    def iteration(self, depth: int, purpose: str) -> None:
        self.iterations.append(depth)

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        self.entered.append((state, alpha, beta))

    def leave(self, ply: int, value: Any) -> None:
        self.left.append(value)

    def cutoff(self, ply: int, index: int, count: int) -> None:
        self.cutoffs += 1

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        self.table_hits += 1

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        self.cutoffs += 1

    def repetition(self, ply: int) -> None:
        self.repetitions += 1

    def probe(self, ply: int) -> None:
        self.probes += 1


# Play. -------------------------------------------------------------------------------------------
def playout(game: Game, seed: int, plies: int = 200) -> list[Any]:
    """Return the states of a random game."""
    source = random.Random(seed)
    states = [game.initial()]
    while len(states) <= plies and not game.terminal(states[-1]):
        s = states[-1]
        states.append(game.result(s, source.choice(game.steps(s, states[:-1]))))
    return states


def random_states(game: Game, count: int = 40) -> list[Any]:
    """Return the first nonterminal positions of random games, before and after dice are rolled."""
    states = (s for seed in itertools.count() for s in playout(game, seed) if not game.terminal(s))
    return list(itertools.islice(states, count))


def facts(result: SearchResult) -> dict[str, Any]:
    """Return the fields of a result that do not depend on the machine."""
    of_machine = ("seconds", "speed", "threads")
    numbers = {name: value for name, value in vars(result.statistics).items() if name not in of_machine}
    return vars(result) | {"statistics": numbers, "searched": None}


# Trees. ------------------------------------------------------------------------------------------
def trees(chance: bool = False, leaves: int = 20) -> st.SearchStrategy[str]:
    """Return a Hypothesis strategy for random trees in the notation of the game `tree`; some nodes name a player."""

    def node(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(children, min_size=1, max_size=4).map(",".join)
        decision = st.builds("{}[{}]".format, st.sampled_from(["", "", "max", "min"]), several)
        if not chance:
            return decision
        pair = st.tuples(st.integers(1, 7), children, children).map(
            lambda t: f"{{{t[0]}/8: {t[1]}, {8 - t[0]}/8: {t[2]}}}"
        )
        return st.one_of(decision, pair, several.map("{{{}}}".format))

    return st.recursive(st.integers(-9, 9).map(str), node, max_leaves=leaves)


# Games. ------------------------------------------------------------------------------------------
class Spot(NamedTuple):
    """The place of the token."""

    place: int


class Maze(Game[Spot]):
    """A token on a random directed graph. Each place belongs to the player who moves there; some places end the game.

    A repetition is a draw.
    """

    repetition = REPETITION_DRAWS
    EXITS = 2

    def __init__(self, seed: int = 1, places: int = 9) -> None:
        source = random.Random(seed)
        self.seed, self.places = seed, places
        self.sides = np.array([source.randrange(2) for _ in range(places)])
        self.ends = np.array([2] + [source.choice((2, 2, 2, 1, -1, 0)) for _ in range(places - 1)])
        self.exits = np.array([[source.randrange(places) for _ in range(self.EXITS)] for _ in range(places)])

    def initial(self) -> Spot:
        return Spot(0)

    def player(self, s: Spot) -> int:
        return int(self.sides[s.place])

    def moves(self, s: Spot) -> Iterator[int]:
        for m in range(self.EXITS):
            yield m

    def result(self, s: Spot, m: int) -> Spot:
        return Spot(int(self.exits[s.place, m]))

    def terminal(self, s: Spot) -> bool:
        return int(self.ends[s.place]) != 2

    def utility(self, s: Spot) -> int:
        return int(self.ends[s.place])

    def key(self, s: Spot) -> int:
        return s.place


class Heap(NamedTuple):
    """The number of counters left, Max's counters minus Min's counters, and the player to move."""

    left: int
    ahead: int
    turn: int


class Greedy(Game[Heap]):
    """Take 1 to 3 counters; a player who takes 2 counters moves again.

    The payoff is the number of Max's counters minus the number of Min's counters, and 2 less if this is divisible by 3.
    """

    win_or_loss = False

    def __init__(self, counters: int = 9) -> None:
        self.counters = counters
        self.MINSCORE, self.MAXSCORE = -counters - 2, counters

    def initial(self) -> Heap:
        return Heap(self.counters, 0, 0)

    def player(self, s: Heap) -> int:
        return s.turn

    def moves(self, s: Heap) -> Iterator[int]:
        for m in range(1, min(3, s.left) + 1):
            yield m

    def result(self, s: Heap, m: int) -> Heap:
        gain = m if s.turn == 0 else -m
        return Heap(s.left - m, s.ahead + gain, s.turn if m == 2 else 1 - s.turn)

    def terminal(self, s: Heap) -> bool:
        return s.left == 0

    def utility(self, s: Heap) -> int:
        # Max loses 2 if the difference is divisible by 3, so that the greedy move is not always the best.
        return s.ahead - 2 * (s.ahead % 3 == 0)

    def evaluate(self, s: Heap) -> float:
        return float(s.ahead)

    def order(self, s: Heap, m: int) -> float:
        return m


class Counters(NamedTuple):
    """The number of counters left, and the player to move."""

    left: int
    turn: int


class Take(Game[Counters]):
    """Take 1 to 3 counters; the player who takes the last counter wins. The payoffs are parameters."""

    def __init__(self, counters: int = 10, least: float = 0, greatest: float = 1, guess: float = 0.0) -> None:
        self.counters, self.guess = counters, guess
        self.MINSCORE, self.MAXSCORE = least, greatest

    def initial(self) -> Counters:
        return Counters(self.counters, 0)

    def player(self, s: Counters) -> int:
        return s.turn

    def moves(self, s: Counters) -> Iterator[int]:
        for m in range(1, min(3, s.left) + 1):
            yield m

    def result(self, s: Counters, m: int) -> Counters:
        return Counters(s.left - m, 1 - s.turn)

    def terminal(self, s: Counters) -> bool:
        return s.left == 0

    def utility(self, s: Counters) -> float:
        return self.MAXSCORE if s.turn == 1 else self.MINSCORE

    def evaluate(self, s: Counters) -> float:
        return self.guess


class Trap(Maze):
    """A token that must not return to a place, so the player to move may have no legal move."""

    repetition = FORBIDDEN
    win_or_loss = False

    def __init__(self, seed: int = 1, places: int = 9, ways: int = 2) -> None:
        self.ways = self.EXITS = ways
        super().__init__(seed, places)
        here = np.arange(places)[:, None]  # no edge leads to its own place: it would be a pass, which is always legal
        self.exits = np.where(self.exits == here, (here + 1) % places, self.exits)

    def evaluate(self, s: Spot) -> float:
        return (s.place % 5 - 2) / 4


class Corridor(Game[Spot]):
    """A token on a row of places, which must not return to a place. The player who moves it to the last place wins.

    If the token cannot move to a new place, the game is a draw.
    """

    repetition = FORBIDDEN

    def __init__(self, places: int = 6, start: int = 2) -> None:
        self.places, self.start = places, start

    def initial(self) -> Spot:
        return Spot(self.start)

    def player(self, s: Spot) -> int:
        return (s.place + self.start) % 2

    def moves(self, s: Spot) -> Iterator[int]:
        for m in (-1, 1):
            if 0 <= s.place + m < self.places:
                yield m

    def result(self, s: Spot, m: int) -> Spot:
        return Spot(s.place + m)

    def terminal(self, s: Spot) -> bool:
        return s.place == self.places - 1

    def utility(self, s: Spot) -> int:
        return -1 if self.player(s) == MAX else 1


def new_chess(variant: str = "standard", **parameters: Any) -> Any:
    """Return chess with the given parameters, which determine the class of the game."""
    return load(format_specification("chess", {"variant": variant, **parameters}))
