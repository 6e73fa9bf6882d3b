"""A player that chooses its moves by an algorithm. It keeps the results of its searches from move to move."""

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import Searcher, search_with
from gamesearch.compiler import speed_for
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.play.clock import Clock, read_clock
from gamesearch.play.players.player import IllegalAnswerError, Player, Turn
from gamesearch.registry import specification_of
from gamesearch.specification import format_specification, parse_specification
from gamesearch.toolkit.bits import mix

__all__ = ["SEEING", "TO_PREPARE", "AlgorithmPlayer", "limits_by_clock"]

TO_PREPARE = Limits(depth=1, time=1.0, nodes=1_000)
"""The limits of a search that compiles or loads code. The time limit stops endless loops in the user's files."""
A_DAY = 86_400.0
SEEING = "seeing"  # the name, in specifications, of a player that uses the evaluation of another game


class AlgorithmPlayer(Player):
    """An algorithm that plays, and keeps the results of its searches during a game. After undo and in a new game, the
    results are dropped, because they could change the choice between equally good moves."""

    def __init__(
        self, algorithm: Algorithm, speed: str = "auto", clock: str = "", evaluation_game: Game | None = None
    ) -> None:
        """`evaluation_game` is the same game with another evaluation, such as `chess(values=lasker)` in a chess match.
        Both games must have the same states."""
        self.algorithm: Algorithm = algorithm
        self.is_own = not type(algorithm).__module__.startswith("gamesearch.")
        self.specification, self.own_clock = algorithm.specification, read_clock(clock) if clock else None
        if clock:
            parsed = parse_specification(self.specification)
            self.specification = format_specification(parsed.name, {**parsed.parameters, "time": clock})
        self.evaluation_game = evaluation_game
        if evaluation_game is not None:
            parts = {"game": specification_of(evaluation_game), "algorithm": self.specification}
            self.specification = format_specification(SEEING, parts)
        self.clocks: dict[int, Clock] = {}  # the player's own clock for each side, in games without a clock
        self.is_search, self.needs_seed = algorithm.is_search, algorithm.needs_seed
        self.own_time = algorithm.time or None
        self.has_limit = bool(clock or algorithm.time or algorithm.depth or getattr(algorithm, "playouts", 0))
        self.speed = speed
        self.searcher: Searcher | None = None
        self.searched_states: list[Any] = []  # the states of the match when the player last searched
        self.line: tuple[int, ...] = ()  # the principal variation of the last search
        self.pondering: PonderingSearch | None = None

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Search the present position. A random algorithm without a seed gets a seed that depends on the match and the
        side."""
        self.stop_pondering()
        turn = replace(turn, game=self.evaluation_game or turn.game)
        algorithm = self.algorithm.copy_with(seed=mix((turn.seed, turn.mover))) if self.needs_seed else self.algorithm
        if self.searcher is None or not self.continues(self.searcher, algorithm, turn):
            self.forget()
            self.searcher = Searcher(turn.game, algorithm, self.speed)
        self.searched_states = list(turn.states)
        own = self.clock(turn)
        limits = self.limits(turn if own is None else replace(turn, clock=own))
        found = self.searcher.search(turn.state, limits, monitor=monitor, past=turn.past)
        if own is not None:
            self.clocks[turn.mover] = own.after(turn.mover, min(own.remaining[turn.mover], found.statistics.seconds))
        if found.best is None and not found.stopped:
            raise IllegalAnswerError(
                f"{algorithm.name} ({algorithm.source}) finds a value but no move, so it cannot play: "
                "return a pair (value, move)"
            )
        self.line = found.line
        return found

    def ponders(self, game: Game) -> bool:
        """Whether the player ponders. An interpreted search would slow down the program, so only compiled searches
        ponder."""
        return self.is_search and not self.is_own and speed_for(self.evaluation_game or game, self.speed) == "compiled"

    def ponder(self, turn: Turn) -> None:
        """While the opponent thinks about `turn`, search the position after the reply that the last principal variation
        predicts. The results are kept in the transposition table."""
        self.stop_pondering()
        turn, searcher = replace(turn, game=self.evaluation_game or turn.game), self.searcher
        if searcher is None or not self.ponders(turn.game):
            return
        past = [*turn.past, turn.state]
        if len(self.line) < 2 or self.line[0] != turn.moves[-1] or self.line[1] not in turn.game.moves(turn.state):
            return
        state = turn.game.result(turn.state, self.line[1])
        if not turn.game.terminal(state) and turn.game.player(state) != CHANCE:
            self.pondering = PonderingSearch(searcher, state, past)

    def stop_pondering(self) -> None:
        """If a search runs while the opponent thinks, stop the search."""
        if self.pondering is not None:
            self.pondering.stop()
            self.pondering = None

    def clock(self, turn: Turn) -> Clock | None:
        """The clock that the player itself keeps for the side to move. None if it keeps no clock, or if the game has a
        clock."""
        if self.own_clock is None or turn.clock is not None:
            return None
        seconds, increment = self.own_clock
        return self.clocks.get(turn.mover) or Clock((seconds,) * turn.game.players, increment)

    def warm_up(self, game: Game) -> None:
        """Compile or load the kernels of a user's algorithm. Built-in algorithms need no warm-up, because only the time
        of their search counts."""
        if self.is_own:
            with contextlib.suppress(Exception):  # in a game, the error occurs again, and the player loses the game
                search_with(game, game.initial(), self.algorithm, Limits(depth=1), speed=self.speed)

    def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
        """Compile or load the code of the search, by searching one ply."""
        game = self.evaluation_game or turn.game
        if speed_for(game, self.speed) == "compiled":
            search_with(game, turn.state, self.algorithm, TO_PREPARE, speed=self.speed, monitor=monitor, past=turn.past)

    def limits(self, turn: Turn) -> Limits:
        """The limits of a search: the limits of the turn, and a share of the time on the clock."""
        if turn.clock is None:
            return turn.limits
        return limits_by_clock(turn.clock, turn.mover, self.algorithm, turn.limits)

    def continues(self, searcher: Searcher, algorithm: Algorithm, turn: Turn) -> bool:
        """Whether the match has gone on since the last search, with the same game, algorithm and seed."""
        count = len(self.searched_states)
        has_gone_on = count < len(turn.states) and list(turn.states[:count]) == self.searched_states
        is_same = searcher.game is turn.game and searcher.algorithm.specification == algorithm.specification
        return has_gone_on and is_same

    def begin(self) -> None:
        """Forget the results of searches, and reset the clock."""
        self.forget()
        self.clocks = {}

    def forget(self) -> None:
        """Forget the results of searches, and release their memory."""
        self.stop_pondering()
        if self.searcher is not None:
            with self.searcher:  # the end of the `with` block releases the memory
                self.searcher = None
        self.searched_states = []


class PonderingSearch:
    """A search that runs in a thread until it is stopped."""

    def __init__(self, searcher: Searcher, state: Any, past: Sequence[Any]) -> None:
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(searcher, state, past), daemon=True)
        self.thread.start()

    def run(self, searcher: Searcher, state: Any, past: Sequence[Any]) -> None:
        """Search until `stop` is called. An error is ignored: the next answer searches this position anyway."""
        with contextlib.suppress(GamesearchError):
            searcher.search(state, Limits(time=A_DAY), monitor=Monitor(lambda _: self.is_over.is_set()), past=past)

    def stop(self) -> None:
        """Stop the search, and wait until it ends."""
        self.is_over.set()
        self.thread.join()


def limits_by_clock(clock: Clock, player: int, algorithm: Algorithm, limits: Limits) -> Limits:
    """Return the limits that follow from a clock: the greatest time and, for iterative deepening, the target time."""
    share = clock.allowance(player)
    longest = clock.longest(player) if algorithm.deepen else share
    time = longest if limits.time is None else min(longest, limits.time)
    return replace(limits, time=time, target=share if algorithm.deepen else limits.target)
