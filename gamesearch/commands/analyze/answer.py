"""The answer to one position of `gamesearch analyze`: the searches that were asked for, as text and as data."""

import functools
import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.engine.formatting import data_number
from gamesearch.algorithms.engine.parameters import depth_checked, seconds_checked
from gamesearch.algorithms.engine.result import WHY_STOPPED, Limits, SearchResult
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.api import search
from gamesearch.cli.consoles import output_console
from gamesearch.cli.defaults import Chosen, answer_from_book, choose_search
from gamesearch.cli.messages import say
from gamesearch.cli.progress import say_fallback, say_threads, watching
from gamesearch.cli.recording import Recorders, Seen
from gamesearch.commands.analyze.beliefs import BeliefsView, beliefs_data
from gamesearch.commands.analyze.depths import watching_depths
from gamesearch.commands.analyze.explanation import Explanation, ExplanationView, explain, explanation_data
from gamesearch.commands.analyze.refutation import (
    Refutation,
    RefutationView,
    refutation_data,
    refute,
    search_refutation,
)
from gamesearch.commands.analyze.view import AnalysisView, analysis_data
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Resigned, Turn
from gamesearch.registry import specification_of
from gamesearch.render.final_status import final_status_data, final_status_lines
from gamesearch.render.match import analysis_line
from gamesearch.render.tree import TreeView, tree_data
from gamesearch.render.value_words import Analysis
from gamesearch.specification import parse_specification, parse_value
from gamesearch.study.final_status import FinalStatus, status_at_end
from gamesearch.trace.recording import Recording

__all__ = ["Answer", "Options", "answer_data", "answered", "depth_limit", "print_answer"]

MOST_NODES = 1 << 62
"""What a counter of 64 bits holds without care."""


@dataclass(frozen=True)
class Options(Seen):
    """What was asked for besides game, position and algorithm."""

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
    evaluation: str | None = None
    beside: tuple[str, ...] = ()
    against: str | None = None
    mate: int | None = None
    beliefs: bool = False
    to: str | None = None

    @property
    def asks_for_search(self) -> bool:
        """Whether an option needs a search because an opening book cannot answer it."""
        others = (self.moves, self.multipv, self.explain, self.against is not None, self.beliefs)
        return self.records_search or any(others)

    def limits(self) -> Limits:
        """The limits that override those of the algorithm."""
        return Limits(
            depth=depth_limit(self.depth),
            time=None if self.time is None else seconds_checked(self.time),
            nodes=None if self.nodes is None else min(self.nodes, MOST_NODES),
        )


def given_depth(text: str | None) -> int | str | None:
    """The depth that the command line gives: plies, or full."""
    return None if text is None else depth_checked(parse_value(text) or 0)


def depth_limit(text: str | None) -> int | None:
    """The same as a limit of a search."""
    depth = given_depth(text)
    return FULL_DEPTH if depth == "full" else None if depth is None else int(depth)


@dataclass
class Answer:
    """What was found of a position."""

    analysis: Analysis
    chosen: Chosen
    game: Game[Any]
    """The game as the user named it; the game of the analysis may have another evaluation."""
    explanation: Explanation | None = None
    refutation: Refutation | None = None
    tree: Recording | None = None
    """The tree to draw."""
    beside: Sequence[SearchResult] = ()
    final_status: FinalStatus | None = None
    """What is dead where the game is over."""
    is_interrupted: bool = False

    @functools.cached_property
    def game_text(self) -> str:
        """The specification of the game as the user named it."""
        return specification_of(self.game)

    @property
    def code(self) -> int:
        """The exit code."""
        result = self.analysis.result
        if self.is_interrupted:
            return 130
        return 1 if result is not None and result.stopped and result.value is None and result.best is None else 0


