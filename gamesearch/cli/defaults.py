"""Choose the algorithm, the evaluation and the limits of a search if the user does not specify them."""

import functools
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.catalog import exact_algorithm, load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import check_depth
from gamesearch.algorithms.engine.result import Limits, MoveValue, SearchResult
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.cli.options import LEARNED
from gamesearch.compiler import why_interpreted
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.players.booked import NO_BOOK, BookPlayer
from gamesearch.play.players.loading import best_play, with_threads
from gamesearch.play.players.player import Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.registry import load, specification_of
from gamesearch.specification import format_specification, parse_specification, parse_value

__all__ = ["SearchSettings", "answer_from_book", "choose_search", "depth_limit", "parse_depth"]

USUAL_NODES = 100_000  # the default limit on nodes, which takes less than a second and makes results repeatable


@dataclass(frozen=True)
class SearchSettings:
    """How a position is searched: the game, the algorithm, the limits and the opening book."""

    named: Game  # the game that the user named
    game: Game  # the game with the evaluation that the search uses
    algorithm: Algorithm
    limits: Limits  # the limits that the user gave, or USUAL_NODES nodes for the algorithm of the strongest level
    book: str = NO_BOOK  # the opening book, in which the position is looked up before a search
    has_usual_limit: bool = False

    @functools.cached_property
    def game_text(self) -> str:
        """The specification of the game in `named`."""
        return specification_of(self.named)


def choose_search(
    game: Game, text: str, evaluation: str | None, limits: Limits, *, is_recorded: bool = False
) -> SearchSettings:
    """Choose the algorithm, the evaluation and the limits of a search.

    If the user names no algorithm, the choice depends on the game. If the game is small enough to be searched to its
    end, a textbook algorithm is chosen, such as `alphabeta`. Otherwise, the algorithm of the computer's strongest level
    is chosen. An algorithm that the user names uses the game's own evaluation, unless `evaluation` is `learned`. A
    recorded search runs interpreted, which is slow, so it stops at the game's suggested depth instead of after
    USUAL_NODES nodes.

    Raises GamesearchError if the algorithm, the evaluation and the game do not fit together.
    """
    if evaluation is not None and game.tuned_attributes():
        raise GamesearchError(f"{specification_of(game)} already specifies an evaluation: leave out --evaluation")
    best, textbook = best_play(game), exact_algorithm(game)
    is_best = not text and game.suggested_depth is not None
    name = text or (best.algorithm if is_best else textbook)
    if is_best and limits.depth is not None and not load_algorithm(name).has_depth:
        name = textbook
    is_unlimited = limits == Limits()
    has_usual_limit = (
        is_best and is_unlimited and not is_recorded and name != textbook and why_interpreted(game) is None
    )
    if has_usual_limit and load_algorithm(name).can_deepen:
        limits = replace(limits, nodes=USUAL_NODES)
    else:
        has_usual_limit = False
    if name == best.algorithm and not text and limits.time is not None and limits.nodes is None and not is_recorded:
        name = with_threads(name)
    algorithm = load_algorithm(name)
    may_stop = limits.time is not None or (limits.nodes is not None and limits.depth is None)
    if may_stop and algorithm.can_deepen and "deepen" not in parse_specification(name).parameters:
        algorithm.deepen = True
    algorithm.takes(limits)
    algorithm.fits(game)
    searched_game = best.game if evaluation == LEARNED or (evaluation is None and not text) else game
    if evaluation == LEARNED and not best.is_learned:
        searched_game = load(format_specification(type(game).name, game.parameters() | {"weights": LEARNED}))
    book = best.book if is_best and evaluation is None else NO_BOOK
    return SearchSettings(game, searched_game, algorithm, limits, book, has_usual_limit)


def answer_from_book(game: Game, state: Any, book: str, algorithm: Algorithm) -> SearchResult | None:
    """Answer a position from an opening book; None if the book has no move for it. The answer contains
    values of the moves only if the book has an exact value for every move."""
    if book == NO_BOOK or game.terminal(state):
        return None
    player = book_player(specification_of(game), algorithm.specification, book)
    found = player.from_book(Turn(game, (state,), ()))
    bounds = {move: player.book.bounds(game.result(state, move)) for move in game.steps(state)}
    if found is None or any(lower != upper for lower, upper in bounds.values()):
        return found
    return replace(found, moves=tuple(MoveValue(move, each.lower) for move, each in bounds.items()))


@functools.lru_cache(maxsize=2)
def book_player(game: str, algorithm: str, book: str) -> BookPlayer:
    """A player with an opening book. The book is read only once, even for many positions."""
    return BookPlayer(AlgorithmPlayer(load_algorithm(algorithm)), book, load(game))


def parse_depth(text: str | None) -> int | str | None:
    """Parse the value of --depth: a number of plies, or `full`."""
    return None if text is None else check_depth(parse_value(text) or 0)


def depth_limit(text: str | None) -> int | None:
    """Return the depth limit that the value of --depth specifies; None without --depth."""
    depth = parse_depth(text)
    return FULL_DEPTH if depth == "full" else None if depth is None else int(depth)
