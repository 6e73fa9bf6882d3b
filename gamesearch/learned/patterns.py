"""Evaluation by patterns: a sum of weights, which are looked up by the contents of sets of cells (n-tuple networks).

M. Buro 1998, "From simple features to sophisticated evaluation functions" (Logistello's patterns); S. Lucas 2008,
"Learning to play Othello with n-tuple systems"; W. Jaskowski 2014, "Systematic n-tuple networks for Othello". The
patterns are part of a subclass of the game's own class, so games with patterns can be interpreted or compiled like
other games. The weights are read at run time, so patterns with other weights need no recompilation.
"""

import functools
import math
import operator
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import MIN, Game
from gamesearch.learned.evaluation import LearnedEvaluation, derive_class, half_range
from gamesearch.optional import PatternGame, Prediction, SelectiveGame, TunedGame
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, pack_bits
from gamesearch.toolkit.boards import Place

__all__ = [
    "LARGEST_ESTIMATE", "NO_WEIGHT", "PatternEvaluation", "Patterns", "choose_cells", "derive_pattern_class",
    "patterns_of",
]  # fmt: skip

LARGEST_ESTIMATE = 0.95  # the greatest estimate, as a fraction of a win
MOST_CELLS = 12
"""The greatest number of cells in a pattern. Larger patterns have too many weights to learn all of them from games."""
MOST_WEIGHTS = 8_000_000
WIDEST = 64
NO_WEIGHT = -1
"""If patterns are single cells, an empty cell has this number instead of the index of a weight. An empty cell then adds
nothing to the sum."""
SYMMETRIES: Mapping[str, tuple[str, ...]] = {
    "none": ("rc",),
    "sides": ("rc", "rC"),
    "half turn": ("rc", "RC"),
    "rectangle": ("rc", "rC", "Rc", "RC"),
    "square": ("rc", "rC", "Rc", "RC", "cr", "cR", "Cr", "CR"),
}
"""For each kind of symmetry, the images of the cell in row r and column c. An image is written as its row and its
column. R and C are the row r and the column c, counted from the other end."""