def answered(
    game: Game[Any],
    state: Any,
    past: Sequence[Any],
    algorithm_text: str,
    options: Options,
    before: "Answer | None" = None,
) -> Answer:
    """Search a position in all the ways that the options ask for; `past` are the states before it.

    The search is chosen as for the answer `before`, if there is one for the same game.
    """
    if before is not None and before.game is game:
        chosen = before.chosen
    else:
        text = algorithm_text or ("beliefs" if options.beliefs else "")
        chosen = choose_search(game, text, options.evaluation, options.limits(), is_recorded=options.records_search)
    algorithm = chosen.algorithm
    if options.beliefs and not algorithm.has_beliefs:
        raise GamesearchError(f"{algorithm.name} believes nothing: leave out --beliefs, or search with -a beliefs")
    if game.terminal(state):
        if options.trace:
            raise GamesearchError("the game is over: there is no search to trace")
        status = status_at_end(game, state, options.speed)
        return Answer(Analysis(game, state, None), chosen, game, final_status=status)
    if not options.asks_for_search:
        found = answer_from_book(game, state, chosen.book, algorithm)
        if found is not None:
            opinions = answers_beside(options.beside, game, (*past, state), options.limits(), options.speed)
            analysis = Analysis(game, state, found, is_to_the_end=found.sees_the_end, is_from_book=True)
            return Answer(analysis, chosen, game, beside=opinions)
    return searched(game, state, past, chosen, options)


def searched(named: Game[Any], state: Any, past: Sequence[Any], chosen: Chosen, options: Options) -> Answer:
    """What the searches of a position find; with --against, a tree or a trace is that of the search of the answers."""
    game, algorithm = chosen.game, chosen.algorithm
    move = None if options.against is None else game.parse_move(state, options.against)
    options.refuse_recording_compiled(options.speed)
    root = state if move is None else game.result(state, move)
    with Recorders(options, game, root, algorithm, overwrite=options.force) as recorders:
        return searched_as_seen(named, state, past, chosen, options, move, recorders)


def searched_as_seen(
    named: Game[Any],
    state: Any,
    past: Sequence[Any],
    chosen: Chosen,
    options: Options,
    move: int | None,
    recorders: Recorders,
) -> Answer:
    """Search with the given recorders; `move` is the move of --against, to compare with the best one."""
    game, algorithm, limits = chosen.game, chosen.algorithm, chosen.limits
    explanation, refutation, observer = None, None, recorders.observer
    with watching_depths(game, state, options.only_ascii) as monitor:
        context: dict[str, Any] = {"speed": options.speed, "monitor": monitor, "past": past}
        if move is not None:
            refutation = refute(game, state, move, algorithm, limits, **context)
            result = seen = refutation.result
            if observer is not None:
                seen = search_refutation(game, state, refutation, algorithm, observer, past, monitor=monitor)
        else:
            kinds: dict[str, Any] = {"moves": options.moves, "multipv": options.multipv or 0, "observer": observer}
            result = seen = search(game, state, algorithm, limits=limits, **kinds, **context)
            if options.explain and result.value is not None and not monitor.interrupted:
                explanation = explain(game, state, algorithm, limits, result, **context)
    as_searched = algorithm.as_searched(game, state)
    say_speed_of(game, as_searched, result, options)
    say_threads([algorithm], [result])
    analysis = Analysis(
        game,
        state,
        result,
        is_to_the_end=result.sees_the_end,
        is_expected=result.is_expected or as_searched.chance,
        with_moves=options.moves,
        with_lines=bool(options.multipv),
        stopped=stopped_text(result, chosen),
    )
    tree = recorders.finish(seen)
    opinions: Sequence[SearchResult] = ()
    if not monitor.interrupted:
        opinions = answers_beside(options.beside, named, (*past, state), options.limits(), options.speed)
    return Answer(analysis, chosen, named, explanation, refutation, tree, opinions, is_interrupted=monitor.interrupted)


def stopped_text(result: SearchResult, chosen: Chosen) -> str:
    """Why a search ended early, as the beginning of a sentence; empty if it did not."""
    if result.stopped == "nodes" and chosen.has_usual_limit:
        return f"stopped after {chosen.limits.nodes:,} nodes, the default: --nodes, --depth or --time change it"
    return f"stopped: {WHY_STOPPED[result.stopped]}" if result.stopped else ""


def say_speed_of(game: Game[Any], searched: Game[Any], result: SearchResult, options: Options) -> None:
    """Say which speed the search ran at, if that was asked for, or that it was the slower one."""
    if options.verbose:
        say(speed_sentence(searched, result, options))
    elif options.speed == "auto" and not options.records_search:
        say_fallback(game, searched)


def speed_sentence(game: Game[Any], result: SearchResult, options: Options) -> str:
    """Which speed the search ran at, and why."""
    if result.statistics.speed == "compiled":
        return "speed: compiled, from the same source that runs interpreted"
    if options.records_search:
        reason = f"so that {'--tree' if options.tree else '--trace'} can watch each node"
    elif options.speed == "interpreted":
        reason = "as --speed says"
    else:
        known = compiler.why_interpreted(game)
        reason = f"because {known}" if known else "because this algorithm runs no compiled code"
    return f"speed: interpreted, {reason}"


