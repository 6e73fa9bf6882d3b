"""The comparison of one search with the oracle: its specification, its checks, and the failures that it finds."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from support import facts

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, SearchResult
from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MIN, REPETITION_DRAWS, Game
from gamesearch.specification import construct, format_specification, parse_specification
from torture.games import Position, load_game
from torture.oracle import EVER, Oracle, Reading, TooLargeError, margin, reading_of

__all__ = ["Comparison", "Complaint", "Scene", "compare", "oracle_of", "scene_of"]

GUARD = 200_000
"""If a search visits this many nodes in one of the small games, it counts as endless."""
ROUNDING = 1e-9
EXACT = 1e-13
"""The allowed relative rounding error for a value to count as a win.

This error is tiny, because an expected value may be very close to a win.
"""
Complaint = tuple[str, str]
"""A failure: its short name, and a text with the expected and the actual result."""


@dataclass(frozen=True)
class Comparison:
    """A search of a position; like games and algorithms, it has a specification as text."""

    game: str
    start: str
    played: str
    """The moves from the start to the position."""
    past: bool
    """Whether the search receives the positions before this position."""
    algorithm: str
    depth: int
    """The search depth in plies; 0 means to the end of the game."""
    by_limits: bool = False
    """Whether the limits set the depth, instead of the algorithm's option `depth`."""
    nodes: int = 0
    """The node limit of the search, or 0 if it has none."""
    time: float = 0.0
    """A time limit, or 0 for none; it is never reached, but makes the search run in a thread."""
    moves: bool = False
    """Whether the search also computes the value of each move."""
    compiled: bool = False
    """Whether the search also runs compiled."""

    def __str__(self) -> str:
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        wanted = {each.name: given[each.name] for each in fields(self) if given[each.name] != each.default}
        return format_specification("comparison", wanted)

    @classmethod
    def parse(cls, text: str) -> "Comparison":
        """Return the comparison with the specification that is printed for a failure."""
        comparison: Comparison = construct("", cls, parse_specification(text))
        return comparison


@dataclass(frozen=True)
class Scene:
    """A game, a position and the positions before it."""

    game: Game
    state: Any
    past: tuple[Any, ...]


@functools.lru_cache(maxsize=16)
def scene_of(position: Position, has_past: bool) -> Scene:
    """Return the game and the states of a position; the earlier states are empty unless `has_past` is set."""
    game = load_game(position.game)
    states = [game.parse(position.start)]
    for move in position.played:
        states.append(game.result(states[-1], move))
    return Scene(game, states[-1], tuple(states[:-1]) if has_past else ())


@functools.lru_cache(maxsize=64)
def oracle_of(position: Position, has_past: bool, depth: int, reading: Reading) -> Oracle:
    """Return the oracle's values for a search of a position to a depth."""
    scene = scene_of(position, has_past)
    return Oracle(scene.game, scene.state, scene.past, depth, reading)


@functools.lru_cache(maxsize=1 << 14)
def algorithm_of(text: str, depth: int | None) -> Algorithm:
    """Return an algorithm with a depth. Many searches share the algorithm, so it must store nothing between them."""
    return load_algorithm(text, {} if depth is None else {"depth": depth or "full"})