class PatternEvaluation(LearnedEvaluation, PatternGame[Any]):
    """Evaluation of a game by patterns. `derive_pattern_class` creates the class."""

    learned_attribute, tunable_beside = "pattern_weights", ("unit_of_sum", "most_change")

    pattern_count: int = 0
    """The number of places. A place is a pattern, or a symmetric image of a pattern on the board."""
    masks: BoardTable = BoardTable()
    """For each place, the bitboard of its cells."""
    digits: BoardTable = BoardTable()
    """For each place, a table with an entry for each subset of the place's cells. For each content c, the weight index
    contains the term c * e. Here, e is the entry of the subset of cells with content c."""
    first_digits: BoardTable = BoardTable()
    """The index of each place's first entry in `digits`."""
    first_weights: BoardTable = BoardTable()
    """The index of each place's first weight."""
    stage_size: int = 0
    is_by_cell: bool = False
    """Whether every pattern consists of one cell, and every cell belongs to at most one place."""
    known_cells: Board64 = 0
    first_of_cell: BoardTable = BoardTable()
    """The index of each cell's first weight. It is used if patterns are single cells."""
    largest_estimate: float = 0.0
    unit_of_sum: tuple[float] = (0.0,)
    """The factor that converts the sum of the weights to the unit of the game. If the factor is 0, the estimate is the
    hyperbolic tangent of the sum, as a fraction of a win for the side to move."""
    adds_to_own: bool = False
    """Whether the sum of weights is added to the game's own estimate."""
    most_change: tuple[float] = (0.0,)
    """Few moves change the sum of weights by more than this amount. Its unit is the unit of estimates, such as
    pawns."""
    pattern_weights: Any = None
    """The learned weights. Compiled code reads the weights, `unit_of_sum` and `most_change` at run time."""
    learned_predictions: tuple[Prediction, ...] = ()

    def predictions(self) -> tuple[Prediction, ...]:
        """The predictions of a deep search's value from a shallow search's value. They were measured with these
        weights."""
        return self.learned_predictions

    def weight_number(self, boards: tuple[Board64, ...], place: int) -> int:
        """The index of a place's weight among the weights of one stage. If patterns are single cells, the index for an
        empty cell is NO_WEIGHT: empty cells need no weight, because their number follows from the number of pieces."""
        first, mask, number = int(self.first_digits[place]), self.masks[place], int(self.first_weights[place])
        for i in range(len(boards)):
            number += (i + 1) * int(self.digits[first + pack_bits(boards[i], mask)])
        if self.is_by_cell and number == int(self.first_weights[place]):
            return NO_WEIGHT
        return number

    def contributions(self, s: Any) -> list[tuple[tuple[int, ...], float]]:
        """For each place of a pattern on the board: its cells, and its contribution to the sum for Max."""
        boards, first, sign = self.contents(s), self.stage(s) * self.stage_size, -1.0 if self.player(s) == MIN else 1.0
        found = []
        for place in range(self.pattern_count):
            number = self.weight_number(boards, place)
            if number != NO_WEIGHT:
                cells = tuple(cell for cell in range(64) if self.masks[place] >> cell & 1)
                found.append((cells, sign * float(self.pattern_weights[first + number])))
        return found

    def evaluate(self, s: Any) -> float:
        """The estimate computed from the sum of the weights. It is a fraction of a win, or it is in the unit of the
        game."""
        middle, most, unit, total = self.draw_value(), self.largest_estimate, self.unit_of_sum[0], self.sum_for_max(s)
        if unit == 0.0:
            return middle + most * math.tanh(total)
        own = self.own_estimate(s) - middle if self.adds_to_own else 0.0
        return middle + max(-most, min(most, own + unit * total))

    def win_chance(self, estimate: float) -> float | None:
        """Max's chance to win plus half the chance of a draw. The weights were trained to predict this sum."""
        unit = self.unit_of_sum[0]
        if unit == 0.0:
            return super().win_chance(estimate)
        return (1 + math.tanh((estimate - self.draw_value()) / unit)) / 2

    def own_estimate(self, s: Any) -> float:
        """The estimate of the game's own evaluation."""
        raise NotImplementedError

    def own_most_gain(self, s: Any, m: int) -> float:
        """An upper bound on how much a move improves the game's own estimate."""
        raise NotImplementedError

    def most_gain_of_both(self, s: Any, m: int) -> float:
        """An upper bound on how much a move improves the sum of the game's own estimate and the learned weights."""
        return self.own_most_gain(s, m) + self.most_change[0]

    def sum_for_max(self, s: Any) -> float:
        """The sum of the weights. Positive values are good for Max."""
        boards, first = self.contents(s), self.stage(s) * self.stage_size
        total = self.sum_by_cells(boards, first) if self.is_by_cell else self.sum_by_places(boards, first)
        return -total if self.player(s) == MIN else total

    def sum_by_places(self, boards: tuple[Board64, ...], first: int) -> float:
        """Sum the weights of all places for the side to move. The weights of the current stage begin at index
        `first`."""
        total = 0.0
        for place in range(self.pattern_count):
            total += self.pattern_weights[first + self.weight_number(boards, place)]
        return total

    def sum_by_cells(self, boards: tuple[Board64, ...], first: int) -> float:
        """Sum the weights of occupied cells. The patterns must be single cells. This method is faster than
        `sum_by_places` if most cells are empty, as in chess."""
        total = 0.0
        for i in range(len(boards)):
            left = boards[i] & self.known_cells
            while left != 0:
                cell = high_bit_index(left)
                total += self.pattern_weights[first + int(self.first_of_cell[cell]) + i + 1]
                left &= ~(1 << cell)
        return total


