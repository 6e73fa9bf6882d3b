"""The course of a match on the screen: chance decides, the computer thinks in a thread, and a person moves."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from textual.message import Message

from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult
from gamesearch.errors import Interrupted
from gamesearch.play.game_loop import Reply
from gamesearch.play.numbering import numbered
from gamesearch.play.sessions.pointing import Choosing
from gamesearch.render.final_status import final_status_lines
from gamesearch.render.match import found_text, hint_evaluation, last_move_line
from gamesearch.tui.match_panel import Thinking
from gamesearch.tui.play_layout import PlayLayout

__all__ = ["PlayCourse"]


class PlayCourse(PlayLayout):
    """Lets a session go on; what people type is for whoever derives from it."""

    @dataclass
    class Replied(Message):
        """The thread has an answer, or what went wrong."""

        answer: Reply | Exception
        is_hint: bool

    @dataclass
    class Counted(Message):
        """The thread knows what is counted at the end, in some sentences."""

        state: Any
        sentences: Sequence[str]

    # The clock. ----------------------------------------------------------------------------------
    def charge(self, seconds: float | None = None, *, has_moved: bool) -> bool:
        """Take the time since the last charge, or so much, from whoever is to move; whether its flag has fallen."""
        used, self.turned = self.used if seconds is None else seconds, time.monotonic()
        return self.session.loop.charge(self.match.turn, used, has_moved=has_moved)

    def tick(self) -> None:
        """End the game where a person's time is up."""
        super().tick()
        clock = self.session.loop.clock
        if clock is not None and self.session.waits_for_human and self.used > clock.remaining[self.match.turn]:
            self.charge(has_moved=False)
            self.when_idle(self.go_on)  # a hint may be searched

    # The course of the match. --------------------------------------------------------------------
    def go_on(self) -> None:
        """Do what comes next: let chance decide, the computer think, or a person move."""
        match, self.choosing = self.match, None
        self.turned = time.monotonic()
        rolls = list[str]()
        for roll in self.session.loop.turns():
            if roll is None:
                break
            rolls.append(match.game.outcome_text(*roll))
        warning = self.session.keep()
        if rolls:  # next to the last move, which stays visible
            last = last_move_line(match)
            self.tell("; ".join([last, *rolls] if last else rolls))
        if match.is_over:
            undo = "" if match.flagged is not None else "Ctrl-Z undo, "
            self.tell(f"The game is over: Ctrl-N new game, {undo}Ctrl-Q leave")
            threading.Thread(target=self.count, daemon=True).start()
        elif self.session.waits_for_human:
            self.choosing = Choosing(match.game, match.state, match.steps)
            if self.typed_ahead:
                self.call_later(self.action_type, self.typed_ahead.pop(0))
        else:
            self.think(is_hint=False)
        if warning:
            self.tell(warning)
        self.show()

    def when_idle(self, action: Callable[[], None]) -> None:
        """Do something at once; where somebody searches, end the search first."""
        if self.thinking is None:
            action()
        else:
            self.thinking.monitor.interrupted = True
            self.after_thinking = action

    def count(self) -> None:
        """Find what is dead, in a thread that ends with a message if the game has such a thing."""
        status = self.session.final_status()
        if status is not None:
            self.post_message(self.Counted(status.state, final_status_lines(status)))

    def on_play_course_counted(self, message: Counted) -> None:
        """Say what is counted, unless the game has gone on."""
        if self.match.is_over and self.match.state == message.state:
            self.tell("\n".join(message.sentences))

    def think(self, *, is_hint: bool) -> None:
        """Let the computer search in a thread of its own, which ends with a message."""
        monitor, player = Monitor(interval=0.1), self.match.player
        searches = is_hint or (player.algorithm is not None and player.is_search)
        self.thinking = thinking = Thinking(
            self.match.state, self.match.number, monitor, None if is_hint else player.own_time, is_preparing=searches
        )

        def poll(now: Progress) -> bool:
            thinking.take(now)
            return monitor.interrupted

        def finished(result: SearchResult) -> None:
            thinking.found = result

        def work() -> None:
            try:
                answer: Reply | Exception = self.session.advice(monitor) if is_hint else self.session.reply(monitor)
            except Exception as error:
                answer = error
            self.post_message(self.Replied(answer, is_hint))

        monitor.poll, monitor.finished = poll, finished
        # Not a worker of Textual's, whose end it would wait for even where somebody leaves at once.
        threading.Thread(target=work, daemon=True).start()

    def on_play_course_replied(self, message: Replied) -> None:
        """Make the move that was found, or show the hint; unless something else was asked for meanwhile."""
        thinking, self.thinking = self.thinking, None
        self.turned += thinking.preparing if thinking is not None else 0.0
        instead, self.after_thinking = self.after_thinking, None
        answer = message.answer
        if isinstance(answer, Interrupted):
            if instead is not None:  # else the program is left
                instead()
        elif isinstance(answer, Exception):
            self.failure = answer
            self.exit(return_code=1)
        elif instead is not None:
            instead()
        else:
            if answer.result is not None and answer.result.value is not None:
                words = found_text(self.game, self.match.state, answer.result, is_played=not message.is_hint)
                self.found = answer.result.value, words
            if message.is_hint:
                self.show_hint(answer)
            else:
                self.answer(answer, thinking is not None and thinking.monitor.interrupted)

    def answer(self, reply: Reply, was_interrupted: bool) -> None:
        """Make the move that the computer has found."""
        self.turned = time.monotonic()
        if self.session.loop.accept(reply) is not None:
            self.tell(last_move_line(self.match) + (", at once" if was_interrupted else ""))
        self.go_on()

    def show_hint(self, reply: Reply) -> None:
        """Name the move that an algorithm would play, and mark it on the board."""
        if reply.move is None:
            self.tell("nothing is known yet: give it more time")
        else:
            words = f", {self.found[1]}" if self.found and reply.result and self.shows_values else ""
            name = numbered(self.game, self.match.state, (reply.move,), self.match.number)[0]
            by = hint_evaluation(self.match, reply.result, reply.seen_game) if words else ""
            self.tell(f"hint: {name}{words}{f', by {by}' if by else ''}")
        self.show()
        if reply.move is not None and self.choosing is not None and reply.move in self.choosing.footprints:
            pane, each = self.pane, self.choosing.footprints[reply.move]
            pane.show(pane.board, each.starts, each.ends, self.choosing.places)

    def action_type(self, text: str) -> None:
        """Do what a line says."""
        raise NotImplementedError
