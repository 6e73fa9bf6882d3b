"""A match in words: the players, results of searches, the outcome, and the board."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from rich.columns import Columns
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, seconds_text, value_text
from gamesearch.algorithms.engine.result import SearchResult, Value
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.notation import active_players, player_name
from gamesearch.play.clock import Clock
from gamesearch.play.match import Match, label, number_moves, pays_only_wins, rules_outcome
from gamesearch.play.sessions.commands import COMMANDS
from gamesearch.registry import specification_of
from gamesearch.render.player_names import short_name
from gamesearch.render.value_words import Analysis, amount, evaluation_words, found_text, margin
from gamesearch.study.final_status import DEAD, SEKI, STATUSES, FinalStatus
from gamesearch.toolkit.boards import Board, cells_compared
from gamesearch.toolkit.pictures import picture, picture_after

__all__ = [
    "analysis_line", "board_of", "clocks_text", "commands_list", "ending", "final_status_data", "final_status_lines",
    "hint_evaluation", "last_move_line", "line_text", "match_data", "move_line", "moves_list", "players_line", "prompt",
    "result_text", "time_text",
]  # fmt: skip

LINE_MOVES = 8
"""Below the last move, at most this number of moves of the principal variation are shown."""
WHY_DRAWN = {"repetition": "by repetition", "no move": "because every move would repeat a position,"}
"""The words that report why a game was drawn."""


def players_line(match: Match) -> str:
    """A line that names each side and the player of this side."""
    whole = [match.players[i].specification for i in active_players(match.game)]
    short = [short_name(each) for each in whole]
    names = short if len(set(short)) == len(set(whole)) else whole  # short names may not distinguish the players
    return "; ".join(f"{player_name(match.game, i)}: {names[i]}" for i in active_players(match.game))


def random_parts(match: Match) -> str:
    """Words for the random parts of a match, such as `these dice`. The seed determines these parts."""
    moves = "random moves" if any(player.needs_seed for player in match.players) else ""
    return f"these {' and '.join(filter(None, ('dice' if match.game.chance else '', moves)))}"


def prompt(match: Match) -> str:
    """The prompt: the number of the move, and the player to move."""
    return f"move {match.number}, {player_name(match.game, match.turn)}> "


def move_line(game: Game, s: Any, m: int, number: int) -> str:
    """A move, its number and its player; or an outcome of chance, which has no number."""
    player = game.player(s)
    if player == CHANCE:
        return f"   {game.outcome_text(s, m)}"
    return f"{label(game, number, player)} {player_name(game, player)}: {game.move_name(s, m)}"


def last_move_line(match: Match) -> str:
    """The last move that a player made, as a line of text; empty if no player has moved."""
    game = match.game
    for s, m, number in zip(match.states[-2::-1], match.moves[::-1], match.numbers[-2::-1], strict=True):
        if game.player(s) != CHANCE:
            return move_line(game, s, m, number)
    return ""


def line_text(game: Game, s: Any, result: SearchResult, most: int, number: int | None = None) -> str:
    """The first `most` moves of a search's principal variation; `number` is the number of the first move."""
    names = number_moves(game, s, result.line[:most], number)
    return " ".join([*names, "..."] if len(result.line) > most else names)


def analysis_line(
    game: Game,
    s: Any,
    result: SearchResult,
    with_time: bool = False,
    number: int | None = None,
    *,
    is_played: bool = False,
) -> str:
    """The value, the principal variation and the number of nodes of a search; empty for a player who does not search.

    If `is_played` is true, the best move was already made, and distances count from the position after it.
    """
    if result.value is None:
        return ""
    line = line_text(game, s, result, LINE_MOVES, number)
    statistics = result.statistics
    effort = [plural(statistics.nodes, "node"), f"depth {statistics.depth}"]
    parts = (
        found_text(game, s, result, is_played=is_played),
        f"line {line}" if line else "",
        *(["by opening book"] if result.is_from_book else effort),
        "tree memory full" if result.tree_is_full else "",
        f"{seconds_text(statistics.seconds)} {statistics.speed}" if with_time and not result.is_from_book else "",
    )
    return ", ".join(filter(None, parts))


