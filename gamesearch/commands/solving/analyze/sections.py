"""The sections that options add to the answer of `gamesearch analyze`, as text and as JSON.

The module for a section is imported only when an option needs it, so that a short search starts quickly.
"""

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import RenderableType

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import data_number
from gamesearch.algorithms.engine.parameters import check_seconds
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.cli.defaults import SearchSettings, depth_limit
from gamesearch.cli.progress import show_progress
from gamesearch.cli.recording import RecordingOptions
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.notation import line_names, player_name
from gamesearch.optional import CubeGame
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Resigned, Turn
from gamesearch.render.value_words import Analysis, amount
from gamesearch.specification import parse_specification

if TYPE_CHECKING:
    from gamesearch.commands.solving.analyze.explanation import Explanation
    from gamesearch.trace.recording import Recording

__all__ = [
    "Options", "Section", "belief_sections", "best_action", "cube_sections", "explanation_sections", "opinion_sections",
    "tree_sections",
]  # fmt: skip

MOST_NODES = 1 << 62  # the greatest limit on nodes, which prevents the overflow of 64-bit counters


@dataclass(frozen=True)
class Options:
    """The options of the command, except game, position and algorithm."""

    recording: RecordingOptions
    depth: str | None
    time: float | None
    nodes: int | None
    moves: bool
    multipv: int | None
    explain: bool
    force: bool
    speed: str
    only_ascii: bool
    as_json: bool
    verbose: bool
    evaluation: str | None
    beside: tuple[str, ...]
    against: str | None
    mate: int | None
    beliefs: bool
    to: str | None

    @property
    def needs_search(self) -> bool:
        """Whether an option requires a search, even if an opening book contains the position."""
        asks = (self.depth, self.nodes, self.against)
        return self.recording.records_search or self.explain or self.beliefs or any(each is not None for each in asks)

    def limits(self) -> Limits:
        """The limits that the user gave, which replace the limits of the algorithm."""
        return Limits(
            depth=depth_limit(self.depth),
            time=None if self.time is None else check_seconds(self.time),
            nodes=None if self.nodes is None else min(self.nodes, MOST_NODES),
        )


class Section(NamedTuple):
    """A part of an answer: `view` is a Rich renderable or lines of text; `data` contains the part's entries in the JSON
    object."""

    view: RenderableType | Sequence[str]
    data: dict[str, Any]


def belief_sections(analysis: Analysis, options: Options) -> list[Section]:
    """Return the section for --beliefs: the distribution of each move's value."""
    if not options.beliefs:
        return []
    from gamesearch.commands.solving.analyze.beliefs import BeliefsView, beliefs_data

    return [Section(BeliefsView(analysis), {"beliefs": beliefs_data(analysis)})]


def explanation_sections(analysis: Analysis, explanation: "Explanation | None", options: Options) -> list[Section]:
    """Return the section for --explain. If there is no explanation, the section is empty, and null in JSON."""
    if explanation is not None:
        from gamesearch.commands.solving.analyze.explanation import ExplanationView, explanation_data

        data = explanation_data(analysis, explanation)
        return [Section(ExplanationView(analysis, explanation), {"explanation": data})]
    return [Section((), {"explanation": None})] if options.explain else []


def tree_sections(game: Game, tree: "Recording | None", recording: RecordingOptions) -> list[Section]:
    """Return the section for --tree: the searched tree near its root."""
    if tree is None:
        return []
    from gamesearch.render.trees.tree import TreeView, tree_data

    if recording.pruned:
        from gamesearch.trace.pruned import add_pruned

        tree = add_pruned(tree, game)
    plies, width = recording.plies, recording.width
    view = TreeView(tree, plies, width, game if recording.boards else None, recording.windows)
    return [Section(view, {"tree": tree_data(tree, plies, width)})]


