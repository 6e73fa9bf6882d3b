"""Print a saved search."""

from collections.abc import Iterator
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, typeset
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_found
from gamesearch.cli.help import Command
from gamesearch.cli.reading import game_of_trace, read_trace
from gamesearch.render.tables import pairs
from gamesearch.render.trees.tree import TreeView, tree_data
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.labels import relabel_moves
from gamesearch.trace.pruned import add_pruned
from gamesearch.trace.recording import Recording
from gamesearch.trace.wording.phrases import statistics_sentence, value_sentence

__all__ = ["RecordingView", "command", "recording_data"]


@click.command(
    cls=Command,
    examples=[
        'gamesearch analyze "[[3,12,8],[2,4,6],[14,5,2]]" --trace lecture.trace',
        "gamesearch show lecture.trace",
        "gamesearch show lecture.trace --windows ranges --pruned",
        "gamesearch show lecture.trace --moves numbers",
        "gamesearch show lecture.trace --plies 1 --json",
    ],
)
@cli.trace_argument
@cli.plies_option
@cli.width_option
@cli.boards_option
@cli.pruned_option
@cli.move_labels_option
@cli.windows_option
@cli.values_only_option
@cli.trusted_game_option
@cli.ascii_option
@cli.json_option
def command(
    trace: str,
    plies: int,
    width: int,
    boards: bool,
    pruned: bool,
    moves: str,
    windows: str,
    values_only: bool,
    game: str,
    only_ascii: bool,
    as_json: bool,
) -> None:
    """Print a saved search: its value, best line and tree.

    TRACE is a file that analyze --trace or solve --trace has written ('-' reads standard input). The rules of the game
    are needed only for --boards and --pruned.
    """
    recording = read_trace(trace)
    rules = game_of_trace(recording, game) if boards or pruned else None
    if pruned and rules is not None:
        recording = add_pruned(limit_recording(recording, plies), rules)
    recording = relabel_moves(recording, moves)
    tree = TreeView(
        recording,
        plies,
        width,
        rules if boards else None,
        "none" if values_only else windows,
        has_moves=moves != "none" and not values_only,
        has_notes=not values_only,
    )
    has_board = moves == "names" and not values_only  # a board may contain names of moves
    view = RecordingView(tree, has_board)
    print_found(view, lambda: recording_data(recording, plies, width, has_moves=tree.has_moves), as_json, only_ascii)


class RecordingView:
    """Shows the board, the value, the best line, the statistics and the tree of a recorded search."""

    def __init__(self, tree: TreeView, has_board: bool) -> None:
        self.recording, self.tree, self.has_board = tree.recording, tree, has_board

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        header, end, root = self.recording.header, self.recording.end, self.recording.root
        if root is not None and self.has_board:
            yield Text("\n".join(root.board))
            yield Text()
        yield pairs(self.facts(options.ascii_only))
        yield Text()
        yield Text(header["algorithm"])
        yield Text(statistics_sentence(self.recording), style="dim")
        if end["left_out"]:
            yield Text(f"{plural(end['recorded'], 'node')} recorded, {end['left_out']:,} left out", style="dim")
        if end.get("stopped"):
            yield Text(f"the search was stopped ({end['stopped']}); these are the results up to then", style="yellow")
        yield Text()
        yield self.tree

    def facts(self, only_ascii: bool) -> Iterator[tuple[str, str | Text]]:
        """Yield the name and the text of each fact: the game, the position, the value and the best line."""
        header, end, shown = self.recording.header, self.recording.end, value_sentence(self.recording.end)
        yield "game", header["game"]
        yield "position", f"{header['position']}  {turn_sentence(self.recording)}"
        yield "value", Text(shown if only_ascii else typeset(shown), style="bold")
        if end["best"] is not None and self.tree.has_moves:
            yield "best", Text(end["best"], style="bold")
        if len(end["line"]) > 1 and self.tree.has_moves:
            yield "line", " ".join(end["line"])


def turn_sentence(recording: Recording) -> str:
    """Return a text that names the player to move, and says if this player is Max or Min."""
    player, names = recording.header["player"], recording.header["names"]
    if player == "chance":
        return "chance decides next"
    name = names[("Max", "Min").index(player)] if player in ("Max", "Min") else player
    return f"{name} to move" if name == player else f"{name} ({player}) to move"


def recording_data(recording: Recording, plies: int, width: int, *, has_moves: bool = True) -> dict[str, Any]:
    """A recorded search as JSON. If `has_moves` is false, the names of moves are null."""
    facts = {**recording.header, **recording.end, "tree": tree_data(recording, plies, width)}
    if not has_moves:
        facts |= {"best": None, "line": [None] * len(facts["line"]), "tree": without_moves(facts["tree"])}
    return {name: fact for name, fact in facts.items() if name not in ("event", "format", "version")}


def without_moves(tree: dict[str, Any] | None) -> dict[str, Any] | None:
    """Copy a tree of `tree_data`, and replace all names of moves by null."""
    if tree is None:
        return None
    pruned, children = [None] * len(tree["pruned"]), [without_moves(child) for child in tree["children"]]
    return tree | {"move": None, "pruned": pruned, "children": children}
