"""The answer of `gamesearch analyze` for one position: the result of a search, and the sections that options add."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch import compiler, games
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import WHY_STOPPED, Limits, SearchResult, rank_moves
from gamesearch.algorithms.root.search import search
from gamesearch.cli.consoles import output_console
from gamesearch.cli.defaults import SearchSettings, answer_from_book, choose_search, parse_depth
from gamesearch.cli.messages import say
from gamesearch.cli.progress import say_fallback, say_threads
from gamesearch.cli.recording import Recorders
from gamesearch.commands.solving.analyze.sections import (
    Options,
    Section,
    belief_sections,
    cube_sections,
    explanation_sections,
    opinion_sections,
    tree_sections,
)
from gamesearch.commands.solving.analyze.view import AnalysisView, analysis_data, show_depths
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.render.value_words import Analysis

__all__ = ["Answer", "answer_data", "answer_position", "print_answer"]

SHORT = 20_000  # visiting this number of nodes interpreted takes less time than importing Numba


@dataclass(frozen=True)
class Answer:
    """The answer for one position."""

    settings: SearchSettings
    analysis: Analysis
    sections: Sequence[Section]
    is_interrupted: bool = False

    @property
    def code(self) -> int:
        """The exit code."""
        result = self.analysis.result
        if self.is_interrupted:
            return 130
        return 1 if result is not None and result.stopped and result.value is None and result.best is None else 0


def answer_position(
    game: Game, state: Any, past: Sequence[Any], algorithm: str, options: Options, known: SearchSettings | None = None
) -> Answer:
    """Analyze a position by the rules, the opening book or a search. `past` contains the states before the position.
    `known` contains the search settings of the previous position. If both positions belong to the same game, these
    settings are used again."""
    settings = known
    if settings is None or settings.named is not game:
        text = algorithm or ("beliefs" if options.beliefs else "")
        is_recorded = options.recording.records_search
        settings = choose_search(game, text, options.evaluation, options.limits(), is_recorded=is_recorded)
    if options.beliefs and not settings.algorithm.has_beliefs:
        name = settings.algorithm.name
        raise GamesearchError(f"{name} does not compute beliefs: leave out --beliefs, or search with -a beliefs")
    if game.terminal(state):
        return answer_finished_game(settings, state, options)
    known_to_book = answer_from_book(game, state, settings.book, settings.algorithm)
    most = len(game.steps(state)) if options.moves else options.multipv or 0
    if known_to_book is not None and not options.needs_search and (known_to_book.moves or not most):
        ranked = rank_moves(game, state, known_to_book.moves, (known_to_book.best,))
        result = replace(known_to_book, moves=tuple(ranked[:most]))
        analysis = Analysis(game, state, result)
        return Answer(settings, analysis, opinion_sections(settings, (*past, state), options))
    if options.against is not None:
        return answer_against(settings, state, past, options)
    return answer_by_search(settings, state, past, options)


def answer_finished_game(settings: SearchSettings, state: Any, options: Options) -> Answer:
    """Return the answer for a finished game: the payoff and, in games such as Go, the dead stones."""
    from gamesearch.render.match import final_status_data, final_status_lines
    from gamesearch.study.final_status import status_at_end

    game = settings.named
    if options.recording.trace:
        raise GamesearchError("the game is over, so nothing is searched: leave out --trace")
    analysis, status = Analysis(game, state, None), status_at_end(game, state, options.speed)
    sections = [Section(final_status_lines(status), final_status_data(status))]
    sections += belief_sections(analysis, options) + explanation_sections(analysis, None, options)
    sections += opinion_sections(settings, [state], options, asks=False)
    return Answer(settings, analysis, sections)


def answer_by_search(settings: SearchSettings, state: Any, past: Sequence[Any], options: Options) -> Answer:
    """Search a position and return the answer, with the values of all moves (--moves) or the best lines (--multipv)."""
    game, algorithm, limits, recording = settings.game, settings.algorithm, settings.limits, options.recording
    recording.refuse_recording_compiled(options.speed)
    explanation = None
    with Recorders(recording, game, state, algorithm, overwrite=options.force) as recorders:
        with show_depths(game, state, options.only_ascii) as monitor:
            context: dict[str, Any] = {"speed": options.speed, "monitor": monitor, "past": past}
            kinds: dict[str, Any] = {"moves": options.moves, "multipv": options.multipv or 0}
            result = None
            if may_be_short(settings, options):
                result = short_search(game, state, algorithm, **context | {"speed": "interpreted"})
            if result is None:
                result = search(game, state, algorithm, limits=limits, observer=recorders.observer, **kinds, **context)
            if options.explain and result.value is not None and not monitor.interrupted:
                from gamesearch.commands.solving.analyze.explanation import explain

                explanation = explain(game, state, algorithm, limits, result, **context)
            cubes = cube_sections(game, state, algorithm, limits, options, monitor)
        tree = recorders.finish(result)
    analysis = make_analysis(settings, state, result, options)
    sections = cubes + belief_sections(analysis, options) + explanation_sections(analysis, explanation, options)
    sections += tree_sections(game, tree, recording)
    sections += opinion_sections(settings, (*past, state), options, asks=not monitor.interrupted)
    return Answer(settings, analysis, sections, monitor.interrupted)


def may_be_short(settings: SearchSettings, options: Options) -> bool:
    """Whether to try a short interpreted search first, which avoids the slow import of Numba. For a game from a user's
    file, no short search is tried: the user should learn whether the rules can be compiled."""
    if "numba" in sys.modules or not type(settings.game).__module__.startswith(f"{games.__name__}."):
        return False
    is_plain = settings.limits == Limits() and not (options.moves or options.multipv or options.explain)
    is_whole = settings.game.suggested_depth is None and not settings.algorithm.deepen
    return is_plain and is_whole and options.speed == "auto" and not options.recording.records_search


def short_search(game: Game, state: Any, algorithm: Algorithm, **context: Any) -> SearchResult | None:
    """Return the result of an interpreted search; None if it needs more than SHORT nodes."""
    result = search(game, state, algorithm, limits=Limits(nodes=SHORT), **context)
    return None if result.stopped == "nodes" else result


def answer_against(settings: SearchSettings, state: Any, past: Sequence[Any], options: Options) -> Answer:
    """Compare the move given with --why-not to the best move. --tree and --trace show the search after that move."""
    from gamesearch.commands.solving.analyze.refutation import (
        RefutationView,
        refutation_data,
        refute,
        search_refutation,
    )

    game, algorithm, recording = settings.game, settings.algorithm, options.recording
    move = game.parse_move(state, options.against or "")
    recording.refuse_recording_compiled(options.speed)
    with Recorders(recording, game, game.result(state, move), algorithm, overwrite=options.force) as recorders:
        with show_depths(game, state, options.only_ascii) as monitor:
            context: dict[str, Any] = {"speed": options.speed, "monitor": monitor, "past": past}
            refutation = refute(game, state, move, algorithm, settings.limits, **context)
            recorded = refutation.result
            if (observer := recorders.observer) is not None:
                watched = {"observer": observer, "monitor": monitor}
                recorded = search_refutation(game, state, refutation, algorithm, past, **watched)
        tree = recorders.finish(recorded)
    analysis = make_analysis(settings, state, refutation.result, options)
    view = RefutationView(analysis, refutation)
    sections = [Section(view, {"against": refutation_data(view)}), *tree_sections(game, tree, recording)]
    sections += opinion_sections(settings, (*past, state), options, asks=not monitor.interrupted)
    return Answer(settings, analysis, sections, monitor.interrupted)


def make_analysis(settings: SearchSettings, state: Any, result: SearchResult, options: Options) -> Analysis:
    """Report the speed and the threads of a search, and return its result as an Analysis."""
    game, algorithm = settings.game, settings.algorithm
    game_to_search = algorithm.game_to_search(game, state)
    report_speed(settings, game_to_search, result, options)
    say_threads([algorithm], [result])
    return Analysis(
        game,
        state,
        result,
        is_expected=result.is_expected or game_to_search.chance,
        with_moves=options.moves,
        with_lines=bool(options.multipv),
        stopped=stopped_text(result, settings, options),
        book=answer_from_book(settings.named, state, settings.book, settings.algorithm),
        uses_bounds=algorithm.bounds,
    )


# Output. -----------------------------------------------------------------------------------------
def stopped_text(result: SearchResult, settings: SearchSettings, options: Options) -> str:
    """The beginning of a sentence: why the search ended early. Empty if it did not end early."""
    if not result.stopped:
        return ""
    is_shared = options.moves and not settings.algorithm.values_moves and result.stopped in ("nodes", "time")
    if result.stopped == "nodes" and settings.has_usual_limit:
        share = "half of the default" if is_shared else "the default"
        return (
            f"stopped after {result.statistics.nodes:,} nodes, {share} (--nodes, --depth or --time sets another limit)"
        )
    use = " (half of the limit is for the table of moves)" if is_shared else ""
    return f"stopped: {WHY_STOPPED[result.stopped]}{use}"


def report_speed(settings: SearchSettings, searched: Game, result: SearchResult, options: Options) -> None:
    """If --verbose is given, report the speed of the search. Otherwise, print a report only if the rules could not be
    compiled."""
    if options.verbose:
        say(speed_sentence(searched, settings.algorithm, result, options))
    elif options.speed == "auto" and not options.recording.records_search:
        say_fallback(settings.game, searched)


def speed_sentence(game: Game, algorithm: Algorithm, result: SearchResult, options: Options) -> str:
    """Return a sentence that states the speed of the search and the reason for this speed."""
    if result.statistics.speed == "compiled":
        return "speed: compiled, from the same source code that runs interpreted"
    if options.recording.records_search:
        reason = f"so that {'--tree' if options.recording.tree else '--trace'} can record each node"
    elif options.speed == "interpreted":
        reason = "because of --speed interpreted"
    elif (
        result.statistics.nodes <= SHORT
        and compiler.speed_for(game, "auto") == "compiled"
        and not algorithm.why_interpreted
    ):
        reason = "because the search is short"
    else:
        known = compiler.why_interpreted(game)
        reason = f"because {known}" if known else "because this algorithm cannot be compiled"
    return f"speed: interpreted, {reason}"


def answer_data(answer: Answer, options: Options) -> dict[str, Any]:
    """The answer as a JSON object."""
    settings = answer.settings
    data = analysis_data(answer.analysis, settings.game_text, settings.algorithm.specification)
    data["limits"] = {"depth": parse_depth(options.depth), "time": options.time, "nodes": settings.limits.nodes}
    for section in answer.sections:
        data |= section.data
    return data


def print_answer(answer: Answer, options: Options) -> None:
    """Print the answer as text."""
    console = output_console(options.only_ascii)
    console.print(AnalysisView(answer.analysis))
    for view, _ in answer.sections:
        if isinstance(view, Sequence):
            for line in view:
                console.print(line, soft_wrap=not console.is_terminal)
        else:
            console.print()
            console.print(view)