class Judge:
    """Compares the results of searches with the oracle's results."""

    def __init__(self, comparison: Comparison) -> None:
        self.given = comparison
        played = tuple(int(move) for move in comparison.played.split())
        self.position = Position(comparison.game, comparison.start, played)
        self.scene = scene_of(self.position, comparison.past)
        self.game, self.state = self.scene.game, self.scene.state
        self.algorithm = algorithm_of(comparison.algorithm, None if comparison.by_limits else comparison.depth)
        self.reading = reading_of(self.algorithm, self.game, self.state)
        player = self.game.player(self.state)
        self.has_no_move = player == CHANCE
        # If the opponent is random, an estimate may equal the value of a win.
        has_margin = self.game.win_or_loss and self.reading is not None and not self.reading.is_random
        self.slack = margin(self.game) if has_margin else ROUNDING
        self.searches = 0

    def oracle(self, depth: int) -> Oracle:
        """Return the oracle for a depth in plies; 0 means to the end of the game."""
        assert self.reading is not None
        return oracle_of(self.position, self.given.past, depth or EVER, self.reading)

    def search(self, **changes: Any) -> SearchResult:
        """Search as the comparison specifies, except for the fields in `changes`."""
        asked = replace(self.given, **changes)
        self.searches += 1
        depth = (asked.depth or EVER) if asked.by_limits else None
        limits = Limits(depth=depth, time=asked.time or None, nodes=asked.nodes or GUARD)
        speed = "compiled" if asked.compiled else "interpreted"
        return search(
            self.game, self.state, self.algorithm, limits=limits, speed=speed, moves=asked.moves, past=self.scene.past
        )

    def complaints(self) -> Iterator[Complaint]:
        """Yield all failures."""
        if self.reading is None:
            yield from self.about_a_random_move()
        elif not self.oracle(1).moves:
            yield from self.about_no_move()
        elif self.may_be_wrong:
            yield from self.about_a_guess()
            if self.game.repetition == REPETITION_DRAWS and not self.given.past:
                yield from self.about_claims(self.search(compiled=False, moves=False))
        elif getattr(self.algorithm, "is_selective", False):
            yield from self.about_a_guess()
            yield from self.about_claims(self.search(compiled=False, moves=False))
        elif self.given.nodes:
            yield from self.about_a_limit()
        else:
            found = self.search(compiled=False, moves=False)
            yield from self.about_a_whole(found)
            if self.given.moves and not found.stopped:
                yield from self.about_moves(found)
            yield from self.about_the_speeds(found)

    @property
    def may_be_wrong(self) -> bool:
        """Whether the value may be wrong because the table ignores repetition (`paths=practical`)."""
        is_practical = vars(self.algorithm).get("paths") == "practical"
        return is_practical and self.game.repetition in (REPETITION_DRAWS, FORBIDDEN)

    def about_a_guess(self) -> Iterator[Complaint]:
        """Check a search whose value may be wrong: it must find legal moves, and the same interpreted and compiled."""
        found = self.search(compiled=False, moves=False)
        if found.best is not None and (self.has_no_move or found.best not in self.oracle(1).moves):
            yield "best", f"{found.best} is not a legal move"
        yield from self.about_the_line(found)
        yield from self.about_the_speeds(found)

    def about_claims(self, found: SearchResult) -> Iterator[Complaint]:
        """Check what a selective search claims to have proven: the game's value, a win or a loss, and the distance."""
        if found.statistics.nodes > (self.given.nodes or GUARD):
            yield "limit", f"{found.statistics.nodes} nodes"
        is_decided = isinstance(found.value, float) and self.is_decided(found.value)
        if not (is_decided or found.sees_the_end):
            return
        try:
            wanted = oracle_of(self.position, self.given.past, EVER, self.reading or Reading()).value
        except TooLargeError:
            return
        if found.bound == "exact" and not self.agrees(found.value, wanted.value):
            yield "claim", f"expected {value_of(wanted)}, found {found.value}"
        elif not self.is_bound(found, wanted):
            yield "claim", f"{found.value} is no {found.bound} bound of {value_of(wanted)}"
        if found.distance is not None and found.bound == "exact" and found.distance < abs(wanted.rank):
            yield "distance", f"it takes {abs(wanted.rank)}, found {found.distance}"

    def about_no_move(self) -> Iterator[Complaint]:
        """Check that the search is rejected if every move is forbidden because it repeats a position."""
        try:
            found = self.search(moves=False)
        except GamesearchError:
            return
        yield "no legal move", f"expected a refusal, found {found.value}"

    def about_a_random_move(self) -> Iterator[Complaint]:
        """Check that a random move is legal, and is the same if the seed is the same."""
        legal = self.game.steps(self.state, self.scene.past)
        try:
            found, again = self.search(compiled=False), self.search(compiled=False)
        except GamesearchError:
            if legal:
                raise
            return
        if self.game.player(self.state) == CHANCE:
            legal = []
        must_have_one = legal and not found.stopped  # a stopped search may have searched no move
        if (found.best is not None or must_have_one) and found.best not in legal:
            yield "random move", f"{found.best} is not among {legal}"
        if facts(found) != facts(again):
            yield "random move", f"the same search gave {found.best} and then {again.best}"
        yield from self.about_the_speeds(found)
        yield from self.about_the_line(found)
        yield from self.about_a_proof(found)

    def about_a_proof(self, found: SearchResult) -> Iterator[Complaint]:
        """Check that a value which the algorithm claims to have proven is the value of the game."""
        if found.sees_the_end and found.bound == "exact":
            try:
                wanted = oracle_of(self.position, self.given.past, EVER, Reading()).value
            except TooLargeError:
                return
            if not self.agrees(found.value, wanted):
                yield "proof", f"expected {value_of(wanted)}, found {found.value}"

    def about_a_whole(self, found: SearchResult) -> Iterator[Complaint]:
        """Check a search that was not stopped: its value, best move, principal variation and distance."""
        if found.stopped:
            yield "endless", f"stopped by {found.stopped} at {found.statistics.nodes} nodes"
            return
        wanted = self.oracle(self.given.depth)
        if not self.agrees(found.value, wanted.value):
            yield "value", f"expected {value_of(wanted.value)}, found {found.value}"
        if found.bound != "exact":
            yield "bound", f"expected exact, found {found.bound}"
        yield from self.about_the_best(found, wanted)
        yield from self.about_the_line(found)
        yield from self.about_the_distance(found, wanted)
        yield from self.about_the_depth(found)

    def about_the_best(self, found: SearchResult, wanted: Oracle) -> Iterator[Complaint]:
        """Check that the best move leads to the value of the search."""
        if self.has_no_move:
            if found.best is not None:
                yield "best", f"expected none at a chance node, found {found.best}"
            return
        if found.best not in wanted.moves:
            yield "best", f"{found.best} is not among the legal moves {list(wanted.moves)}"
            return
        assert found.best is not None
        reached = wanted.moves[found.best]
        if self.reading is not None and self.reading.each:
            if reached != wanted.unclipped:
                yield "best", f"{found.best} pays {reached}, and the first of the best {wanted.unclipped}"
        elif wanted.errs and self.game.player(self.state) == MIN:
            least = min(wanted.moves.values())
            if reached.rank != least.rank or reached.value - least.value > ROUNDING:  # by more than rounding
                yield "best", f"{found.best} is worth {reached.value}, and Min's best {least}"
        elif not self.agrees(reached.value, wanted.unclipped) and not self.is_as_good_within_bounds(reached, wanted):
            yield "best", f"{found.best} is worth {reached.value}, and the best is worth {wanted.unclipped.value}"

    def about_the_line(self, found: SearchResult) -> Iterator[Complaint]:
        """Check that the principal variation is legal and begins with the best move."""
        if found.line[:1] != (() if found.best is None else (found.best,)):
            yield "line", f"{found.line} does not begin with {found.best}"
        s, past = self.state, list(self.scene.past)
        for move in found.line:
            if self.game.terminal(s) or self.game.player(s) == CHANCE or move not in self.game.steps(s, past):
                yield "line", f"{move} of {found.line} is not to be played in {self.game.format(s)}"
                return
            past.append(s)
            s = self.game.result(s, move)

    def about_the_distance(self, found: SearchResult, wanted: Oracle) -> Iterator[Complaint]:
        """Check the distance: the number of plies to the earliest win or the latest loss."""
        options = vars(self.algorithm)
        if self.algorithm.handles_chance:
            return
        if self.reading is not None and self.reading.clips and found.distance is not None:
            # If a win is an estimate that was clipped to bounds, it has no distance.
            wanted = oracle_of(self.position, self.given.past, self.given.depth or EVER, Reading())
        is_decided = self.is_decided(wanted.value.value)
        # The game's bounds may prove a win without its distance.
        if found.distance is None and is_decided and options.get("distance", True) and not options.get("bounds"):
            yield "distance", f"expected {abs(wanted.value.rank)}, found none"
        if found.distance is not None and not is_decided:
            yield "distance", f"expected none, found {found.distance}"
        if found.distance is not None and is_decided and found.distance != abs(wanted.value.rank):
            yield "distance", f"expected {abs(wanted.value.rank)}, found {found.distance}"

    def about_the_depth(self, found: SearchResult) -> Iterator[Complaint]:
        """Check the depth; if the search has seen the end of the game, a deeper search must find the same."""
        if self.given.depth and found.statistics.depth > self.given.depth:
            yield "depth", f"went to {found.statistics.depth}"
        if found.sees_the_end and self.given.depth:
            for depth in (self.given.depth + 1, self.given.depth + 3):
                try:
                    deeper = self.oracle(depth).value
                except TooLargeError:
                    return
                if not self.agrees(found.value, deeper):
                    yield "sees_the_end", f"found {found.value}, but {value_of(deeper)} at depth {depth}"
                    return

    def about_moves(self, found: SearchResult) -> Iterator[Complaint]:
        """Check the value of each move, and check that a search without the values of moves finds the same result."""
        wanted = self.oracle(self.given.depth).moves
        valued = self.search(compiled=False)
        self.searches += len(valued.moves)
        if (valued.value, valued.line, valued.statistics.nodes) != (found.value, found.line, found.statistics.nodes):
            yield "moves", f"the search found {facts(found)} without them, {facts(valued)} with them"
        if sorted(each.move for each in valued.moves) != sorted(wanted):
            yield "moves", f"expected {sorted(wanted)}, found {sorted(each.move for each in valued.moves)}"
            return
        for each in valued.moves:
            if not self.agrees(each.value, wanted[each.move]):
                yield "moves", f"{each.move}: expected {value_of(wanted[each.move])}, found {each.value}"
                return

    def about_the_speeds(self, found: SearchResult) -> Iterator[Complaint]:
        """Check the compiled search. One thread must visit the same nodes; the result of several threads must be
        valid."""
        if self.given.compiled and getattr(self.algorithm, "threads", 1) > 1:
            yield from self.about_several_threads(self.search(moves=False))
        elif self.given.compiled:
            compiled = facts(self.search(moves=False))
            different = {
                name: (value, compiled[name]) for name, value in facts(found).items() if value != compiled[name]
            }
            if different:
                yield "speeds", f"interpreted and compiled differ: {different}"

    def about_several_threads(self, found: SearchResult) -> Iterator[Complaint]:
        """Check everything that a search with several threads guarantees, whatever nodes it visits."""
        if found.statistics.threads == 1:
            yield "threads", "one thread searched alone"
        if self.reading is None:  # no oracle; threads check the limit only after a playout
            if found.best is not None and found.best not in self.game.steps(self.state, self.scene.past):
                yield "best", f"{found.best} is not a legal move"
            yield from self.about_the_line(found)
            return
        if found.statistics.nodes > (self.given.nodes or GUARD):
            yield "limit", f"{found.statistics.nodes} nodes"
        if self.may_be_wrong or getattr(self.algorithm, "is_selective", False) or found.stopped:
            yield from self.about_the_line(found)
            if not self.may_be_wrong:
                yield from self.about_claims(found)
        else:
            yield from self.about_a_whole(found)

    def about_a_limit(self) -> Iterator[Complaint]:
        """Check a search with a node limit: its value must be a correct bound, and the same in a second search."""
        found, again = self.search(compiled=False), self.search(compiled=False)
        if facts(found) != facts(again):
            yield "repeated", f"first {facts(found)}, then {facts(again)}"
        yield from self.about_the_speeds(found)
        if found.statistics.nodes > self.given.nodes:
            yield "limit", f"{found.statistics.nodes} nodes"
        if not found.stopped:
            yield from self.about_a_whole(found)
            return
        if found.best is not None and (self.has_no_move or found.best not in self.oracle(1).moves):
            yield "best", f"{found.best} is not a legal move"
        yield from self.about_the_line(found)
        if found.value is None:
            return
        depth = found.statistics.depth if self.algorithm.deepen else self.given.depth
        wanted = self.oracle(depth).value
        if not self.is_bound(found, wanted):
            yield "stopped", f"{found.value} is no {found.bound} bound of {value_of(wanted)}, depth {depth}"

    def is_bound(self, found: SearchResult, wanted: Any) -> bool:
        """Whether the value of a stopped search is exact, or a bound, as the search claims."""
        if found.bound == "exact":
            return self.agrees(found.value, wanted)
        value, expected = found.value, value_of(wanted)
        if isinstance(value, tuple):
            player = self.game.player(self.state)
            value, expected = value[player], expected[player]
        return bool(value <= expected + self.slack if found.bound == "lower" else value >= expected - self.slack)

    def is_as_good_within_bounds(self, reached: Any, wanted: Oracle) -> bool:
        """Whether a move is as good as the best move if values are clipped to the bounds of the position.

        Searches with null windows guarantee no more, because they do not compare moves beyond the bounds.
        """
        is_cut = getattr(self.algorithm, "window", "") == "null" and self.reading is not None and self.reading.clips
        return is_cut and self.agrees(wanted.clip(self.state, reached).value, wanted.value)

    def agrees(self, found: Any, wanted: Any) -> bool:
        """Whether a value equals the expected value: exactly for a win or a loss, within the margin for an estimate."""
        expected = value_of(wanted)
        if isinstance(expected, tuple):
            return isinstance(found, tuple) and all(
                abs(x - y) <= ROUNDING for x, y in zip(found, expected, strict=True)
            )
        if not isinstance(found, float) or self.is_decided(found) != self.is_decided(expected):
            return False
        return bool(abs(found - expected) <= self.slack)

    def is_decided(self, value: float) -> bool:
        """Whether a value is a win or a loss."""
        extremes = self.game.MINSCORE, self.game.MAXSCORE
        return self.game.win_or_loss and any(
            abs(value - extreme) <= EXACT * max(1.0, abs(extreme)) for extreme in extremes
        )


def value_of(wanted: Any) -> Any:
    """Return a value of the oracle as a number, or as one payoff for each player."""
    return getattr(wanted, "value", wanted)


def compare(comparison: Comparison) -> tuple[int, list[Complaint]]:
    """Make the searches of a comparison; return the number of searches and all failures."""
    judge = Judge(comparison)
    try:
        found = list(judge.complaints())
    except TooLargeError:
        raise
    except Exception as error:
        found = [("error", f"{type(error).__name__}: {error}")]
    return judge.searches, found