def answer_data(answer: Answer, options: Options) -> dict[str, Any]:
    """The answer as JSON has it."""
    analysis = answer.analysis
    data = analysis_data(analysis, answer.game_text, answer.chosen.algorithm.specification)
    data |= final_status_data(answer.final_status)
    data["limits"] = {
        "depth": given_depth(options.depth),
        "time": options.time,
        "nodes": answer.chosen.limits.nodes,
    }
    if options.explain:
        data["explanation"] = explanation_data(analysis, answer.explanation) if answer.explanation is not None else None
    if answer.refutation is not None:
        data["against"] = refutation_data(RefutationView(analysis, answer.refutation))
    if answer.tree is not None:
        data["tree"] = tree_data(answer.tree, options.plies, options.width)
    if options.beliefs:
        data["beliefs"] = beliefs_data(analysis)
    if options.beside:
        data["beside"] = beside_data(answer.game, analysis.state, answer.beside)
    return data


def print_answer(answer: Answer, options: Options) -> None:
    """Write the answer to standard output, for people."""
    analysis, console = answer.analysis, output_console(options.only_ascii)
    console.print(AnalysisView(analysis))
    for line in final_status_lines(answer.final_status):
        console.print(line, soft_wrap=not console.is_terminal)
    views = [
        BeliefsView(analysis) if options.beliefs else None,
        ExplanationView(analysis, answer.explanation) if answer.explanation is not None else None,
        RefutationView(analysis, answer.refutation) if answer.refutation is not None else None,
        TreeView(answer.tree, options.plies, options.width) if answer.tree is not None else None,
    ]
    for view in views:
        if view is not None:
            console.print()
            console.print(view)
    for line in beside_lines(answer.game, analysis.state, answer.beside):
        console.print(line, soft_wrap=not console.is_terminal)


# What other players say. -------------------------------------------------------------------------
def answers_beside(
    texts: Sequence[str], game: Game[Any], states: Sequence[Any], limits: Limits, speed: str
) -> list[SearchResult]:
    """The answers of players to the last of some states of a game, one after another.

    Raises GamesearchError if one fails.
    """
    if texts and game.player(states[-1]) == CHANCE:
        raise GamesearchError("it is chance's turn: players can only be asked where one of them is to move")
    steps = itertools.pairwise(states) if texts else ()
    moves = [next(m for m in game.steps(s) if game.result(s, m) == after) for s, after in steps]
    return [asked(text, game, states, moves, limits, speed) for text in texts]


def asked(
    text: str, game: Game[Any], states: Sequence[Any], moves: Sequence[int], limits: Limits, speed: str
) -> SearchResult:
    """The answer of a player, who is then closed."""
    # Its own limits hold, as they are typed with its name; else those of the command; else what players have.
    is_limited = set(parse_specification(text).parameters) & {"depth", "time", "nodes"}
    given = Limits() if is_limited else limits
    with load_player(text, game, None, speed) as player, watching(f"{text} is thinking") as monitor:
        if player.is_human:
            raise GamesearchError("a human has no evaluation: name an engine or an algorithm")
        try:
            return player.answer(Turn(game, states, moves, given), monitor)
        except Resigned as error:
            raise GamesearchError(f"{error}: it has no move to name") from None


def beside_lines(game: Game[Any], state: Any, answers: Sequence[SearchResult]) -> list[str]:
    """Each player's move and what it says of it. Its value is on its own scale, for the side that ours is for."""
    lines = []
    for answer in answers:
        found = analysis_line(game, state, answer)
        move = "no move" if answer.best is None else game.move_name(state, answer.best)
        says = f": by its own measure {found}" if found else ", and tells no value"
        lines.append(f"beside: {answer.algorithm} plays {move}{says}")
    return lines


def beside_data(game: Game[Any], state: Any, answers: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """The same as data."""
    return [
        {
            "player": answer.algorithm,
            "value": data_number(answer.value),
            "bound": answer.certainty,
            "distance": answer.distance,
            "best": None if answer.best is None else game.move_name(state, answer.best),
            "line": game.line_names(state, answer.line),
            "statistics": asdict(answer.statistics),
        }
        for answer in answers
    ]
