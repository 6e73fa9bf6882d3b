"""Test suites: an algorithm answers positions whose answers are known; how many are right, and how long it takes."""

import functools
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.study.suite_files import Problem, loaded
from gamesearch.support.interrupts import starting_processes

__all__ = ["Answer", "answers", "judged"]


@dataclass(frozen=True)
class Answer:
    """What an algorithm said of a problem; plain, so that another process can give it."""

    problem: Problem
    move: str
    """The move as people write it; empty where there was none."""
    value: float | None
    """For the player to move."""
    is_right: bool
    depth: int
    nodes: int
    seconds: float
    nodes_to_answer: int
    """The nodes after which it had the move that it stayed with."""
    seconds_to_answer: float
    stopped: str
    is_estimate: bool = False
    """Whether the game's evaluation decides the value."""


class Deepening(Monitor):
    """Notes since which finished depth the best move has been the same."""

    def __init__(self, outer: Monitor | None) -> None:
        super().__init__(poll=self.asked, finished=self.note_depth)
        self.outer = outer
        self.since: SearchResult | None = None

    def asked(self, progress: Any) -> bool:
        """Whether to stop, as whoever watches all searches says."""
        if self.outer is None:
            return False
        self.outer.interrupted = self.outer.interrupted or self.interrupted
        return self.outer.poll(progress)

    def note_depth(self, result: SearchResult) -> None:
        """A depth is finished."""
        if self.since is None or self.since.best != result.best:
            self.since = result


def answer(problem: Problem, algorithm: str, limits: Limits, speed: str, outer: Monitor | None = None) -> Answer:
    """The answer of an algorithm to a problem; a finished game is not searched."""
    game, state = loaded(problem.game).setup(problem.position)
    if game.terminal(state):
        payoff = float(game.utility(state)) * (1 if game.player(state) == MAX else -1)
        return Answer(problem, "", payoff, is_over_as_known(problem, game, payoff), 0, 0, 0.0, 0, 0.0, "")
    chosen, watch = load_algorithm(algorithm), Deepening(outer)
    if limits.time is not None and chosen.can_deepen:
        chosen.deepen = True
    result = search_with(game, state, chosen, limits, speed=speed, monitor=watch)
    if outer is not None:
        outer.interrupted = outer.interrupted or watch.interrupted
    since = watch.since if watch.since is not None and watch.since.best == result.best else result
    value = result.value if isinstance(result.value, float) else None
    return Answer(
        problem=problem,
        move="" if result.best is None else game.move_name(state, result.best),
        value=value if value is None or game.player(state) == MAX else -value,
        is_right=judged(problem, game, state, result),
        depth=result.statistics.depth,
        nodes=result.statistics.nodes,
        seconds=result.statistics.seconds,
        nodes_to_answer=since.statistics.nodes,
        seconds_to_answer=since.statistics.seconds,
        stopped=result.stopped,
        is_estimate=result.value is not None and result.bound == "exact" and not result.is_proven,
    )


def judged(problem: Problem, game: Game[Any], state: Any, result: SearchResult) -> bool:
    """Whether a result is the answer to a problem."""
    if problem.score is not None:
        return result.value == (problem.score if game.player(state) == MAX else -problem.score)
    if problem.best and result.best not in {game.parse_move(state, name) for name in problem.best}:
        return False
    if problem.avoid and (result.best is None or result.best in {game.parse_move(state, n) for n in problem.avoid}):
        return False
    if problem.mate is not None:
        wins = (problem.mate > 0) == (game.player(state) == MAX)
        most = 2 * problem.mate - 1 if problem.mate > 0 else -2 * problem.mate
        is_won = result.value == float(game.MAXSCORE if wins else game.MINSCORE)
        return is_won and result.distance is not None and result.distance <= most
    return True


def is_over_as_known(problem: Problem, game: Game[Any], value: float) -> bool:
    """Whether a finished game, worth `value` to the player to move, is what a problem says."""
    if problem.mate is not None:
        return problem.mate == 0 and value == game.MINSCORE
    return problem.score is not None and value == problem.score


def answers(
    problems: Sequence[Problem],
    algorithm: str,
    limits: Limits,
    *,
    speed: str = "auto",
    workers: int = 1,
    monitor: Monitor | None = None,
) -> Iterator[Answer]:
    """Yield the answer to each problem, in their order; with several workers, in processes of their own."""
    load_algorithm(algorithm).fits(loaded(problems[0].game))
    work = [functools.partial(answer, problem, algorithm, limits, speed) for problem in problems]
    yield from (answers_of_processes(work, workers, monitor) if workers > 1 else answers_here(work, monitor))


def answers_here(work: Sequence[Callable[[Monitor | None], Answer]], monitor: Monitor | None) -> Iterator[Answer]:
    """Yield what this process answers, up to the search that Ctrl-C stops."""
    for number, each in enumerate(work, 1):
        if monitor is not None:
            monitor.stage = f"{number} of {len(work)}"
        try:
            found = each(monitor)
        except KeyboardInterrupt:  # which came between two searches
            if monitor is None or monitor.interrupted:
                raise
            monitor.interrupted = True
        if monitor is not None and monitor.interrupted:
            return
        yield found


def answers_of_processes(
    work: Sequence[Callable[[Monitor | None], Answer]], workers: int, monitor: Monitor | None
) -> Iterator[Answer]:
    """Yield what processes answer; after Ctrl-C, which ends them at once, what was done by then."""
    # New processes, not copies of this one: Numba's threads do not survive being copied.
    executor = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    with starting_processes():
        answered = [executor.submit(each, None) for each in work]
    number = 0
    try:
        for number, each in enumerate(answered):
            if monitor is not None:
                monitor.stage = f"{number + 1} of {len(work)}"
            yield each.result()
    except KeyboardInterrupt:
        if monitor is None or monitor.interrupted:
            raise
        monitor.interrupted = True
        ended = [each for each in answered[number:] if each.done() and not each.cancelled()]
        yield from (each.result() for each in ended if each.exception() is None)
    except BrokenExecutor:
        raise GamesearchError("a process of --workers has ended: is there enough memory for so many?") from None
    finally:
        for process in list((executor._processes or {}).values()):
            process.kill()
        executor.shutdown(wait=True, cancel_futures=True)
