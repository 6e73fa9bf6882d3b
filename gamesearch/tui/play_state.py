"""The state of the full screen during a game: the running search, the chosen cells, the last value, and the time
used."""

import time

from gamesearch.algorithms.engine.formatting import compiling_text
from gamesearch.algorithms.engine.result import SearchResult, Value
from gamesearch.game import CHANCE
from gamesearch.play.sessions.pointing import MoveSelection
from gamesearch.play.sessions.session import Session
from gamesearch.render.match import prompt, result_text, time_text
from gamesearch.render.value_words import found_text
from gamesearch.tui.match_panel import OngoingSearch

__all__ = ["PlayState"]


class PlayState:
    """The state of the screen that is not part of the match."""

    def __init__(self, session: Session) -> None:
        self.session, self.match = session, session.match
        self.thinking: OngoingSearch | None = None
        """The search for the computer's move or for a hint, while it runs."""
        self.choosing: MoveSelection | None = None
        """The cells that a person has chosen; None if no person is to move."""
        self.typed_ahead: list[str] = []
        """Lines that a person typed during a search; they are read at the person's next turn."""
        self.found: tuple[Value, str] | None = None
        """The last value that a search found in this game, as a number and in words; None before the first search."""
        self.shows_values = True
        """Whether values are shown."""
        self.spent = [0.0] * len(self.match.players)
        """The seconds that each side used in games without a clock."""
        self.counted_at = time.monotonic()
        """The time of the last update of `spent`, by `time.monotonic`."""
        self.turn_began = self.counted_at
        """The time when the turn of the player to move began, by `time.monotonic`; moved forward by the time for
        compiling code."""

    @property
    def used(self) -> float:
        """Seconds that the player to move has used in this turn, without the time for loading and compiling code."""
        return time.monotonic() - self.turn_began - (self.thinking.preparing if self.thinking else 0.0)

    @property
    def is_time_up(self) -> bool:
        """Whether a person is to move and has no time left."""
        clock = self.session.loop.clock
        return clock is not None and self.session.waits_for_human and self.used > clock.remaining[self.match.turn]

    def count_time(self) -> None:
        """Add the time since the last call to the time used by the side to move."""
        now, is_preparing = time.monotonic(), self.thinking is not None and self.thinking.is_preparing
        if not self.match.is_over and self.match.turn != CHANCE and not is_preparing:
            self.spent[self.match.turn] += now - self.counted_at
        self.counted_at = now

    def keep_value(self, result: SearchResult | None, *, is_played: bool) -> None:
        """Keep the value that a search found, for the display."""
        if result is not None and result.value is not None:
            words = found_text(self.match.game, self.match.state, result, is_played=is_played)
            self.found = result.value, words

    @property
    def prompt(self) -> str:
        """The text before the line for typing."""
        match = self.match
        if match.is_over:
            return "game over> "
        if not match.has_humans:
            return "command> "
        if self.thinking is not None and not self.session.waits_for_human:  # a person who waits for a hint is to move
            return "for your next turn> "
        return "" if match.turn == CHANCE else prompt(match)

    @property
    def effort(self) -> str:
        """The progress of the search; if no search runs, the progress of the compilation in the background."""
        if self.thinking is not None:
            return self.thinking.text(self.match.game, self.shows_values)
        preparation = self.session.preparation
        return "" if preparation is None or not preparation.now.compiling else compiling_text(preparation.now)

    @property
    def evaluation(self) -> tuple[Value | None, str] | None:
        """The last value as a number and in words. Before the first search has ended, this is the best value so far of
        the running search. After the game, this is the result of the game. While values are hidden, this is None."""
        match, thinking = self.match, self.thinking
        if match.is_over:
            return match.final_value, result_text(match)
        if not self.shows_values:
            return None
        if self.found is None and thinking is not None and thinking.found is not None:
            return thinking.found.value, found_text(match.game, thinking.state, thinking.found)
        return self.found

    @property
    def times(self) -> list[str]:
        """The time left on each side's clock; in games without a clock, the time that each side has used."""
        clock, match = self.session.loop.clock, self.match
        if clock is None:
            return [f"{int(seconds) // 60}:{int(seconds) % 60:02}" for seconds in self.spent]
        left = list(clock.remaining)
        if not match.is_over and match.turn != CHANCE:
            left[match.turn] -= self.used
        return [time_text(seconds) for seconds in left]