def hint_evaluation(match: Match, result: SearchResult | None, evaluation_game: Game | None) -> str:
    """The name of the evaluation on which a hint is based; empty if the value of the hint is proven, or if no search
    was made."""
    if result is None:
        return ""
    return evaluation_words(Analysis(evaluation_game or match.game, match.state, result))


def ending(match: Match, why: str = "") -> str:
    """A sentence about the outcome; `why` is the rule that makes the game a draw."""
    outcome = match.outcome
    after = f"after move {match.last_number}" if match.last_number else "before the first move"
    if outcome is None:
        return f"the game was stopped {after}"
    for loser, how in ((match.flagged, "lost on time"), (match.resigned, "resigned")):
        if loser is not None:
            lost = f"{player_name(match.game, loser)} {how} {after}"
            return lost if outcome.winner is None else f"{lost}: {player_name(match.game, outcome.winner)} wins"
    if outcome.winner is not None:
        winner, words = player_name(match.game, outcome.winner), margin(match.game, outcome.utility)
        return f"{winner} wins{words} {after}{payoff(match.game, outcome.utility)}"
    if outcome.is_draw:
        reason = WHY_DRAWN.get(outcome.reason, why)
        return f"drawn {reason} {after}" if reason else f"draw {after}"
    return f"the game is over {after}{payoff(match.game, outcome.utility)}"


def result_text(match: Match) -> str:
    """The end of the match in words. If the rules made the game a draw, the text contains the reason, such as
    stalemate."""
    outcome = match.outcome
    if outcome is not None and outcome.is_draw and not outcome.reason:
        for note in match.game.board(match.state).notes:
            if note.startswith("draw by "):
                return ending(match, note.removeprefix("draw "))
    return ending(match)


def match_data(match: Match) -> dict[str, Any]:
    """The moves and the outcome as JSON."""
    game, outcome = match.game, match.outcome
    return {
        "game": specification_of(game),
        "players": [player.specification for player in match.players],
        "seed": match.seed if match.needs_seed else None,
        "position": game.format(match.start),
        "moves": match.move_names(),
        "final": game.format(match.state),
        "result": result_text(match),
        "winner": None if outcome is None or outcome.winner is None else player_name(game, outcome.winner),
        "utility": None if outcome is None else outcome.utility,
    }


def payoff(game: Game, utility: Value | None) -> str:
    """The payoff at the end of the game, in words; empty if the outcome implies the payoff."""
    if isinstance(utility, tuple):
        if sorted(utility) == [game.MINSCORE] * (game.players - 1) + [game.MAXSCORE]:
            return ""  # the outcome implies the payoff
        return ": " + ", ".join(f"{player_name(game, i)} gets {value_text(u)}" for i, u in enumerate(utility))
    if game.payoffs_tell_how_soon or margin(game, utility):
        return ""
    said = value_text(utility) if utility is None else amount(game, utility)
    return "" if utility in (game.MINSCORE, game.MAXSCORE) and pays_only_wins(game) else f": {said}"


def time_text(seconds: float) -> str:
    """A time in minutes and seconds, with tenths if it is less than 20 seconds. Negative times are shown as zero.

    >>> time_text(299.9), time_text(7.25), time_text(-1)
    ('4:59', '0:07.2', '0:00.0')
    """
    left = max(0.0, seconds)
    tenths = f".{int(left * 10) % 10}" if left < 20 else ""
    return f"{int(left) // 60}:{int(left) % 60:02}{tenths}"


def clocks_text(game: Game, clock: Clock) -> str:
    """A line with the remaining time of each player."""
    return "  ".join(f"{player_name(game, i)} {time_text(clock.remaining[i])}" for i in active_players(game))