@dataclass(frozen=True)
class Patterns:
    """The patterns of a game, and the tables for looking up their weights."""

    cells: tuple[tuple[int, ...], ...]
    """The cells of each pattern. The content of the first cell is the lowest digit of the weight index."""
    things: int  # the number of possible contents of a cell, including an empty cell
    stages: int
    maps: tuple[Mapping[int, int], ...]  # the image of each cell under each symmetry
    located: Mapping[int, Place]  # the row and column of each cell

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of weights of each pattern in one stage."""
        return tuple(self.things ** len(each) for each in self.cells)

    @property
    def size(self) -> int:
        """The total number of weights."""
        return self.stages * sum(self.sizes)

    @cached_property
    def places(self) -> list[tuple[int, tuple[int, ...]]]:
        """All places of the patterns. A place consists of the index of its pattern and a tuple of cells. A symmetry
        maps the pattern's cells to these cells, in the same order.

        If two symmetries map a pattern to the same cells in different orders, only the first order is listed. `twins`
        links the weights that must be equal.
        """
        found: dict[tuple[int, frozenset[int]], tuple[int, tuple[int, ...]]] = {}
        for number, cells in enumerate(self.cells):
            for taken in self.maps:
                image = tuple(taken[cell] for cell in cells)
                found.setdefault((number, frozenset(image)), (number, image))
        return list(found.values())

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The attributes of `PatternEvaluation` that follow from the patterns."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        digits, first_digits, known = list[int](), list[int](), dict[tuple[int, ...], int]()
        for _, cells in self.places:
            order = tuple(cells.index(cell) for cell in sorted(cells))
            if order not in known:
                known[order] = len(digits)
                powers = [self.things**place for place in order]
                digits += [
                    sum(power for i, power in enumerate(powers) if bits >> i & 1) for bits in range(1 << len(order))
                ]
            first_digits.append(known[order])
        masks = [sum(1 << cell for cell in cells) for _, cells in self.places]
        first_of = {cells[0]: int(starts[number]) for number, cells in self.places}
        return {
            "pattern_count": len(self.places),
            "masks": BoardTable(masks),
            "digits": BoardTable(digits),
            "first_digits": BoardTable(first_digits),
            "first_weights": BoardTable(int(starts[number]) for number, _ in self.places),
            "stage_size": int(starts[-1]),
            "is_by_cell": self.is_by_cell,
            "known_cells": functools.reduce(operator.or_, masks),
            "first_of_cell": BoardTable(first_of.get(cell, 0) for cell in range(64)),
        }

    @cached_property
    def is_by_cell(self) -> bool:
        """Whether every pattern consists of one cell, and every cell belongs to at most one place."""
        cells = [each for _, each in self.places]
        return set(map(len, cells)) == {1} and len(set(cells)) == len(cells)

    @cached_property
    def neighbors(self) -> Any:
        """Pairs of weights that should be similar. All patterns must be single cells. The array has a row for each
        pair. Both weights of a pair are for the same piece. Their cells are neighbors, or their stages are
        successive."""
        first, width = {cell: self.things * number for number, (cell,) in self.places}, sum(self.sizes)
        beside = {tuple(sorted((first[a], first[b]))) for a in first for b in first if is_beside(self.located, a, {b})}
        cells = np.array(sorted(beside - {(number, number) for number in first.values()}), np.int64).reshape(-1, 2)
        here = (cells[:, None, :] + np.arange(1, self.things)[:, None]).reshape(-1, 2)
        things = np.setdiff1d(np.arange(width), list(first.values()))
        following = np.stack([things, things + width], axis=1)
        every = [here + width * stage for stage in range(self.stages)]
        return np.concatenate(every + [following + width * stage for stage in range(self.stages - 1)])

    @cached_property
    def least_twins(self) -> Any:
        """For each weight of a stage, the smallest index among the weights that symmetry makes equal to it. Usually
        this is its own index."""
        found, start = list[Any](), 0
        for cells, size in zip(self.cells, self.sizes, strict=True):
            orders = {
                tuple(cells.index(taken[cell]) for cell in cells)
                for taken in self.maps
                if {taken[cell] for cell in cells} == set(cells)
            }
            found.append(start + np.min([self.reorder(np.arange(size), order) for order in orders], axis=0))
            start += size
        return np.concatenate(found)

    @cached_property
    def twins(self) -> Any:
        """For each weight of a stage, the next weight that symmetry makes equal to it. So the weights that are equal by
        symmetry form a cycle. A weight may be alone in its cycle."""
        least = self.least_twins
        by_circle = np.argsort(least, kind="stable")
        is_last = np.append(least[by_circle][1:] != least[by_circle][:-1], True)
        following, found = np.append(by_circle[1:], 0), np.empty_like(least)
        following[is_last] = by_circle[np.append(True, is_last[:-1])]
        found[by_circle] = following
        return found

    def reorder(self, numbers: Any, order: tuple[int, ...]) -> Any:
        """The weight indices, with digit i of each index moved to position `order[i]`."""
        return sum(numbers // self.things**i % self.things * self.things**place for i, place in enumerate(order))


def patterns_of(game: Game, cells: tuple[tuple[int, ...], ...]) -> Patterns:
    """Patterns of a game; raises GamesearchError if the cells are not valid."""
    if not isinstance(game, PatternGame):
        raise GamesearchError(
            f"{game.name} has no cells for patterns: derive the game from gamesearch.optional.PatternGame, and define "
            "two methods. contents(self, s) must return a board for each kind of content, and cells_of_patterns(self) "
            "must return the place of each cell"
        )
    places = game.cells_of_patterns()
    if max(places) >= WIDEST:
        raise GamesearchError(
            f"{game.name} has cells with numbers up to {max(places)}, but patterns support only cells 0 to {WIDEST - 1}"
        )
    for each in cells:
        if not each or len(each) > MOST_CELLS or len(set(each)) < len(each) or not set(each) <= places.keys():
            raise GamesearchError(
                f"{game.name} cannot have a pattern of the cells {', '.join(map(str, each))}: a pattern must have 1 to "
                f"{MOST_CELLS} different cells, with numbers from {min(places)} to {max(places)}"
            )
    things = len(game.contents(game.initial())) + 1
    found = Patterns(cells, things, game.stages, symmetry_maps(places, game.pattern_symmetry), places)
    if not cells or found.size > MOST_WEIGHTS:
        raise GamesearchError(f"patterns must have from 1 to {MOST_WEIGHTS:,} weights, not {found.size:,}")
    return found


def symmetry_maps(places: Mapping[int, Place], symmetry: str) -> tuple[Mapping[int, int], ...]:
    """The image of each cell under each symmetry of a board."""
    numbers = {place: cell for cell, place in places.items()}
    last_row, last_column = (max(each[axis] for each in numbers) for axis in (0, 1))

    def image_of(text: str, row: int, column: int) -> int:
        values = {"r": row, "R": last_row - row, "c": column, "C": last_column - column}
        return numbers[values[text[0]], values[text[1]]]

    return tuple({cell: image_of(text, *place) for cell, place in places.items()} for text in SYMMETRIES[symmetry])


def choose_cells(game: Game, text: str, seed: int) -> tuple[tuple[int, ...], ...]:
    """The cells of the patterns that a text names. "own" means the patterns of the game, and "16x6" means 16 random
    patterns of 6 cells."""
    if not isinstance(game, PatternGame):
        return patterns_of(game, ()).cells  # raises an error
    if text == "own":
        if not game.patterns():
            raise GamesearchError(f"{game.name} does not define patterns: use random patterns, for example 16x6")
        return game.patterns()
    numbers = re.fullmatch(r"([1-9]\d{0,2})x([1-9]\d?)", text)
    if numbers is None:
        raise GamesearchError(
            f"patterns must be `own` or, for example, 16x6 (16 random patterns of 6 cells), not {text!r}"
        )
    count, length = map(int, numbers.groups())
    places = game.cells_of_patterns()
    if length > min(MOST_CELLS, len(places)):
        raise GamesearchError(f"a pattern can have at most {min(MOST_CELLS, len(places))} cells, not {length}")
    return random_cells(places, count, length, random.Random(f"patterns {seed}"))


def random_cells(
    places: Mapping[int, Place], count: int, length: int, source: random.Random
) -> tuple[tuple[int, ...], ...]:
    """Random patterns of connected cells. Each pattern begins at a random cell and grows by random neighbors (Lucas
    2008)."""
    found: list[tuple[int, ...]] = []
    for _ in range(20 * count):  # limited, because a small board may have fewer patterns than `count`
        cells = {source.choice(sorted(places))}
        while len(cells) < length:
            beside = [each for each in sorted(places) if each not in cells and is_beside(places, each, cells)]
            cells.add(source.choice(beside or [each for each in sorted(places) if each not in cells]))
        pattern = tuple(sorted(cells))
        if pattern not in found:
            found.append(pattern)
        if len(found) == count:
            break
    return tuple(found)


def is_beside(places: Mapping[int, Place], cell: int, cells: set[int]) -> bool:
    """Whether a cell is adjacent (also diagonally) to one of the given cells."""
    row, column = places[cell]
    return any(max(abs(row - places[each][0]), abs(column - places[each][1])) == 1 for each in cells)


def derive_pattern_class(
    cls: type[Game],
    patterns_for: Callable[[Game], tuple[Patterns, Any]],
    name: str,
    load_class: Callable[[], type] | None,
    predictions: tuple[Prediction, ...] = (),
    unit_of_sum: float = 0.0,
    most_change: float = 0.0,
    adds_to_own: bool = False,
) -> type[Game]:
    """Derive a class from a game's class: the new class evaluates positions with patterns.

    `patterns_for` returns the patterns and the weights for a game. `name` is the value of `weights` in the
    specification of the game. If there are `predictions`, ProbCut is enabled. `unit_of_sum`, `most_change` and
    `adds_to_own` have the same meaning as in `PatternEvaluation`.
    """

    def attributes(game: Game) -> dict[str, Any]:
        patterns, weights = patterns_for(game)
        return {
            **patterns.tables,
            "largest_estimate": LARGEST_ESTIMATE * half_range(game),
            "unit_of_sum": (unit_of_sum,),
            "most_change": (most_change,),
            "adds_to_own": adds_to_own,
            "pattern_weights": weights,
        }

    facts: dict[str, Any] = {"own_estimate": cls.evaluate, "predictions": PatternEvaluation.predictions}
    if adds_to_own and issubclass(cls, SelectiveGame):
        facts |= {"own_most_gain": cls.most_gain, "most_gain": PatternEvaluation.most_gain_of_both}
    if predictions and issubclass(cls, TunedGame):
        parts_off = tuple(each for each in cls.parts_off if each != "probcut")
        facts |= {"learned_predictions": predictions, "parts_off": parts_off}
    return derive_class(cls, PatternEvaluation, attributes, name, load_class, facts)
