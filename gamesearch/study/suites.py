"""Test suites: files of positions with known answers, which an algorithm should find.

EPD for chess is specified in S. J. Edwards's PGN standard of 1994, section 16.2. OBF is a format of Othello programs:
each line contains a board, and the value of each move for the player to move. The scores of Connect Four positions
follow P. Pons's benchmark. A score is the number of stones that the winner has left at the end, plus one for the last
stone played. A score is negative if the player to move loses.
"""

import functools
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult, value_for_player
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.errors import GamesearchError
from gamesearch.files.whole import Note, ignore_note, read_text
from gamesearch.game import MAX, Game
from gamesearch.games.capturing.chess.boards import split_epd
from gamesearch.registry import load
from gamesearch.support.interrupts import block_interrupts, end_workers

__all__ = ["FORMATS", "Answer", "Problem", "answers", "load_once", "read_suite"]


# Files of positions. ------------------------------------------------------------------------------
Number = TypeVar("Number", int, float)
PASSES = ("pa", "ps", "pass")

LARGEST = 100_000_000


@dataclass(frozen=True)
class Problem:
    """A position with its known answer. All fields are texts or numbers, so a problem can be sent to another
    process."""

    name: str
    game: str
    position: str
    best: tuple[str, ...] = ()  # the best moves; empty if the file does not name best moves
    avoid: tuple[str, ...] = ()
    mate: int | None = None
    """The number of moves to the mate; negative if the opponent mates, 0 if the player to move is mated."""
    values: Mapping[str, float] = field(default_factory=dict)  # the value of each move for the player to move
    score: int | None = None
    """The score of a Connect Four position: positive if the player to move wins, and greater if the win is earlier."""

    @property
    def expected(self) -> str:
        """The known answer, as a text for users."""
        parts = [
            " ".join(self.best),
            f"not {' '.join(self.avoid)}" if self.avoid else "",
            f"mate in {self.mate}" if self.mate is not None else "",
            f"score {self.score:+d}".replace("+0", "0") if self.score is not None else "",
        ]
        return ", ".join(part for part in parts if part)


Report = Callable[[int, str], object]
"""A function that is called for each unreadable line. Its arguments are the number of the line and the error."""


