"""The texts of the panel next to the board: the sides and their time, the evaluation, the search, and the moves."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import log1p
from typing import Any

from rich.console import Console
from rich.text import Text

from gamesearch.algorithms.engine.formatting import compiling_text
from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult, Value
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.notation import active_players, player_name
from gamesearch.play.match import Match
from gamesearch.render.boards.ink import Ink
from gamesearch.render.match import line_text
from gamesearch.render.player_names import short_name
from gamesearch.render.value_words import found_text
from gamesearch.toolkit.pictures import picture

__all__ = ["OngoingSearch", "evaluation_text", "moves_text", "share_of_first", "sides_text"]

LINE_MOVES = 6  # the number of moves of the principal variation to show


@dataclass
class OngoingSearch:
    """The progress of a search in another thread. Only the search thread changes it."""

    state: Any
    number: int  # the number of the next move. Depending on the game's notation, numbers count moves or rounds.
    monitor: Monitor
    limit: float | None = None  # the time limit in seconds
    is_preparing: bool = False  # whether code is being loaded or compiled, which is not thinking time
    progress: Progress = field(default_factory=Progress)
    found: SearchResult | None = None  # the result of the last completed depth
    told: float = field(default_factory=time.monotonic)  # the time of the last progress report
    prepared: float = 0.0  # seconds spent on loading and compiling code up to the last progress report

    def take(self, now: Progress) -> None:
        """Update the progress of the search."""
        self.prepared, self.told = self.preparing, time.monotonic()
        self.progress, self.is_preparing = replace(now), bool(now.compiling)

    @property
    def preparing(self) -> float:
        """The number of seconds spent so far on loading and compiling code."""
        return self.prepared + (time.monotonic() - self.told if self.is_preparing else 0.0)

    def text(self, game: Game, with_value: bool) -> str:
        """Describe the search so far: time, depth and nodes. If `with_value` is true, add the value and the principal
        variation."""
        now = self.progress
        if now.compiling:
            return compiling_text(now)
        if self.is_preparing:
            return "loading"
        effort = f"{now.seconds:.1f}{f' of {self.limit:g}' if self.limit else ''} s"
        depth = f", depth {now.depth}" if now.depth else ""
        text = f"thinking {effort}{depth}\n{now.nodes:,} nodes"
        if with_value and self.found is not None and self.found.value is not None:
            line = line_text(game, self.state, self.found, LINE_MOVES, self.number)
            text += f"\n{found_text(game, self.state, self.found)}\n{line}"
        return text


def sides_text(match: Match, console: Console, times: Sequence[str], width: int) -> Text:
    """List the sides: the color, player and time of each side. A long name is on a line of its own. An arrow marks the
    side to move."""
    ink = Ink(picture(match.game, match.state), console)
    is_ascii = console.options.ascii_only
    lines = []
    for number in active_players(match.game):
        has_turn = not match.is_over and match.turn == number
        line = Text((">" if is_ascii else "▸") if has_turn else " ", no_wrap=True, overflow="ellipsis")
        name, is_colored = player_name(match.game, number), ink.has_colors and not is_ascii
        colors = f"{ink.side(number)} on {ink.board}"
        has_swatch = is_colored and (ink.palette.discs or (len(name) > 1 and not ink.has_symbols))
        if has_swatch:
            line.append(" ● " if ink.palette.discs else " ■ ", style=colors)
        # If a side's name is one letter, such as X, this letter is also on the side's pieces. Draw such a name in the
        # color of the pieces.
        is_piece = is_colored and not ink.palette.discs and len(name) == 1
        indent = "" if has_swatch else " "
        line.append(f"{indent}{name} ", style=f"bold {colors}" if is_piece else "bold")
        used, who = f" {times[number]}", f"{' ' if is_piece else ''}{short_name(match.players[number].specification)}"
        fits = line.cell_len + len(who) + len(used) <= width
        line.append(who if fits else "", style="dim")
        line.append(f"{'':{max(0, width - line.cell_len - len(used))}}{used}")
        lines.append(line)
        if not fits:
            lines.append(Text(f"    {who.strip()}", style="dim", no_wrap=True, overflow="ellipsis"))
    return Text("\n").join(lines)


def share_of_first(game: Game, value: Value | None) -> float | None:
    """The first player's share of the evaluation bar, from 0 to 1; None if the bar cannot show the value.

    The bar shows numbers, but not tuples, which are the values of games for more than two players. If values have a
    unit, such as pawns or points, the scale is logarithmic. On this scale, the advantage of one pawn is visible,
    although it is much smaller than the value of a win.
    """
    if value is None or isinstance(value, tuple):
        return None
    most, amount = game.MAXSCORE - game.draw_value(), value - game.draw_value()
    share = log1p(abs(amount)) / log1p(most) if most > 1 else abs(amount) / most if most else 0.0
    return 0.5 + 0.5 * min(1.0, share) * (1 if amount > 0 else -1)


def evaluation_text(game: Game, found: tuple[Value | None, str] | None, console: Console, width: int) -> Text:
    """Draw the evaluation bar, and below it the value in words. The bar has a part for each side."""
    if found is None:
        return Text()
    value, words = found
    share = share_of_first(game, value)
    text = Text(no_wrap=False)
    if share is not None:
        first = round(share * width)
        ink = Ink(picture(game, game.initial()), console)
        if ink.has_colors and not console.options.ascii_only:
            text.append(" " * first, style=f"on {ink.side(MAX)}")
            text.append(" " * (width - first), style=f"on {ink.side(1)}")
        else:
            text.append("#" * first + "-" * (width - first))
        text.append("\n")
    return text.append(words)


def moves_text(match: Match, width: int) -> Text:
    """List the moves in rows. Each row begins with a move of the first player."""
    game, rows = match.game, list[list[str]]()
    last = match.game.players
    roll = ""
    for s, name, number in zip(match.states, match.move_names(), match.numbers, strict=False):
        player = game.player(s)
        if player == CHANCE:
            roll = f"({name}) "
            continue
        if player <= last or not rows:
            rows.append([f"{number:>3}.", *["..."] * player] if game.numbers_rounds else [""] * (player + 1))
        rows[-1].append(roll + name if game.numbers_rounds else f"{number:>3}. {roll}{name}")
        last, roll = player, ""
    if roll:
        rows.append(["", roll])
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    if sum(widths) + len(widths) > width:  # rows with the moves of all players are too wide, so each move gets a row
        lines = [text for row in rows for text in wrap_row(row)]
    else:
        lines = [" ".join(f"{cell:<{widths[i]}}" for i, cell in enumerate(row)) for row in rows]
    return Text("\n".join(lines))


def wrap_row(row: Sequence[str]) -> list[str]:
    """Split a row of several moves: each new row contains one move."""
    head, *moves = row
    return [f"{head if i == 0 else '':{len(head)}} {move}" for i, move in enumerate(filter(None, moves))]