# The doubling cube. -------------------------------------------------------------------------------
def cube_sections(
    game: Game, state: Any, algorithm: Algorithm, limits: Limits, options: Options, monitor: Monitor
) -> list[Section]:
    """Return a section about the doubling cube with the values of "no double", "take" and "drop".

    The section is missing if the player to move may not double, or if a search was stopped. "No double" and "double and
    take" are searched separately with the same limits, so that both searches look equally far ahead.
    """
    choices = game.cube_choices(state) if isinstance(game, CubeGame) and not monitor.interrupted else None
    if choices is None:
        return []
    context: dict[str, Any] = {"speed": options.speed, "monitor": monitor}
    found = [search_with(game, each, algorithm, limits, **context).value for each in choices[:2]]
    if None in found or monitor.interrupted:
        return []
    no_double, take = map(float, found)  # type: ignore[arg-type]
    dropped = choices[2]
    drop = float(game.utility(dropped) if game.terminal(dropped) else game.evaluate(dropped))
    action = best_action(game.player(state) == MAX, no_double, take, drop)
    values = {"no double": no_double, "take": take, "drop": drop}
    texts = ", ".join(f"{name} {value_of_cube(game, value)}" for name, value in values.items())
    data = {"no_double": no_double, "take": take, "drop": drop, "action": action}
    return [Section([f"cube: {action} (for {player_name(game, MAX)}: {texts})"], {"cube": data})]


def best_action(is_max: bool, no_double: float, take: float, drop: float) -> str:
    """Return the best decision of the side that may double, and the best reply of the other side, in words."""
    sign = 1 if is_max else -1
    reply = "take" if sign * take <= sign * drop else "drop"
    if min(sign * take, sign * drop) > sign * no_double:
        return f"double, {reply}"
    return "no double, take" if reply == "take" else "too good to double, drop"


def value_of_cube(game: Game, value: float) -> str:
    """Format a value with its unit, or as the chance to win the match."""
    chance = game.win_chance(value)
    return amount(game, value) if chance is None else f"{100 * chance:.1f} %"


# Other players. -----------------------------------------------------------------------------------
def opinion_sections(
    settings: SearchSettings, states: Sequence[Any], options: Options, *, asks: bool = True
) -> list[Section]:
    """Return the section for --ask. This option names players. The section shows which moves these players choose in
    the last state. If `asks` is false, the section has no moves.

    The values of different players have different scales. All values are from the same point of view as the value of
    the search.
    """
    if not options.beside:
        return []
    from gamesearch.render.match import analysis_line

    game, state, lines, data = settings.named, states[-1], list[str](), list[dict[str, Any]]()
    for answer in ask_players(options, game, states) if asks else ():
        best = None if answer.best is None else game.move_name(state, answer.best)
        value = analysis_line(game, state, answer)
        reports = f" and reports: {value}" if value else ", without a value"
        lines.append(f"{answer.algorithm} plays {best or 'no move'}{reports}")
        data.append(
            {
                "player": answer.algorithm,
                "value": data_number(answer.value),
                "bound": answer.certainty,
                "distance": answer.distance,
                "best": best,
                "line": line_names(game, state, answer.line),
                "statistics": asdict(answer.statistics),
            }
        )
    return [Section(lines, {"beside": data})]


def ask_players(options: Options, game: Game, states: Sequence[Any]) -> list[SearchResult]:
    """Ask players, one after another, for a move in the last state; raises GamesearchError if this is not possible.
    Limits in the specification of a player replace the limits of the command."""
    if game.player(states[-1]) == CHANCE:
        raise GamesearchError("chance decides here: leave out --ask, because only players can be asked for a move")
    moves = [next(m for m in game.steps(s) if game.result(s, m) == after) for s, after in itertools.pairwise(states)]
    answers = []
    for text in options.beside:
        has_limits = set(parse_specification(text).parameters) & {"depth", "time", "nodes"}
        turn = Turn(game, states, moves, Limits() if has_limits else options.limits())
        with load_player(text, game, None, options.speed) as player, show_progress(f"{text} is thinking") as monitor:
            if player.is_human:
                raise GamesearchError("--ask cannot ask a human: name an engine or an algorithm")
            try:
                answers.append(player.answer(turn, monitor))
            except Resigned as error:
                raise GamesearchError(f"{error}, so it names no move") from None
    return answers