def read_suite(path: str, game: str = "", report: Report | None = None, note: Note = ignore_note) -> list[Problem]:
    """Read the problems of a file. The file's suffix determines the format. It also determines the game if no `game` is
    given.

    Unreadable lines are reported and skipped. If `report` is None, the first unreadable line raises GamesearchError.
    Raises GamesearchError if the file contains no test positions. `note` is called with notices for the user.
    """
    suffix = Path(path).suffix.casefold()
    if suffix not in FORMATS:
        raise GamesearchError(f"{path} must end in {', '.join(FORMATS)} (positions of chess, Othello or Connect Four)")
    read, usual = FORMATS[suffix]
    found, problem = [], ""
    for number, line in enumerate(read_text(path, "a test suite", LARGEST, note).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(("#", "%")):
            continue
        try:
            each = read(line.strip(), f"{number}", game or usual)
            check_problem(each)
        except GamesearchError as error:
            problem = problem or f"line {number} of {path} cannot be read: {error}"
            if report is None:
                raise GamesearchError(problem) from None
            report(number, str(error))
        else:
            found.append(each)
    if not found:
        raise GamesearchError(problem or f"{path} has no positions")
    return found


@functools.lru_cache(maxsize=4)
def load_once(game: str) -> Game:
    """Load a game. A process loads each game only once for all its problems."""
    return load(game)


def check_problem(problem: Problem) -> None:
    """Raise GamesearchError if the position or a move is illegal, or if a position with `dm 0` is not mate."""
    game, state = load_once(problem.game).setup(problem.position)
    if problem.mate == 0 and not game.terminal(state):
        move = game.move_name(state, game.steps(state)[0])
        raise GamesearchError(f"dm 0 means that the player to move is mated, but {move} is legal")
    for name in (*problem.best, *problem.avoid):
        game.parse_move(state, name)


def read_epd(line: str, number: str, game: str) -> Problem:
    """Parse a chess position with the operations `bm` (best move), `am` (avoid), `dm` (mate in) and `id`."""
    fields, operations = split_epd(line)
    if len(fields) < 4:
        raise GamesearchError("a line of EPD needs four fields and at least one operation, for example bm Qg6;")
    if not operations.keys() & {"bm", "am", "dm"}:
        raise GamesearchError("the line has none of the operations `bm`, `am` and `dm`")
    moves = {name: tuple(operations[name].replace(",", " ").split()) for name in ("bm", "am") if name in operations}
    for name in moves:
        if not moves[name]:
            raise GamesearchError(f"the operation {name} has no move")
    return Problem(
        name=operations.get("id", number),
        game=game,
        position=" ".join([*fields, "0", "1"] if len(fields) == 4 else fields),
        best=moves.get("bm", ()),
        avoid=moves.get("am", ()),
        mate=number_in(operations["dm"], int, "`dm` must be followed by a number of moves")
        if "dm" in operations
        else None,
    )


def read_obf(line: str, number: str, game: str) -> Problem:
    """Parse a line with an Othello board, the side to move, and moves with their values. A comment begins with %."""
    board, *rest = (part.strip() for part in line.partition("%")[0].split(";"))
    values = {}
    for part in rest:
        if part:
            move, colon, value = part.partition(":")
            if not colon:
                raise GamesearchError(f"{part!r} is not a move with its value: write, for example, G8:+18")
            name = move.strip().casefold()
            values["pass" if name in PASSES else name] = number_in(
                value, float, f"{part!r} has no value: write, for example, G8:+18"
            )
    if not values:
        raise GamesearchError("the line has no move with a value: write, for example, G8:+18;")
    best = tuple(move for move, value in values.items() if value == max(values.values()))
    return Problem(number, game, board, best=best, values=values)


def read_scores(line: str, number: str, game: str) -> Problem:
    """Parse a line with a Connect Four position (the columns played so far) and the position's score."""
    words = line.split()
    if len(words) != 2:
        raise GamesearchError("a line must have columns and a score, such as 4453 7")
    return Problem(
        number,
        game,
        words[0],
        score=number_in(words[1], int, f"{words[1]!r} is not a score: write a number, for example 7"),
    )


def number_in(text: str, kind: Callable[[str], Number], problem: str) -> Number:
    """Convert a text to a number. Raises GamesearchError with the message `problem` if the text is not a number."""
    try:
        return kind(text)
    except ValueError:
        raise GamesearchError(problem) from None


FORMATS: dict[str, tuple[Callable[[str, str, str], Problem], str]] = {
    ".epd": (read_epd, "chess"),
    ".obf": (read_obf, "othello"),
    ".txt": (read_scores, "connect4"),
}
"""Maps each suffix of a file name to the function that reads a line, and to the default game of the positions."""


# Answers. -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Answer:
    """An algorithm's answer to a problem, in a form that can be sent to another process."""

    problem: Problem
    move: str  # the name of the move that the algorithm chose; empty if it chose no move
    value: float | None  # the value that the algorithm found, for the player to move
    is_right: bool
    depth: int
    nodes: int
    seconds: float
    nodes_to_answer: int
    """The number of nodes that the search had visited when its best move changed for the last time."""
    seconds_to_answer: float
    stopped: str
    is_estimate: bool = False  # whether the value is an estimate by the game's evaluation


class BestMoveMonitor(Monitor):
    """A monitor that stores the result of the finished depth at which the best move last changed."""

    def __init__(self, outer: Monitor | None) -> None:
        super().__init__(poll=self.must_stop, finished=self.note_depth)
        self.outer = outer
        self.since: SearchResult | None = None

    def must_stop(self, progress: Any) -> bool:
        """Whether the outer monitor, which monitors all searches of the suite, stops this search."""
        if self.outer is None:
            return False
        self.outer.interrupted = self.outer.interrupted or self.interrupted
        return self.outer.poll(progress)

    def note_depth(self, result: SearchResult) -> None:
        """Store the result of a finished depth, unless the stored result has the same best move."""
        if self.since is None or self.since.best != result.best:
            self.since = result


def answer(problem: Problem, algorithm: str, limits: Limits, speed: str, outer: Monitor | None = None) -> Answer:
    """The answer of an algorithm to a problem. If the game is over, the answer is found without a search."""
    game, state = load_once(problem.game).setup(problem.position)
    if game.terminal(state):
        payoff = value_for_player(game.player(state), float(game.utility(state)))
        return Answer(problem, "", payoff, is_over_as_known(problem, game, payoff), 0, 0, 0.0, 0, 0.0, "")
    chosen, watch = load_algorithm(algorithm), BestMoveMonitor(outer)
    if limits.time is not None and chosen.can_deepen:
        chosen.deepen = True
    result = search_with(game, state, chosen, limits, speed=speed, monitor=watch)
    if outer is not None:
        outer.interrupted = outer.interrupted or watch.interrupted
    since = watch.since if watch.since is not None and watch.since.best == result.best else result
    return Answer(
        problem=problem,
        move="" if result.best is None else game.move_name(state, result.best),
        value=value_for_player(game.player(state), result.value) if isinstance(result.value, float) else None,
        is_right=is_correct(problem, game, state, result),
        depth=result.statistics.depth,
        nodes=result.statistics.nodes,
        seconds=result.statistics.seconds,
        nodes_to_answer=since.statistics.nodes,
        seconds_to_answer=since.statistics.seconds,
        stopped=result.stopped,
        is_estimate=result.value is not None and result.bound == "exact" and not result.is_proven,
    )


def is_correct(problem: Problem, game: Game, state: Any, result: SearchResult) -> bool:
    """Whether a result agrees with the known answer of a problem."""
    if problem.score is not None:
        return result.value == value_for_player(game.player(state), problem.score)
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


def is_over_as_known(problem: Problem, game: Game, value: float) -> bool:
    """Whether the known answer says that the game is over, with the value `value` for the player to move."""
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
    """Yield the answers to all problems in order. If there are several workers, they search in separate processes."""
    load_algorithm(algorithm).fits(load_once(problems[0].game))
    work = [functools.partial(answer, problem, algorithm, limits, speed) for problem in problems]
    yield from (answers_of_processes(work, workers, monitor) if workers > 1 else answers_here(work, monitor))


def answers_here(work: Sequence[Callable[[Monitor | None], Answer]], monitor: Monitor | None) -> Iterator[Answer]:
    """Search in this process, and yield the answers until the user presses Ctrl-C."""
    for number, each in enumerate(work, 1):
        if monitor is not None:
            monitor.stage = f"{number} of {len(work)}"
        try:
            found = each(monitor)
        except KeyboardInterrupt:  # Ctrl-C between two searches
            if monitor is None or monitor.interrupted:
                raise
            monitor.interrupted = True
        if monitor is not None and monitor.interrupted:
            return
        yield found


def answers_of_processes(
    work: Sequence[Callable[[Monitor | None], Answer]], workers: int, monitor: Monitor | None
) -> Iterator[Answer]:
    """Yield the answers of worker processes. After Ctrl-C, yield the answers that are ready, and end the processes."""
    # Workers are spawned and not forked, because Numba's threads do not survive a fork.
    executor = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    with block_interrupts():
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
        raise GamesearchError("a worker process has ended: is there enough memory for all --workers?") from None
    finally:
        end_workers(executor)
