"""Plays on the whole screen of a terminal that can show it."""

import contextlib
import importlib.util
import os
import sys

from gamesearch.cli.consoles import output_console
from gamesearch.cli.host import DONE, STOPPED, Host, Look
from gamesearch.play.player import PlayerError
from gamesearch.play.session import Session
from gamesearch.render.match import result_text

__all__ = ["has_screen", "play_on_screen"]


def has_screen() -> bool:
    """Whether there is a terminal that nothing is read from or written to but by people, and Textual to fill it."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    is_terminal = all(stream is not None and stream.isatty() for stream in streams)
    return is_terminal and os.environ.get("TERM") != "dumb" and importlib.util.find_spec("textual") is not None


def play_on_screen(session: Session, look: Look) -> int:
    """Play until somebody leaves; the exit code. What was not finished is saved."""
    from gamesearch.tui.play_screen import PlayApp

    host = Host(session, look)  # who says afterwards what there is to say, in lines
    console = output_console(look.only_ascii)
    with contextlib.ExitStack() as players:
        for player in session.match.players:
            players.enter_context(player)
        app = PlayApp(session, console, console.options.ascii_only)
        app.run()
        if isinstance(app.failure, PlayerError):
            return host.leave(STOPPED, str(app.failure), keep=True)
        if app.failure is not None:
            host.save_and_say_how_to_go_on(keep=True)
            raise app.failure
        if not session.match.is_over:
            return host.leave(app.return_code or DONE, keep=True)
        host.say(result_text(session.match))
        host.note_saved(session.save_at_end())
        return app.return_code or DONE
