"""The answer to one position of `gamesearch analyze`: the searches that were asked for, as text and as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.catalog import fitting, load_algorithm
from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.parameters import depth_checked, seconds_checked
from gamesearch.algorithms.parts.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.api import search
from gamesearch.cli.consoles import output_console
from gamesearch.cli.live import watching_depths
from gamesearch.cli.messages import say
from gamesearch.cli.player_opinions import answers_beside, beside_data, beside_lines
from gamesearch.cli.progress import best_so_far, say_fallback, say_threads
from gamesearch.cli.traces import refuse_compiled
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.render.analysis import AnalysisView, analysis_data
from gamesearch.render.beliefs import BeliefsView, beliefs_data
from gamesearch.render.explanation import ExplanationView, explanation_data
from gamesearch.render.final_status import final_status_data, final_status_lines
from gamesearch.render.refutation import RefutationView, refutation_data
from gamesearch.render.tree import TreeView, tree_data
from gamesearch.render.value_words import Analysis
from gamesearch.specification import parse_specification, parse_value
from gamesearch.study.explanation import Explanation, explain
from gamesearch.study.final_status import FinalStatus, status_at_end
from gamesearch.study.refutation import Refutation, refute, search_refutation
from gamesearch.trace.observers import observe_together
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording
from gamesearch.trace.tree_recorder import TreeRecorder

__all__ = ["Answer", "Options", "answer_data", "answered", "given_depth", "print_answer"]

MOST_NODES = 1 << 62
"""What a counter of 64 bits holds without care."""


@dataclass(frozen=True)
class Options:
    """What was asked for besides game, position and algorithm."""

    depth: str | None
    time: float | None
    nodes: int | None
    moves: bool
    multipv: int | None
    explain: bool
    tree: bool
    plies: int
    width: int
    trace: str | None
    trace_nodes: int
    force: bool
    speed: str
    only_ascii: bool
    as_json: bool
    verbose: bool
    beside: tuple[str, ...] = ()
    against: str | None = None
    mate: int | None = None
    beliefs: bool = False
    to: str | None = None

    def limits(self) -> Limits:
        """The limits that override those of the algorithm."""
        depth = given_depth(self.depth)
        return Limits(
            depth=FULL_DEPTH if depth == "full" else None if depth is None else int(depth),
            time=None if self.time is None else seconds_checked(self.time),
            nodes=None if self.nodes is None else min(self.nodes, MOST_NODES),
        )


def given_depth(text: str | None) -> int | str | None:
    """The depth that the command line gives: plies, or full."""
    return None if text is None else depth_checked(parse_value(text) or 0)


@dataclass
class Answer:
    """What was found of a position."""

    analysis: Analysis
    algorithm: Algorithm
    explanation: Explanation | None = None
    refutation: Refutation | None = None
    tree: Recording | None = None
    """The tree to draw."""
    trace: Recording | None = None
    """The search to write down."""
    beside: Sequence[SearchResult] = ()
    final_status: FinalStatus | None = None
    """What is dead where the game is over."""
    is_interrupted: bool = False

    @property
    def code(self) -> int:
        """The exit code."""
        result = self.analysis.result
        if self.is_interrupted:
            return 130
        return 1 if result is not None and result.stopped and result.value is None and result.best is None else 0


def answered(game: Game[Any], state: Any, past: Sequence[Any], algorithm_text: str, options: Options) -> Answer:
    """Search a position in all the ways that the options ask for; `past` are the states before it."""
    algorithm_text = algorithm_text or ("beliefs" if options.beliefs else fitting(game))
    limits = options.limits()
    algorithm = deepening(load_algorithm(algorithm_text), algorithm_text, limits)
    algorithm.takes(limits)
    algorithm.fits(game)
    if options.beliefs and not algorithm.has_beliefs:
        raise GamesearchError(f"{algorithm.name} believes nothing: leave out --beliefs, or search with -a beliefs")
    if game.terminal(state):
        if options.trace:
            raise GamesearchError("the game is over: there is no search to trace")
        return Answer(Analysis(game, state, None), algorithm, final_status=status_at_end(game, state, options.speed))
    if options.against is not None:
        return answered_against(game, state, past, algorithm, limits, options)
    tree_recorder, recorder = recorders(game, state, algorithm, options)
    watched = [each for each in (tree_recorder, recorder) if each is not None]
    with watching_depths(game, state, options.only_ascii) as monitor:
        result = search(
            game,
            state,
            algorithm,
            limits=limits,
            speed=options.speed,
            moves=options.moves,
            multipv=options.multipv or 0,
            monitor=monitor,
            observer=observe_together(*watched) if watched else None,
            past=past,
        )
        explanation = None
        if options.explain and result.value is not None and not monitor.interrupted:
            explanation = explain(
                game, state, algorithm, limits, result, speed=options.speed, monitor=monitor, past=past
            )
    say_speed_of(game, algorithm.as_searched(game, state), result, options)
    say_threads([algorithm], [result])
    answer = Answer(
        analysis_of(game, state, algorithm, result, options),
        algorithm,
        explanation,
        None,
        tree_recorder.finish(result) if tree_recorder is not None else None,
        recorder.finish(result) if recorder is not None else None,
    )
    return finished(answer, past, monitor, limits, options)


def answered_against(
    game: Game[Any], state: Any, past: Sequence[Any], algorithm: Algorithm, limits: Limits, options: Options
) -> Answer:
    """Why not this move; a tree or a trace is that of the search of its answers."""
    move = game.parse_move(state, options.against or "")
    tree_recorder, recorder = recorders(game, game.result(state, move), algorithm, options)
    watched = [each for each in (tree_recorder, recorder) if each is not None]
    with watching_depths(game, state, options.only_ascii) as monitor:
        found = refute(game, state, move, algorithm, limits, speed=options.speed, monitor=monitor, past=past)
        if watched:
            observer = observe_together(*watched)
            seen = search_refutation(game, state, found, algorithm, observer, past, monitor=monitor)
    say_speed_of(game, algorithm.as_searched(game, state), found.result, options)
    say_threads([algorithm], [found.result])
    answer = Answer(
        analysis_of(game, state, algorithm, found.result, options),
        algorithm,
        refutation=found,
        tree=tree_recorder.finish(seen) if tree_recorder is not None else None,
        trace=recorder.finish(seen) if recorder is not None else None,
    )
    return finished(answer, past, monitor, limits, options)


def finished(answer: Answer, past: Sequence[Any], monitor: Monitor, limits: Limits, options: Options) -> Answer:
    """The answer with what other players say, unless Ctrl-C ended it."""
    analysis, answer.is_interrupted = answer.analysis, monitor.interrupted
    if not monitor.interrupted:
        answer.beside = answers_beside(options.beside, analysis.game, (*past, analysis.state), limits, options.speed)
    return answer


def analysis_of(game: Game[Any], state: Any, algorithm: Algorithm, result: SearchResult, options: Options) -> Analysis:
    """What a search said of a position, to be shown."""
    return Analysis(
        game,
        state,
        result,
        is_to_the_end=result.sees_the_end,
        is_expected=result.is_expected or algorithm.as_searched(game, state).chance,
        with_moves=options.moves,
        with_lines=bool(options.multipv),
        stopped=best_so_far(result),
    )


def recorders(
    game: Game[Any], state: Any, algorithm: Algorithm, options: Options
) -> tuple[TreeRecorder | None, Recorder | None]:
    """What records the tree to draw, and the whole search to write down; None for what was not asked for."""
    refuse_compiled(options.speed, options.tree, options.trace)
    return (
        TreeRecorder(game, state, algorithm, options.plies, options.width) if options.tree else None,
        Recorder(game, state, algorithm, options.trace_nodes) if options.trace else None,
    )


def deepening(algorithm: Algorithm, text: str, limits: Limits) -> Algorithm:
    """The algorithm, deepening step by step where it may be stopped: then there is a depth that it finished.

    Unless its specification says otherwise.
    """
    may_stop = limits.time is not None or (limits.nodes is not None and limits.depth is None)
    if may_stop and algorithm.can_deepen:
        if "deepen" not in parse_specification(text).parameters:
            algorithm.deepen = True
    return algorithm


def say_speed_of(game: Game[Any], searched: Game[Any], result: SearchResult, options: Options) -> None:
    """Say which speed the search ran at, if that was asked for, or that it was the slower one."""
    if options.verbose:
        say(speed_sentence(searched, result, options))
    elif options.speed == "auto" and not options.tree and not options.trace:
        say_fallback(game, searched)


def speed_sentence(game: Game[Any], result: SearchResult, options: Options) -> str:
    """Which speed the search ran at, and why."""
    if result.statistics.speed == "compiled":
        return "speed: compiled, from the same source that runs interpreted"
    if options.tree or options.trace:
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
    data = analysis_data(analysis, answer.algorithm.specification)
    data |= final_status_data(answer.final_status)
    data["limits"] = {"depth": given_depth(options.depth), "time": options.time, "nodes": options.nodes}
    if options.explain:
        data["explanation"] = explanation_data(analysis, answer.explanation) if answer.explanation is not None else None
    if answer.refutation is not None:
        data["against"] = refutation_data(RefutationView(analysis, answer.refutation))
    if answer.tree is not None:
        data["tree"] = tree_data(answer.tree, options.plies, options.width)
    if options.beliefs:
        data["beliefs"] = beliefs_data(analysis)
    if options.beside:
        data["beside"] = beside_data(analysis.game, analysis.state, answer.beside)
    return data


def print_answer(answer: Answer, options: Options) -> None:
    """Write the answer to standard output, for people."""
    analysis, console = answer.analysis, output_console(options.only_ascii)
    console.print(AnalysisView(analysis))
    for line in final_status_lines(answer.final_status):
        console.print(line, markup=False, soft_wrap=not console.is_terminal)
    if options.beliefs:
        console.print()
        console.print(BeliefsView(analysis))
    if answer.explanation is not None:
        console.print()
        console.print(ExplanationView(analysis, answer.explanation))
    if answer.refutation is not None:
        console.print()
        console.print(RefutationView(analysis, answer.refutation))
    if answer.tree is not None:
        console.print()
        console.print(TreeView(answer.tree, options.plies, options.width))
    for line in beside_lines(analysis.game, analysis.state, answer.beside):
        console.print(line, markup=False, soft_wrap=not console.is_terminal)