def moves_list(names: Sequence[str]) -> Columns:
    """List moves in columns. Numbers are sorted by size, and letters alphabetically."""

    def rank(name: str) -> list[tuple[int, str]]:
        return [(int(part or 0), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]

    shown = (Text(name, no_wrap=True) for name in sorted(names, key=rank))
    return Columns(shown, padding=(0, 2 if any(" " in name for name in names) else 1), column_first=False)


def commands_list() -> str:
    """The commands that a player can type, with their meanings, one per line."""
    width = max(map(len, COMMANDS))
    return "\n".join(["Type a move, or a command:", *(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())])


def captures(match: Match) -> list[int]:
    """For each player, the number of pieces that the player has lost since the start of the match."""
    lost = (pieces_lost(match.game, s, after) for s, after in pairwise(match.states))
    return [sum(each) for each in zip((0,) * match.game.players, *lost, strict=True)]


@lru_cache(maxsize=1000)  # cached, because the screen counts the captures of all moves again after each move
def pieces_lost(game: Game, s: Any, after: Any) -> list[int]:
    """For each player, the number of pieces lost in the move from `s` to `after`."""
    cells, lost = cells_compared(game.board(s), game.board(after)), list[int]()
    for player in range(game.players):
        left = sum(old.owner == player != new.owner for _, old, new in cells)
        came = sum(new.owner == player != old.owner for _, old, new in cells)
        # If pieces disappear but none appears, the move is suicide. The placed piece also disappears, and is counted.
        is_suicide = left > 0 and came == 0 and player == game.player(s)
        lost.append(max(0, left - came) + is_suicide)
    return lost


def board_of(match: Match) -> Board:
    """The board of a match. The cells of the last move by a player are marked; chance events are ignored. The notes say
    whose turn it is. So they are left out if a match ended early, for example by a resignation."""
    game, board = match.game, picture(match.game, match.state)
    if match.is_over and not game.terminal(match.state):
        board = replace(board, notes=())
    if game.shows_captures:
        taken = zip(game.names, reversed(captures(match)), strict=True)
        board = replace(board, notes=[*board.notes, f"captured: {', '.join(f'{name} {n}' for name, n in taken)}"])
    for before, m, after in zip(match.states[-2::-1], match.moves[::-1], match.states[::-1], strict=False):
        if game.player(before) != CHANCE:
            marked = picture_after(game, before, m, after)
            return replace(board, marks=marked.marks | board.marks)
    return board


def final_status_lines(status: FinalStatus | None) -> list[str]:
    """Lines that show the score and the dead stones, and then the score and the result after these stones are
    removed."""
    if status is None:
        return []
    game = status.game
    lines = [f"score with all stones: {game.score_words(status.state)}"]
    by = f"according to {plural(status.games, 'random game')}"
    if seki := stones_text(status, SEKI):
        lines.append(f"in seki, {by}: {seki}")
    dead = stones_text(status, DEAD)
    if not dead:
        return [*lines, f"nothing is dead, {by}"] if status.groups else lines
    without = f"without dead stones: {game.score_words(status.without)}; "
    if status.utility == status.utility_without:
        return [*lines, f"dead, {by}: {dead}", f"{without}the result is the same"]
    winner = rules_outcome(game, status.utility_without).winner
    wins = "a draw" if winner is None else f"{player_name(game, winner)} wins{margin(game, status.utility_without)}"
    return [*lines, f"dead, {by}: {dead}", f"{without}{wins}"]


def stones_text(status: FinalStatus, which: str) -> str:
    """The points of all groups of stones with the status `which`, such as dead or seki. The groups of Max come first,
    then the groups of Min."""
    sides = ((player, names_of(status, status.points(which, player))) for player in (MAX, MIN))
    return "; ".join(f"{player_name(status.game, player)}'s {' '.join(names)}" for player, names in sides if names)


def names_of(status: FinalStatus, points: Sequence[int]) -> list[str]:
    """The names of some points, in the order of the board."""
    return [status.game.move_name(status.state, point) for point in sorted(points)]


def final_status_data(status: FinalStatus | None) -> dict[str, Any]:
    """The score and the dead stones as JSON; empty for games without dead stones."""
    if status is None:
        return {}
    data = {
        **{which: names_of(status, status.points(which)) for which in STATUSES},
        "games": status.games,
        "utility": status.utility,
        "utility_without_dead": status.utility_without,
    }
    return {"final_status": data}
