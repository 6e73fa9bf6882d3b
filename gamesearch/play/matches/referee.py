"""The referee of one game of a match: asks the players for moves, measures their time, and ends the game.

The referee also adjudicates: it ends games that are decided, drawn or too long. A game is resigned or drawn only if the
values of both players' searches agree for several moves in a row, so a mistake of one player does not end the game.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, Value
from gamesearch.errors import GamesearchError, IllegalMoveError
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.notation import line_names
from gamesearch.play.clock import Clock
from gamesearch.play.game_loop import GameLoop, Ply, Reply
from gamesearch.play.match import Match, Outcome, counts_payoffs, rules_outcome
from gamesearch.play.matches.game_task import CRASH, HANG, ILLEGAL, TIME, GameRecord, GameTask, Terms
from gamesearch.play.matches.openings import play_opening
from gamesearch.play.players.player import LONGEST_WAIT, NoAnswerError, Player, Turn
from gamesearch.study.final_status import status_at_end

__all__ = ["AGREED_DRAW", "DEAD", "DEFAULT_TIME", "LENGTH", "RESIGNATION", "Adjudicator", "Referee"]

RESIGNATION, AGREED_DRAW, LENGTH = "resignation", "draw agreed", "length"  # reasons for the end of a game


class Adjudicator:
    """Decides whether a game ends early. The decision depends on the values that both sides found for their moves."""

    def __init__(self, game: Game, terms: Terms) -> None:
        self.terms, self.draw_value = terms, game.draw_value()
        self.values: tuple[list[float], list[float]] = ([], [])
        """The values that each side reported for its moves. They are values for Max, minus the value of a draw."""

    def note(self, side: int, value: Value | None) -> None:
        """Record the value of a side's move. If `value` is None, forget the side's earlier values."""
        if value is None or isinstance(value, tuple):
            self.values[side].clear()
        else:
            self.values[side].append(value - self.draw_value)

    def verdict(self, plies: int) -> Outcome | None:
        """The outcome of a game that is adjudicated after `plies` plies; None if the game continues."""
        if self.terms.resign:
            moves, least = self.terms.resign
            last = self.last(moves)
            if last and min(last) >= least:
                return Outcome(MAX, RESIGNATION)
            if last and max(last) <= -least:
                return Outcome(MIN, RESIGNATION)
        if self.terms.draw and plies >= self.terms.draw[2]:
            moves, most, _ = self.terms.draw
            last = self.last(moves)
            if last and max(map(abs, last)) <= most:
                return Outcome(None, AGREED_DRAW, is_draw=True)
        return Outcome(None, LENGTH, is_draw=True) if plies >= self.terms.longest else None

    def last(self, moves: int) -> list[float]:
        """Return one list with the values of the last `moves` moves of both sides. If a side has fewer values, the list
        is empty."""
        if any(len(values) < moves for values in self.values):
            return []
        return [value for values in self.values for value in values[-moves:]]


DEAD = "dead stones"  # the reason for the outcome if the removal of dead stones has changed it
DEFAULT_TIME = 0.1  # seconds for a move if a player has no limit
TO_BEGIN = 60.0  # seconds allowed for each search for a balanced opening
TO_END = 0.5  # extra seconds in which a player can kill a program that hangs, before its process is killed

Report = Callable[[int | None, float, GameRecord], None]
"""A callback. The arguments of the callback are the side that is asked for a move (None if no side is asked), its time
in seconds, and the record of the game so far."""


class PlayerFailedError(Exception):
    """A side lost because its player failed. The arguments are the side, the failure (see FAILURES) and a
    description."""


class Referee:
    """Plays one game between two players."""

    def __init__(self, game: Game, task: GameTask, players: Sequence[Player], report: Report) -> None:
        self.game, self.task, self.report = game, task, report
        self.record = GameRecord(task.number, task.labels)
        (start, *_), moves = play_opening(game, task.opening, lambda: report(None, TO_BEGIN, self.record))
        self.match = Match(game, start, players, task.seed)
        self.match.begin(start, moves)
        self.beginning = len(moves)
        self.adjudicator = Adjudicator(game, task.terms)
        terms = task.terms
        clock = None if terms.clock is None else Clock((terms.clock, terms.clock), terms.increment)
        self.loop = GameLoop(self.match, clock, terms.margin)
        self.outcome: Outcome | None = None
        self.record = GameRecord(
            number=task.number,
            players=task.labels,
            position=game.format(start),
            opening=tuple(line_names(game, start, moves)),
            has_chance=self.match.needs_seed,
        )
        self.names: list[str] = []  # the moves after the opening, as people write them
        self.asked, self.nodes, self.seconds = [0, 0], [0, 0], [0.0, 0.0]
        """For each side, these lists count the requests for a move, and the nodes and seconds that the player used."""

    def play(self) -> GameRecord:
        """Play the game to its end; returns the record."""
        try:
            for roll in self.loop.turns(self.is_over):
                ply = roll or self.move()
                if ply is not None:
                    self.names.append(self.game.move_name(*ply))
        except PlayerFailedError as failure:
            return self.record_so_far().with_failure_of(*failure.args)
        outcome = self.outcome
        assert outcome is not None
        payoff = outcome.utility if counts_payoffs(self.game) and not isinstance(outcome.utility, tuple) else None
        return replace(self.record_so_far(), winner=outcome.winner, reason=outcome.reason, payoff=payoff)

    def is_over(self) -> bool:
        """Check whether the game is over, by its rules or by adjudication. If it is over, store its outcome."""
        outcome = self.match.outcome
        if outcome is not None and not outcome.reason and self.task.terms.without_dead:
            outcome = self.outcome_without_dead(outcome)
        if outcome is not None and outcome.winner is None and not outcome.is_draw:
            raise GamesearchError(f"the payoffs of {self.game.name} do not decide who won, so a match has no score")
        self.outcome = outcome or self.adjudicator.verdict(len(self.match.moves) - self.beginning)
        return self.outcome is not None

    def outcome_without_dead(self, outcome: Outcome) -> Outcome:
        """Remove the dead stones of a finished game, and return the new outcome."""
        self.report(None, LONGEST_WAIT, self.record_so_far())
        status = status_at_end(self.game, self.match.state)
        other = outcome if status is None else rules_outcome(self.game, status.utility_without)
        return outcome if other.winner == outcome.winner else replace(other, reason=DEAD)

    def record_so_far(self) -> GameRecord:
        """The record of the game so far."""
        states = self.match.states[:-1]
        rolls = sum(self.game.player(s) == CHANCE for s in states) if self.game.chance else 0
        counts: dict[str, Any] = {name: tuple(getattr(self, name)) for name in ("asked", "nodes", "seconds")}
        return replace(self.record, moves=tuple(self.names), rolls=rolls, **counts)

    def move(self) -> Ply | None:
        """Make the move of the player whose turn it is; None if the player resigns. Raises PlayerFailedError if the
        player fails."""
        match, loop = self.match, self.loop
        side = match.turn
        reply = Reply(loop.forced_move) if loop.forced_move is not None else self.ask(side)
        result = reply.result
        if result is not None:
            # If a built-in search was stopped before it had a value for any move, the first legal move is played.
            is_first = reply.move is None and result.stopped and not match.player.is_own
            if not is_first and reply.move not in match.steps:
                details = "no move" if reply.move is None else f"{reply.move!r} is not legal"
                raise PlayerFailedError(side, ILLEGAL, f"{details} in {loop.position}")
            self.adjudicator.note(side, result.value if result.bound == "exact" else None)
        return loop.accept(reply)

    # A player's turn. ----------------------------------------------------------------------------
    def ask(self, side: int) -> Reply:
        """Ask a side for a move; raises PlayerFailedError if the player crashes or takes too long."""
        terms, player = self.task.terms, self.match.player
        turn = replace(
            self.match.player_turn(),
            limits=self.limits(side),
            clock=self.loop.clock,
            seed=self.task.player_seed,
            patience=terms.margin + terms.patience,
        )
        limit = self.time_limit(turn, player)
        wait = turn.longest_wait(limit) + TO_END
        self.report(side, wait, self.record_so_far())
        try:
            reply = self.loop.ask(turn, self.monitor(side, wait))
        except IllegalMoveError as error:
            raise PlayerFailedError(side, ILLEGAL, str(error)) from error
        except NoAnswerError as error:
            raise PlayerFailedError(side, HANG, str(error)) from error
        except (Exception, SystemExit) as error:
            kind = "" if isinstance(error, GamesearchError) else f"{type(error).__name__}: "
            raise PlayerFailedError(side, CRASH, f"{kind}{error}") from error
        self.asked[side] += 1
        self.nodes[side] += 0 if reply.result is None else reply.result.statistics.nodes
        self.seconds[side] = round(self.seconds[side] + reply.seconds, 6)
        if not reply.has_resigned and limit is not None and reply.seconds > limit + terms.margin:
            raise PlayerFailedError(side, TIME, f"{reply.seconds:.3f} s instead of {limit:g} s")
        return reply

    def limits(self, side: int) -> Limits:
        """Return the limits of a move; the time is DEFAULT_TIME if neither the match nor the player sets a limit."""
        terms = self.task.terms
        has_limit = terms.is_limited or self.match.players[side].has_limit
        return Limits(terms.depth, terms.time if has_limit else DEFAULT_TIME, terms.nodes)

    def time_limit(self, turn: Turn, player: Player) -> float | None:
        """The number of seconds within which a player must answer; None if time is unlimited."""
        if turn.clock is not None:  # the player divides the time left on the clock, and ignores its own time per move
            left = turn.clock.remaining[turn.mover]
            return left if turn.limits.time is None else min(turn.limits.time, left)
        return turn.limits.time if turn.limits.time is not None else player.own_time

    def monitor(self, side: int, wait: float) -> Monitor:
        """A monitor that reports when a player starts compiling and when it has finished."""
        is_compiling = False

        def poll(progress: Progress) -> bool:
            nonlocal is_compiling
            if bool(progress.compiling) != is_compiling:
                is_compiling = bool(progress.compiling)
                self.report(side, LONGEST_WAIT if is_compiling else wait, self.record_so_far())
            return False

        return Monitor(poll=poll)
