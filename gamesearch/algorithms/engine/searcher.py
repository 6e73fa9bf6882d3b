"""The class Searcher: an algorithm that searches positions of one game, one after another."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.repetition import arrangements, is_repeated, is_stuck
from gamesearch.compiler.constants import are_same
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import UserTree

__all__ = ["Searcher", "search_with"]

NO_LIMITS = Limits()


class Searcher:
    """An algorithm that searches positions of one game, and keeps its memory from one search to the next.

    The transposition table and the move ordering are kept, so a later search finds the same value in fewer nodes. At
    the end of a `with` statement, the searcher releases its memory. Other searchers can then use it.

    Raises GamesearchError if the algorithm does not fit the game.
    """

    def __init__(self, game: Game, algorithm: Algorithm, speed: str = "auto") -> None:
        algorithm.fits(game)
        self.game, self.algorithm, self.speed = game, algorithm, speed
        self.runners: dict[int, Runner] = {}
        """Maps each player to a runner, which searches the positions with this player to move. Some algorithms search a
        different game for each player."""
        self.attributes = dict(vars(game))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        if kind is None:  # after an error, a thread may still be writing to the memory
            for runner in {id(runner): runner for runner in self.runners.values()}.values():
                runner.release()

    def search(
        self,
        state: Any,
        limits: Limits | None = None,
        *,
        monitor: Monitor | None = None,
        observer: Observer | None = None,
        past: Sequence[Any] = (),
    ) -> SearchResult:
        """Search a state. `past` contains the earlier states of the game. A search with an observer is interpreted.

        If the state occurs in the game for the third time, and this is a draw by the rules, the result has the value of
        a draw. Raises GamesearchError if the game is over.
        """
        given = limits or NO_LIMITS
        self.check(state, given, past)
        if observer is None:
            runner = self.runner_for(state)
        else:  # an observer must see a whole search, so results of earlier searches are not used
            runner = self.algorithm.runner(self.algorithm.game_to_search(self.game, state), "interpreted")
        runner.start(self.algorithm.limits(self.game, given), monitor=monitor, observer=observer, past=past)
        if isinstance(self.game, UserTree) and self.game.has_unknown:
            runner.judge = functools.partial(self.judge_assumptions, self.game, state)
        try:
            found = runner.judge(self.algorithm.search(runner, state))
        except BaseException:
            self.runners.clear()  # a thread may still be writing to the memory of a runner
            raise
        if not is_repeated(self.game, (*past, state)):
            return found
        value = float(self.game.draw_value())  # the game is already drawn, but the best move is kept
        return replace(found, value=value, bound="exact", distance=None, sees_the_end=True)

    def judge_assumptions(self, tree: UserTree, state: Any, found: SearchResult) -> SearchResult:
        """Correct the result for a tree with unknown payoffs. The search assumed values for these payoffs. If the value
        depends on them, the result is marked as assumed. Otherwise, some move is best for all possible payoffs, and the
        result shows such a move."""
        if not found.sees_the_end or not tree.is_determined(state, self.algorithm.game_to_search(tree, state)):
            return replace(found, is_assumed=True)
        certain = tree.certain_moves(state)
        if found.best is None or found.best in certain:
            return found
        return replace(found, best=certain[0], line=(certain[0],))

    def check(self, state: Any, limits: Limits, past: Sequence[Any]) -> None:
        """Raise GamesearchError if the game is over, every move is forbidden, or the depth limit is too small."""
        game = self.game
        if game.terminal(state):
            raise GamesearchError(f"the game is over in {game.format(state)!r}: there is nothing to search")
        if is_stuck(game, state, arrangements(game, past)):
            raise GamesearchError(
                f"every move in {game.format(state)!r} repeats a position and is forbidden: the game is a draw"
            )
        if limits.depth is not None and limits.depth < (0 if self.algorithm.searches_beyond_horizon(game) else 1):
            raise GamesearchError(f"the depth of a search must be at least 1 ply, not {limits.depth}")

    def runner_for(self, state: Any) -> Runner:
        """The runner for a search of a state. Runners are kept for later searches, unless the game has changed."""
        if not are_same(vars(self.game), self.attributes):
            self.attributes = dict(vars(self.game))
            self.runners.clear()
        player = self.game.player(state)
        if player not in self.runners:
            seen = self.algorithm.game_to_search(self.game, state)
            shared = next(iter(self.runners.values()), None) if seen is self.game else None
            self.runners[player] = shared or self.algorithm.runner(seen, self.speed)
        return self.runners[player]


def search_with(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
    observer: Observer | None = None,
    past: Sequence[Any] = (),
) -> SearchResult:
    """Search one state; see `Searcher.search`."""
    with Searcher(game, algorithm, speed) as searcher:
        return searcher.search(state, limits, monitor=monitor, observer=observer, past=past)
