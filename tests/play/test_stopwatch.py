"""What counts as a player's time: compiling does not, whoever wrote the algorithm."""

import time
from types import SimpleNamespace
from typing import Any

from numba.core import event

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, SearchResult, Statistics
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.play.matches.game_task import TIME, GameTask, Opening, Terms
from gamesearch.play.matches.referee import Referee
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.registry import load


class Slow(Algorithm):
    """A person's own class: once it compiles something for a second, or does nothing for that long, and says 0."""

    name, summary, source = "slow", "a slow one", "nowhere"

    def __init__(self, compiles: bool = True) -> None:
        self.compiles, self.searches = compiles, list[Limits]()

    def search(self, runner: Runner, state: Any) -> SearchResult:
        self.searches.append(runner.limits)
        if len(self.searches) == 1 and self.compiles:
            kernel = SimpleNamespace(py_func=self.search)
            with event.trigger_event("numba:compile", data={"dispatcher": kernel}):
                time.sleep(1)
        elif len(self.searches) == 1:
            time.sleep(1)
        return SearchResult("slow", None, "exact", runner.game.steps(state)[0], (), Statistics(seconds=0.0))


def reason_of(algorithm: Algorithm) -> str:
    """Why a game ends in which each move has half a second."""
    game, terms = load("tictactoe"), Terms(time=0.1, margin=0.4, speed="interpreted")
    players = [AlgorithmPlayer(each, "interpreted") for each in (algorithm, load_algorithm("random(seed=1)"))]
    task = GameTask(0, "tictactoe", ("slow", "random"), ("slow", "random"), Opening(), 1, terms)
    return Referee(game, task, players, lambda *_: None).play().reason


def test_compiling_is_no_thinking_in_a_class_of_ones_own() -> None:
    assert reason_of(Slow()) == ""
    assert reason_of(Slow(compiles=False)) == TIME


def test_a_class_of_ones_own_is_warmed_up_before_the_clocks_run() -> None:
    own = Slow()
    AlgorithmPlayer(own, "interpreted").warm_up(load("tictactoe"))
    assert [limits.depth for limits in own.searches] == [1]
    ours = AlgorithmPlayer(load_algorithm("minimax(depth=9)"), "interpreted")
    ours.warm_up(load("chess"))  # which would take for ever
    assert ours.searcher is None
