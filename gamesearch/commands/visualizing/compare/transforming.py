"""`gamesearch compare --transform`: does a search choose another move if every value is transformed?

Minimax only compares values, so every increasing transformation preserves its choice. Expectiminimax averages values,
so only an increasing linear transformation preserves its choice (Russell and Norvig, section 5.5.1).
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.catalog import exact_algorithm, load_algorithm
from gamesearch.algorithms.engine.formatting import data_number, plural, value_text
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.root.move_values import search_and_value
from gamesearch.cli.consoles import print_found
from gamesearch.cli.messages import say
from gamesearch.cli.progress import show_progress
from gamesearch.cli.reading import read_unfinished
from gamesearch.commands.visualizing.compare.formula import ROUNDING, Formula, parse_formula
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.notation import player_name, zero_sum_words
from gamesearch.optional import StochasticGame, estimate_sees_chance, mark_assumed
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers, view
from gamesearch.toolkit.derived_games import DerivedGame
from gamesearch.toolkit.random_games import random_game

__all__ = ["compare_transformed"]


# The searches. ------------------------------------------------------------------------------------
DEEPEST_BY_DEFAULT = 4
"""The default depth for large games: a move, a roll, a reply and a roll."""
LONGEST = 200
"""The greatest number of moves of a random game."""
MOST_GAMES = 2_000


def compare_transformed(
    game: str, position: str, text: str, depth: int | None, positions: int, only_ascii: bool, as_json: bool
) -> int:
    """Search with the original values and with transformed values, and compare the chosen moves.

    The exit code is 1 if the results contradict the theory.
    """
    formula = parse_formula(text)
    played, state = read_unfinished(game, position, "compare")
    depth = depth or (played.suggested_depth and min(played.suggested_depth, DEEPEST_BY_DEFAULT))
    chosen = []
    say(f"the searches run interpreted: {TransformedGame(played, formula).interpreted_because}")
    with show_progress("comparing") as monitor:
        for number, each in enumerate(positions_of_choice(played, state, positions), 1):
            monitor.stage = f"position {number} of {positions}"
            found = choice_in(played, each, formula, depth, monitor)
            if found is None:
                break
            chosen.append(found)
    print_found(
        transforming_view(played, formula, depth, chosen),
        lambda: transforming_data(played, formula, depth, chosen),
        as_json,
        only_ascii,
    )
    if monitor.interrupted:
        say(f"interrupted after {len(chosen)} of {plural(positions, 'position')}")
        return 130
    values = played.MINSCORE, played.MAXSCORE
    is_kept = formula.is_increasing(*values) and (not played.chance or formula.is_linear(*values))
    return 1 if is_kept and any(each.is_other for each in chosen) else 0


class TransformedGame(DerivedGame, StochasticGame[Any]):
    """A game whose payoffs and estimates are transformed by a formula. If the formula is None, payoffs and estimates
    are unchanged.

    Searches of this game give no bonus for fast wins, because the bonus would change the transformed values.
    """

    def __init__(self, game: Game, formula: Formula | None = None) -> None:
        if game.payoff_count > 1:
            raise GamesearchError(f"a transformation is {zero_sum_words(game)}")
        super().__init__(game)
        self.names, self.win_or_loss, self.formula = game.names, False, formula
        self.estimate_sees_chance = estimate_sees_chance(game)
        self.interpreted_because = "each formula needs a separate compilation"
        if formula is not None:
            ends = formula(game.MINSCORE), formula(game.MAXSCORE)
            self.MINSCORE, self.MAXSCORE = min(ends), max(ends)
            # If the formula is not increasing, its extrema may lie between the ends.
            if not formula.is_increasing(game.MINSCORE, game.MAXSCORE):
                values = formula.sample(game.MINSCORE, game.MAXSCORE)
                self.MINSCORE, self.MAXSCORE = min(values), max(values)

    def transform(self, value: float) -> float:
        """Transform a value of the original game.

        Estimates are first clipped to the range of payoffs, as in searches.
        """
        within = max(float(self.game.MINSCORE), min(float(self.game.MAXSCORE), float(value)))
        return within if self.formula is None else self.formula(within)

    def utility(self, s: Any) -> float:
        """The transformed payoff."""
        return self.transform(self.game.utility(s))

    def evaluate(self, s: Any) -> float:
        """The transformed estimate."""
        return self.transform(self.game.evaluate(s))

    def draw_value(self) -> float:
        """The transformed value of a draw."""
        return self.transform(self.game.draw_value())


@dataclass(frozen=True)
class Choice:
    """The moves of a position, and the value of each move before and after the transformation."""

    state: Any
    moves: tuple[int, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    is_maximizing: bool

    @property
    def best_before(self) -> int:
        """The index of the best move before the transformation; of equally good moves, the first."""
        return self.best(self.before)

    @property
    def best_after(self) -> int:
        """The index of the best move after the transformation; the index of the first one if several are equally
        good."""
        return self.best(self.after)

    def best(self, values: tuple[float, ...]) -> int:
        """The index of the best value for the player to move; the first index if several values are equal."""
        return values.index(max(values) if self.is_maximizing else min(values))

    @property
    def is_other(self) -> bool:
        """Whether the transformation changes the choice. Two moves with equal original values, or with equal
        transformed values, count as the same choice. Rounding errors are ignored."""
        one, other = self.best_before, self.best_after
        return not any(math.isclose(each[one], each[other], rel_tol=ROUNDING) for each in (self.before, self.after))


def choice_in(game: Game, state: Any, formula: Formula, depth: int | None, monitor: Monitor) -> Choice | None:
    """Search all moves of a position, first with the original values and then with the transformed values; returns None
    after an interruption.

    The searches use a transposition table, which saves much time and does not change values.
    """
    algorithm = load_algorithm(exact_algorithm(game), {"distance": False, "table": True})
    found = list[dict[int, float]]()
    for seen in (TransformedGame(game), TransformedGame(game, formula)):
        result = search_and_value(seen, state, algorithm, Limits(depth), speed="interpreted", monitor=monitor)
        if monitor.interrupted:
            return None
        found.append({each.move: float(each.value) for each in result.moves})  # type: ignore[arg-type]
    before, after = found
    moves = tuple(before)
    return Choice(state, moves, tuple(before.values()), tuple(after[each] for each in moves), game.player(state) == MAX)


def positions_of_choice(game: Game, state: Any, count: int) -> Iterator[Any]:
    """Yield up to `count` different positions with several legal moves. They come from random games that begin in the
    given position."""
    source, seen = random.Random("transform 0"), set[Any]()  # always the same games
    for _ in range(MOST_GAMES):
        for s, steps in islice(random_game(game, state, source), LONGEST):
            if game.player(s) != CHANCE and len(steps) > 1 and s not in seen:
                seen.add(s)
                yield s
                if len(seen) == count:
                    return


# The view. ----------------------------------------------------------------------------------------
MOST_SHOWN = 3
"""The view shows at most this many of the positions in which the transformation changes the choice."""


@view
def transforming_view(game: Game, formula: Formula, depth: int | None, chosen: Sequence[Choice]) -> RenderResult:
    """Show the values in the first position. Also show some positions in which the transformation changes the chosen
    move. Name the theorem that explains the result."""
    heading = f"{specification_of(game)}: every payoff and estimate x becomes {formula.text}"
    yield Text(f"{heading}, {'to the end' if depth is None else f'to depth {depth}'}", style="bold")
    if not chosen:
        yield Text("no position was compared")
        return
    others = [each for each in chosen if each.is_other]
    for each in [*chosen[:1], *(each for each in others[:MOST_SHOWN] if each is not chosen[0])]:
        yield Text(f"\n{game.format(each.state)}", style="bold")
        yield table_of_numbers("move", "value", "transformed", rows=move_rows(game, each))
        yield Text(choice_sentence(game, each))
    yield Text("")
    yield Text(f"the chosen move changes in {len(others)} of {plural(len(chosen), 'position')}")
    yield Text(theorem_sentence(game, formula))


def move_rows(game: Game, choice: Choice) -> Iterator[tuple[str | Text, ...]]:
    """Yield a row for each move of a position: its name, its original value and its transformed value. The best value
    in each column is bold."""
    rows = zip(choice.moves, choice.before, choice.after, strict=True)
    for place, (move, *values) in enumerate(rows):
        best, after = (choice.best_before, choice.best_after), game.result(choice.state, move)
        texts = (mark_assumed(game, after, value_text(value)) for value in values)
        cells = (Text(text, "bold" if place == at else "") for text, at in zip(texts, best, strict=True))
        yield game.move_name(choice.state, move), *cells


def choice_sentence(game: Game, choice: Choice) -> str:
    """Return a sentence about two moves: the best move by original values, and the best move by transformed values."""
    best = (choice.best_before, choice.best_after)
    before, after = (game.move_name(choice.state, choice.moves[place]) for place in best)
    who, other = player_name(game, game.player(choice.state)), f", but {after}" if choice.is_other else " and"
    return f"{who} chooses {before} by the original values{other} by the transformed values"


def theorem_sentence(game: Game, formula: Formula) -> str:
    """Return a sentence that says whether the transformation can change choices, and why."""
    least, greatest = game.MINSCORE, game.MAXSCORE
    between = f"between {value_text(float(least))} and {value_text(float(greatest))}"
    if not formula.is_increasing(least, greatest):
        return f"{formula.text} does not increase everywhere {between}, so choices may change"
    if not game.chance:
        return f"minimax only compares values, and {formula.text} increases {between}, so no choice changes"
    if formula.is_linear(least, greatest):
        return f"{formula.text} is linear and increases {between}, so the order of expected values stays the same"
    return f"{formula.text} increases {between}, but is not linear, so the order of expected values may change"


def transforming_data(game: Game, formula: Formula, depth: int | None, chosen: Sequence[Choice]) -> dict[str, Any]:
    """The results as JSON."""
    return {
        "game": specification_of(game),
        "formula": formula.text,
        "depth": depth,
        "increasing": formula.is_increasing(game.MINSCORE, game.MAXSCORE),
        "linear": formula.is_linear(game.MINSCORE, game.MAXSCORE),
        "chance": game.chance,
        "changed": sum(each.is_other for each in chosen),
        "positions": [choice_data(game, each) for each in chosen],
    }


def choice_data(game: Game, choice: Choice) -> dict[str, Any]:
    """A position and its moves, with their original and transformed values, as JSON."""
    names = [game.move_name(choice.state, move) for move in choice.moves]
    rows = zip(names, choice.before, choice.after, strict=True)
    return {
        "position": game.format(choice.state),
        "other": choice.is_other,
        "best": names[choice.best_before],
        "best_transformed": names[choice.best_after],
        "moves": [
            {"move": name, "value": data_number(before), "transformed": data_number(after)}
            for name, before, after in rows
        ],
    }
